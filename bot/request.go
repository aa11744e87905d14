package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
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
)

const userAgent = "DiscordBot (https://github.com/bwmarrin/discordgo, v" + discordgo.VERSION + ")"

// request is one call of the REST API.
type request struct {
	name        string // for errors and logs; holds no token, unlike the URL
	method, url string
	body        any    // encoded as JSON; nil for none
	files       []File // sent beside the body, as a form
	bucket      string // requests of one bucket share a rate limit; empty: no waiting for one
	anonymous   bool   // the URL holds the credential. Discord would count the bot's token against its global limit
	callback    bool   // an interaction callback, whose refusals mean something else
	patient     bool   // wait for rate limits and try again, within the context
}

// do makes the request and decodes the answer into into, unless that is nil.
func (r *REST) do(ctx context.Context, q request, into any) error {
	var body []byte
	if q.body != nil {
		var err error
		if body, err = json.Marshal(q.body); err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
	}
	kind := "application/json"
	if len(q.files) > 0 {
		body, kind = form(body, q.files)
	}
	for attempt := 1; ; attempt++ {
		if err := r.limits.wait(ctx, q); err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
		err := r.once(ctx, q, body, kind, into)
		if err == nil || !q.patient || attempt == maxAttempts || ctx.Err() != nil {
			return err
		}
		switch status := statusOf(err); {
		case status == http.StatusTooManyRequests: // the slot knows for how long
		case status >= 500 && q.method != http.MethodPost: // a post may have been done all the same
			if pause(ctx, backoff(attempt)) != nil {
				return err
			}
		default:
			return err
		}
	}
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
	req.Header.Set("User-Agent", userAgent)
	if body != nil {
		req.Header.Set("Content-Type", kind)
	}
	if !q.anonymous {
		req.Header.Set("Authorization", r.authority)
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
	r.limits.learn(q, resp, answer)
	if resp.StatusCode >= 300 {
		return newAPIError(q, resp.StatusCode, answer)
	}
	if into != nil && len(answer) > 0 {
		if err := json.Unmarshal(answer, into); err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
	}
	return nil
}

// wait returns when the request may be made, or ErrRateLimited if that is not within ctx.
func (l *limits) wait(ctx context.Context, q request) error {
	if q.callback {
		return nil // callbacks have no limit that waiting would help with
	}
	if q.bucket != "" {
		if err := l.slot(q.bucket).wait(ctx); err != nil {
			return err
		}
	}
	if q.anonymous {
		return nil
	}
	if err := l.global.wait(ctx); err != nil {
		return err
	}
	if err := l.preventive.Wait(ctx); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return ErrRateLimited
	}
	return nil
}

// learn takes what the answer says about waiting.
func (l *limits) learn(q request, resp *http.Response, body []byte) {
	if resp.StatusCode == http.StatusTooManyRequests {
		after, global := retryAfter(resp, body)
		switch {
		case global && !q.anonymous:
			l.global.hold(after)
		case q.bucket != "":
			l.slot(q.bucket).hold(after)
		}
		return
	}
	if q.bucket == "" || resp.Header.Get("X-RateLimit-Remaining") != "0" {
		return
	}
	if seconds, err := strconv.ParseFloat(resp.Header.Get("X-RateLimit-Reset-After"), 64); err == nil {
		l.slot(q.bucket).hold(time.Duration(seconds * float64(time.Second)))
	}
}

func (l *limits) slot(bucket string) *slot {
	sum := fnv.New64a()
	io.WriteString(sum, bucket) // a hash never fails
	return &l.slots[sum.Sum64()%uint64(len(l.slots))]
}

// retryAfter reads an answer of status 429. One that is not JSON comes from the wall before the API and concerns everything.
func retryAfter(resp *http.Response, body []byte) (after time.Duration, global bool) {
	var told struct {
		RetryAfter float64 `json:"retry_after"`
		Global     bool    `json:"global"`
	}
	if json.Unmarshal(body, &told) == nil && told.RetryAfter > 0 {
		return time.Duration(told.RetryAfter * float64(time.Second)), told.Global || resp.Header.Get("X-RateLimit-Global") == "true"
	}
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second, true
	}
	return time.Minute, true
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
	var api *APIError
	if errors.As(err, &api) {
		return api.Status
	}
	return 0
}

// withoutURL drops the address from an error of net/http, as it may hold a token.
func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}
