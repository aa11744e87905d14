package discordsim

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"tictactoe/internal/discordsim/check"
)

// maxBody is the largest request body that is read, in bytes.
const maxBody = 25 << 20

// call is one REST request, read and authorised.
type call struct {
	*http.Request
	// App is the id of the calling application; empty without a bot token.
	App string
	// caller is the application that seems to call, authorised or not.
	caller string
	// Body is the JSON of the request, be it sent plainly or as payload_json.
	Body []byte
}

// decode reads the body, which a check has found to be JSON.
func (c *call) decode(into any) error {
	if len(c.Body) == 0 {
		return nil
	}
	if err := json.Unmarshal(c.Body, into); err != nil {
		return errInvalidJSON
	}
	return nil
}

// answer is the status and, unless nil, the JSON body of a REST answer.
type answer struct {
	status int
	body   any
}

var noContent = answer{status: http.StatusNoContent}

func ok(body any) answer { return answer{http.StatusOK, body} }

// route is one REST route. Its pattern is relative to the API's root.
type route struct {
	pattern string // method, space, path
	serve   func(*Sim, *call) (answer, error)
	open    bool   // needs no bot token
	limit   budget // zero: not limited
}

// restRoutes is the whole REST API.
func restRoutes() []route {
	var all []route
	for _, some := range [][]route{identityRoutes, guildRoutes, commandRoutes, messageRoutes, interactionRoutes, endpointRoutes} {
		all = append(all, some...)
	}
	return all
}

// routes builds the handler of everything that the simulator serves.
func (s *Sim) routes() http.Handler {
	api := http.NewServeMux()
	for _, r := range restRoutes() {
		api.Handle(r.pattern, s.serveREST(r))
	}
	rest := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := api.Handler(r); pattern == "" {
			began, c := time.Now(), &call{Request: r}
			c.Body, _ = readBody(w, r) // for the transcript; there is no route to refuse it
			s.hear(c)
			s.finish(w, r, c, "", began, answer{}, errNoRoute)
			return
		}
		api.ServeHTTP(w, r)
	})
	mux := http.NewServeMux()
	for _, root := range [...]string{"/api/v9", "/api/v10", "/api"} {
		mux.Handle(root+"/", http.StripPrefix(root, rest))
	}
	for _, path := range [...]string{"/ws", "/ws/{$}", "/ws/resume", "/ws/resume/{$}"} {
		mux.HandleFunc(path, s.serveGateway)
	}
	s.driveRoutes(mux)
	return mux
}

// serveREST is the handler of one route: faults, authorisation, rate limit, the
// route itself, and the record of it all.
func (s *Sim) serveREST(r route) http.Handler {
	_, template, _ := strings.Cut(r.pattern, " ")
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		began := time.Now()
		c := &call{Request: req}
		var err error
		c.Body, err = readBody(w, req)
		s.hear(c)
		if err == nil {
			err = s.misbehave(c)
		}
		if err == nil {
			err = s.authorise(c, r.open)
		}
		if err == nil && r.limit.requests > 0 {
			key := req.Method + " " + r.limit.key(template, c)
			used := s.limiter.take(key, r.limit)
			used.header(w.Header())
			err = used.refused()
		}
		var a answer
		if err == nil {
			a, err = r.serve(s, c)
		}
		if template == callbackTemplate {
			s.delayAnswer(c)
		}
		s.finish(w, req, c, template, began, a, err)
	})
}

// finish sends the answer or the refusal, and records it.
func (s *Sim) finish(w http.ResponseWriter, req *http.Request, c *call, template string, began time.Time, a answer, err error) {
	if err != nil {
		a = refusalAnswer(err)
		if a.status == http.StatusInternalServerError {
			s.config.Logger.Error("REST request failed", "method", req.Method, "route", template, "error", err)
		}
	}
	var limited *limitedError
	if errors.As(err, &limited) {
		limited.header(w.Header())
	}
	var text []byte
	kind := "application/json"
	if page, isPage := a.body.(page); isPage {
		text, kind = []byte(page), "text/html; charset=UTF-8"
	} else if a.body != nil {
		var err error
		if text, err = json.Marshal(a.body); err != nil {
			s.config.Logger.Error("REST answer not written", "route", template, "error", err)
			a.status, text = http.StatusInternalServerError, nil
		}
	}
	s.record(req, c, template, began, a.status, text)
	s.say(c, template, began, a.status, text)
	if text != nil {
		w.Header().Set("Content-Type", kind)
	}
	w.WriteHeader(a.status)
	w.Write(text) // whoever hung up needs no answer
}

// refusalAnswer words an error as Discord does.
func refusalAnswer(err error) answer {
	var refused *check.Error
	if errors.As(err, &refused) {
		return answer{refused.Status, refused}
	}
	var limited *limitedError
	if errors.As(err, &limited) {
		return answer{http.StatusTooManyRequests, limited.body()}
	}
	return answer{http.StatusInternalServerError, refusal(http.StatusInternalServerError, 0, "500: Internal Server Error")}
}

// authorise finds the calling application by the bot token and creates it if it
// is new. Routes that are open take no notice of the header.
func (s *Sim) authorise(c *call, open bool) error {
	if open {
		return nil
	}
	token, isBot := strings.CutPrefix(c.Header.Get("Authorization"), "Bot ")
	id, valid := applicationOf(token)
	if !isBot || !valid || s.isRevoked(token) {
		return errUnauthorized
	}
	c.App = id
	return s.locked(func() error {
		s.enrol(id)
		return nil
	})
}

// readBody returns the JSON of a request: its body, or the part payload_json of
// a form. Files are read and dropped.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	limited := http.MaxBytesReader(w, r.Body, maxBody)
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		text, err := io.ReadAll(limited)
		if err != nil {
			return nil, errInvalidJSON
		}
		return bytes.TrimSpace(text), nil
	}
	form := multipart.NewReader(limited, params["boundary"])
	for {
		part, err := form.NextPart()
		if err != nil {
			return nil, errInvalidJSON
		}
		if part.FormName() != "payload_json" {
			continue
		}
		text, err := io.ReadAll(part)
		if err != nil {
			return nil, errInvalidJSON
		}
		if _, err := io.Copy(io.Discard, limited); err != nil {
			return nil, errInvalidJSON
		}
		return bytes.TrimSpace(text), nil
	}
}
