package rest

import (
	"bytes"
	"cmp"
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

	"tictactoe/bot/backoff"
)

const (
	// attemptTimeout bounds one HTTP exchange.
	attemptTimeout = 10 * time.Second
	// maxAttempts, callbackTries and acknowledgementTries bound how often a request, a callback and an acknowledgement are tried. An
	// acknowledgement has the fewest tries, because a reply waits for it.
	maxAttempts          = 4
	callbackTries        = 5
	acknowledgementTries = 2
	// slowCallback is how long a callback may take before it counts as slow. For slowFor after a slow callback, others are expected to be
	// slow too.
	slowCallback = 500 * time.Millisecond
	slowFor      = 30 * time.Second
	// maxBody is how many bytes of an answer are read at most.
	maxBody = 4 << 20
	// maxDetail is how many bytes of Discord's list of faulty fields an error quotes at most.
	maxDetail = 600
	// maxStart is how many characters an error quotes at most from an answer that is not in Discord's form.
	maxStart = 100
)

const userAgent = "DiscordBot (https://github.com/bwmarrin/discordgo, v" + discordgo.VERSION + ")"

// request is one call of the REST API.
type request struct {
	name        string // for errors and logs; holds no token, unlike the URL
	method, url string
	body        any // encoded as JSON; nil for none
	// draw, if set, makes the body and the files before each try, instead of the fields body and files.
	draw       func(ctx context.Context, wordy bool) (Message, []File, error)
	files      []File            // sent with the body, as a form
	bucket     string            // requests with the same bucket share a rate limit; empty means no bucket
	message    string            // key for a rate limit of a single message; if empty, such a limit counts for the bucket
	anonymous  bool              // the URL has the credential; the bot's token, which has its own limit, is not sent
	callback   bool              // an interaction callback, which Discord accepts once
	header     func(http.Header) // if set, gets the header of the answer
	tries      int               // maximum number of tries; 0 means maxAttempts
	repeatable bool              // a POST that Discord carries out only once, however often it is sent
	reason     string            // for Discord's audit log, escaped as in a URL; empty for none
	hurried    bool              // return a *messages.LimitError instead of waiting for a rate limit
}

// do makes the request, tries again after passing errors, and decodes the answer into result, unless result is nil. If ctx ends during a
// repeated try, the error also wraps the error of the try before.
func (r *Client) do(ctx context.Context, q request, result any) error {
	body, kind, err := encode(q.body, q.files)
	if err != nil {
		return fmt.Errorf("%s: %w", q.name, err)
	}
	var last error      // the error of the previous try
	everybodys := false // whether Unicode emoji replace the application's emoji in the body
	wordy := false      // whether words replace the files that draw returns
	for attempt := 1; ; attempt++ {
		if err := r.limits.wait(ctx, &q); err != nil {
			return WithLast(last, fmt.Errorf("%s: %w", q.name, err))
		}
		if q.draw != nil {
			made, files, err := q.draw(ctx, wordy)
			if err == nil {
				q.files = files
				body, kind, err = encode(made, files)
			}
			if err != nil {
				return WithLast(last, fmt.Errorf("%s: %w", q.name, err))
			}
			if everybodys {
				body = withoutOwnEmoji(body)
			}
		}
		err := r.once(ctx, q, body, kind, result)
		if refusesEmoji(err) && !everybodys {
			everybodys = true
			r.emoji() // from now on messages are drawn without the application's emoji
			body = withoutOwnEmoji(body)
			last = err
			continue
		}
		if q.draw != nil && len(q.files) > 0 && Refused(err) {
			wordy, last = true, err
			continue
		}
		wait, passes := q.passing(err, attempt)
		if !passes || attempt >= cmp.Or(q.tries, maxAttempts) || backoff.Pause(ctx, wait) != nil {
			return WithLast(last, err)
		}
		last = err
	}
}

