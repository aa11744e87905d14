package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"
)

const (
	// attemptTimeout bounds one HTTP exchange.
	attemptTimeout = 10 * time.Second
	// maxAttempts bounds how often a patient request is made.
	maxAttempts = 4
	// maxBody bounds what is read of an answer.
	maxBody = 4 << 20
	// maxDetail bounds what an error quotes of Discord's list of faults.
	maxDetail = 600
	// maxStart bounds what it quotes of an answer that is not of Discord's form, in characters.
	maxStart = 100
)

const userAgent = "DiscordBot (https://github.com/bwmarrin/discordgo, v" + discordgo.VERSION + ")"

// request is one call of the REST API.
type request struct {
	name        string // for errors and logs; holds no token, unlike the URL
	method, url string
	body        any                                // encoded as JSON; nil for none
	draw        func(context.Context) (any, error) // if set, makes the body in place of that, before each try
	files       []File                             // sent beside the body, as a form
	bucket      string                             // requests of one bucket share a rate limit; empty: no waiting for one
	message     string                             // what one message alone may have to wait for; empty: the bucket waits in its place
	anonymous   bool                               // the URL holds the credential. Discord would count the bot's token against its global limit
	callback    bool                               // an interaction callback, whose refusals mean something else
	header      func(http.Header)                  // if set, gets the answer's
	patient     bool                               // wait for rate limits and try again, within the context
	repeatable  bool                               // a post that is done once, however often it is made
	hurried     bool                               // do not wait for rate limits: *LimitError at once
}

// do makes the request and decodes the answer into into, unless that is nil. An error that is not Discord's last word, because
// the time was over in the middle of a further try, tells of that word too.
func (r *REST) do(ctx context.Context, q request, into any) error {
	body, kind, err := encode(q.body, q.files)
	if err != nil {
		return fmt.Errorf("%s: %w", q.name, err)
	}
	var last error      // of the tries
	everybodys := false // no emoji of the application are in the body any more
	for attempt := 1; ; attempt++ {
		if err := r.limits.wait(ctx, &q); err != nil {
			return after(last, fmt.Errorf("%s: %w", q.name, err))
		}
		if q.draw != nil {
			made, err := q.draw(ctx)
			if err == nil {
				body, err = json.Marshal(made)
			}
			if err != nil {
				return after(last, fmt.Errorf("%s: %w", q.name, err))
			}
		}
		err := r.once(ctx, q, body, kind, into)
		if refusesEmoji(err) && !everybodys {
			everybodys = true
			r.emoji() // what is drawn is drawn without them from now on
			body = withoutOwnEmoji(body)
			last = err
			continue
		}
		if err == nil || !q.patient || attempt == maxAttempts || ctx.Err() != nil {
			return after(last, err)
		}
		switch status := statusOf(err); {
		case status == http.StatusTooManyRequests: // the limits know for how long
		case status >= 500 && (q.repeatable || q.method != http.MethodPost): // another post may have been done all the same
			if pause(ctx, backoff(attempt)) != nil {
				return err
			}
		default:
			return after(last, err)
		}
		last = err
	}
}

// after is the error of a try, with the error of the one before if this one is no answer of Discord's: that the time was over
// says nothing of what was wrong. Either may be nil.
func after(last, err error) error {
	if err == nil || last == nil || statusOf(err) != 0 {
		return err
	}
	return fmt.Errorf("%w (before that: %w)", err, last)
}

// encode is a body, which may be nil, with the files beside it, and the type of that.
func encode(body any, files []File) (content []byte, kind string, err error) {
	if body != nil {
		if content, err = json.Marshal(body); err != nil {
			return nil, "", err
		}
	}
	if len(files) > 0 {
		content, kind = form(content, files)
		return content, kind, nil
	}
	return content, "application/json", nil
}

// form is a body with files beside it, and the type of that.
func form(body []byte, files []File) (content []byte, kind string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part := func(field, name, kind string, content []byte) {
		about := map[string]string{"name": field}
		if name != "" {
			about["filename"] = name
		}
		p, _ := w.CreatePart(textproto.MIMEHeader{ // a buffer never fails
			"Content-Disposition": {mime.FormatMediaType("form-data", about)}, "Content-Type": {kind},
		})
		p.Write(content)
	}
	part("payload_json", "", "application/json", body)
	for i, f := range files {
		part(fmt.Sprintf("files[%d]", i), f.Name, f.Type, f.Content)
	}
	w.Close()
	return b.Bytes(), w.FormDataContentType()
}

// once makes one HTTP exchange.
func (r *REST) once(ctx context.Context, q request, body []byte, kind string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, q.method, q.url, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s: %w", q.name, withoutURL(err))
	}
	if r.host != nil { // discordgo's addresses are made when the program starts, and shared by the whole process
		req.URL.Scheme, req.URL.Host, req.Host = r.host.Scheme, r.host.Host, r.host.Host // the server may derive the gateway's address from it
	}
	req.Header.Set("User-Agent", userAgent)
	if body != nil {
		req.Header.Set("Content-Type", kind)
	}
	if !q.anonymous {
		req.Header.Set("Authorization", "Bot "+r.token)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return fmt.Errorf("%s: %w", q.name, withoutURL(err))
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		return fmt.Errorf("%s: %w", q.name, err)
	}
	r.limits.learn(&q, resp, answer)
	if q.header != nil {
		q.header(resp.Header)
	}
	if resp.StatusCode >= 300 {
		refusal := newAPIError(q, resp.StatusCode, answer)
		if refusal.Code == 0 && refusal.Message == "" {
			refusal.Detail = r.start(q, answer)
		}
		if resp.StatusCode == http.StatusTooManyRequests {
			refusal.after = readRefusal(resp, answer).after
		}
		return refusal
	}
	if into != nil && len(answer) > 0 {
		if err := json.Unmarshal(answer, into); err != nil {
			return &OddAnswer{Request: q.name, Start: r.start(q, answer), Err: err}
		}
	}
	return nil
}

// start is what an answer that is not of Discord's form begins with, to be shown. A page may repeat the address, so there is
// nothing of one whose address holds a token.
func (r *REST) start(q request, answer []byte) string {
	if q.anonymous {
		return ""
	}
	shown := strings.Join(strings.Fields(redact(string(answer), r.token)), " ")
	if runes := []rune(shown); len(runes) > maxStart {
		shown = string(runes[:maxStart]) + "..."
	}
	return shown
}

func newAPIError(q request, status int, body []byte) *APIError {
	var told struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Errors  json.RawMessage `json:"errors"`
	}
	_ = json.Unmarshal(body, &told) // a proxy's page has no code, which is what the zero value says
	detail := string(told.Errors)
	if len(detail) > maxDetail {
		detail = detail[:maxDetail] + "..."
	}
	return &APIError{
		Request: q.name, Status: status, Code: told.Code, Message: told.Message, Detail: detail, callback: q.callback,
	}
}

// statusOf is 0 if Discord did not answer.
func statusOf(err error) int {
	if api, is := errors.AsType[*APIError](err); is {
		return api.Status
	}
	return 0
}

// withoutURL drops the address from an error of net/http, as it may hold a token.
func withoutURL(err error) error {
	if wrapped, is := errors.AsType[*url.Error](err); is {
		return wrapped.Err
	}
	return err
}