// passing reports whether a request that failed with err may be repeated, and how long to wait before that.
func (q request) passing(err error, attempt int) (wait time.Duration, passes bool) {
	status := statusOf(err)
	switch {
	case err == nil:
		return 0, false
	case status == http.StatusTooManyRequests: // limits.wait knows how long to wait
		return 0, true
	case q.callback:
		return 50 * time.Millisecond << attempt, status == 0 || status >= 500
	default: // Discord may have carried out a POST in spite of the error
		return backoff.After(attempt, err), status >= 500 && (q.repeatable || q.method != http.MethodPost)
	}
}

// CallbacksAreSlow reports whether a callback was slow recently, so that the next one is likely to be slow too.
func (r *Client) CallbacksAreSlow() bool {
	return time.Since(time.Unix(0, r.slowSince.Load())) < slowFor
}

// WithLast returns err, the error of a try, and joins it with last, the error of the try before, if the server did not answer the later
// try: a timeout alone does not explain the failure. Both errors may be nil.
func WithLast(last, err error) error {
	if err == nil || last == nil || statusOf(err) != 0 {
		return err
	}
	return fmt.Errorf("%w (before that: %w)", err, last)
}

// encode returns the content and content type of a request with a body and files. The body is encoded as JSON; it may be nil, and there may
// be no files.
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

// form returns a multipart form of a JSON body and files, and the form's content type.
func form(body []byte, files []File) (content []byte, kind string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part := func(field, name, kind string, content []byte) {
		about := map[string]string{"name": field}
		if name != "" {
			about["filename"] = name
		}
		p, _ := w.CreatePart(textproto.MIMEHeader{ // writing to a buffer never fails
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

// once makes one HTTP exchange and decodes the answer into result, unless result is nil.
func (r *Client) once(ctx context.Context, q request, body []byte, kind string, result any) error {
	ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, q.method, q.url, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s: %w", q.name, withoutURL(err))
	}
	if r.host != nil { // discordgo's addresses are global variables, shared by the whole process
		req.URL.Scheme, req.URL.Host, req.Host = r.host.Scheme, r.host.Host, r.host.Host // the server may derive the gateway's address from it
	}
	if q.callback {
		defer time.AfterFunc(slowCallback, func() { r.slowSince.Store(time.Now().UnixNano()) }).Stop()
	}
	req.Header.Set("User-Agent", userAgent)
	if body != nil {
		req.Header.Set("Content-Type", kind)
	}
	if !q.anonymous {
		req.Header.Set("Authorization", "Bot "+r.token)
	}
	if q.reason != "" {
		req.Header.Set("X-Audit-Log-Reason", q.reason)
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
		err := newAPIError(q, resp.StatusCode, answer)
		if err.Code == 0 && err.Message == "" {
			err.Detail = r.start(q, answer)
		}
		return err
	}
	if result != nil && len(answer) > 0 {
		if err := json.Unmarshal(answer, result); err != nil {
			return &APIError{Request: q.name, Status: resp.StatusCode, Detail: r.start(q, answer), unreadable: err}
		}
	}
	return nil
}

// start returns the beginning of an answer that is not in Discord's form, so that an error can quote it. It returns nothing if the URL
// holds a token, because the answer might repeat the URL.
func (r *Client) start(q request, answer []byte) string {
	if q.anonymous {
		return ""
	}
	shown := strings.Join(strings.Fields(r.Redact(string(answer))), " ")
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
	_ = json.Unmarshal(body, &told) // a proxy's page has no code, so the code stays zero
	detail := string(told.Errors)
	if len(detail) > maxDetail {
		detail = detail[:maxDetail] + "..."
	}
	return &APIError{
		Request: q.name, Status: status, Code: told.Code, Message: told.Message, Detail: detail, callback: q.callback,
	}
}

// statusOf returns the HTTP status of an *APIError, or 0 for any other error.
func statusOf(err error) int {
	if api, is := errors.AsType[*APIError](err); is {
		return api.Status
	}
	return 0
}

// withoutURL removes the URL, which may hold a token, from an error of net/http.
func withoutURL(err error) error {
	if wrapped, is := errors.AsType[*url.Error](err); is {
		return wrapped.Err
	}
	return err
}
