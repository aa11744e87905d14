// Package rest serves Discord's REST API, its files and its rate limits, and calls the interactions endpoints of
// applications. A route's handler is a function of the call, in the file of its subject.
package rest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/faults"
	"tictactoe/discordsim/transcript"
	"tictactoe/discordsim/world"
)

// maxBody is the largest request body that is read, in bytes.
const maxBody = 25 << 20

// call is one REST request.
type call struct {
	*http.Request
	api *API
	w   *world.World
	// App is the id of the calling application; empty without a bot token.
	App string
	// caller is the application that appears to make the call, whether or not it is authorised.
	caller string
	// lacks is the unsimulated feature that the call requested.
	lacks string
	// Body is the JSON of the request, sent either as the body or as payload_json.
	Body []byte
	// Files are the files uploaded in a form.
	Files []world.Upload
}

// message reads the body as a message body.
func (c *call) message() (messageBody, error) { return readMessage(c.Body, c.Files, "") }

// passes returns the refusal of a body, or nil. It ignores the refusal of an empty message if the request has a file.
func (c *call) passes(refused *check.Error) error {
	if refused == nil || refused.Code == check.ErrEmptyMessage.Code && len(c.Files) > 0 {
		return nil
	}
	return refused
}

// decode decodes the body, which was already found to be valid JSON.
func (c *call) decode(into any) error {
	if len(c.Body) == 0 {
		return nil
	}
	if err := json.Unmarshal(c.Body, into); err != nil {
		return check.ErrInvalidJSON
	}
	return nil
}

// answer is the status and, unless nil, the body of a REST response: a page, or a
// value that is encoded as JSON.
type answer struct {
	status int
	body   any
}

var noContent = answer{status: http.StatusNoContent}

func ok(body any) answer { return answer{http.StatusOK, body} }

// route is one REST route. Its pattern is relative to the API's root.
type route struct {
	pattern string // method, space, path
	serve   func(*call) (answer, error)
	general string // the pattern for the ServeMux if pattern conflicts with another route; otherwise empty
	open    bool   // open routes need no bot token
	limit   budget // zero: not limited
}

// restRoutes returns the whole REST API.
func restRoutes() []route {
	return slices.Concat(identityRoutes, guildRoutes, commandRoutes, messageRoutes, interactionRoutes, endpointRoutes, emojiRoutes,
		reactionRoutes, pinRoutes, threadRoutes, webhookRoutes, roleRoutes, memberRoutes, activityRoutes, pollRoutes)
}

// Config configures the REST API.
type Config struct {
	// UserAgents refuses requests without a User-Agent (40333).
	UserAgents bool
	// Client calls the interactions endpoints of applications; a plain client when nil.
	Client *http.Client
	// Record is called with every exchange before the response is sent; may be nil.
	Record func(Exchange)
}

// API serves Discord's REST API and calls the interactions endpoints of applications.
type API struct {
	w          *world.World
	faults     *faults.Table
	transcript *transcript.Transcript
	checker    *check.Checker
	config     Config
	client     *http.Client // calls endpoints
	limiter    *limiter
	recording  sync.Mutex // orders config.Record

	// The world's lock guards the fields below.
	calls    map[string]int // by application: the number of calls to its endpoint
	oldEdits oldEdits
}

// New returns the API of a world. The API also delivers the world's interactions to endpoints.
func New(w *world.World, faults *faults.Table, transcript *transcript.Transcript, checker *check.Checker, config Config) *API {
	api := &API{
		w: w, faults: faults, transcript: transcript, checker: checker, config: config,
		client: endpointClient(config.Client), limiter: newLimiter(), calls: map[string]int{}, oldEdits: oldEdits{},
	}
	faults.Endpoint = api.callEndpoint
	return api
}

// AddRoutes adds the API's routes, and the routes of the files that it refers to.
func (api *API) AddRoutes(mux *http.ServeMux) {
	routes, discord := http.NewServeMux(), newCatalogue(restRoutes())
	for _, r := range restRoutes() {
		routes.Handle(cmp.Or(r.general, r.pattern), api.serveREST(r))
	}
	rest := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := api.admit(routes, discord, r); err != nil {
			began, c := time.Now(), &call{Request: r, api: api, w: api.w}
			c.Body, _, _ = readBody(w, r) // the transcript shows the body, although the request is refused
			api.noteRequest(c)
			api.finish(w, r, c, "", began, answer{}, err)
			return
		}
		routes.ServeHTTP(w, r)
	})
	for _, root := range [...]string{"/api/v9", "/api/v10", "/api"} {
		mux.Handle(root+"/", http.StripPrefix(root, rest))
	}
	api.cdnRoutes(mux)
}

// admit returns the error for a request that is refused before it reaches a route, or nil.
func (api *API) admit(mux *http.ServeMux, discord catalogue, r *http.Request) error {
	api.w.NoteOrigin(r)
	if left := api.limiter.banned(address(r)); left > 0 && !api.w.Unlimited() {
		return &limitedError{after: left, kind: faults.LimitHTML}
	}
	if api.config.UserAgents && r.UserAgent() == "" {
		return check.ErrUserAgent
	}
	if pattern, is := discord.absent(r); is {
		return &absentError{pattern}
	}
	if _, pattern := mux.Handler(r); pattern != "" {
		return nil
	}
	if otherVersion.MatchString(r.URL.Path) {
		return check.ErrVersion
	}
	for _, method := range [...]string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
		other := *r
		other.Method = method
		if _, pattern := mux.Handler(&other); pattern != "" || discord.find(method, r.URL.Path) != "" {
			return check.ErrMethod
		}
	}
	return check.ErrNoRoute
}

// otherVersion matches the paths of API versions that are not served here.
var otherVersion = regexp.MustCompile(`^/v\d+(/|$)`)

// serveREST returns the handler of one route. It applies faults, authorisation
// and rate limits, calls the route's function and records the exchange.
func (api *API) serveREST(r route) http.Handler {
	_, template, _ := strings.Cut(r.pattern, " ")
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		began := time.Now()
		c := &call{Request: req, api: api, w: api.w}
		var err error
		c.Body, c.Files, err = readBody(w, req)
		api.noteRequest(c)
		if err == nil {
			err = api.misbehave(c)
		}
		if err == nil {
			err = api.authorise(c, r.open)
		}
		if err == nil {
			err = api.limit(w.Header(), r, c)
		}
		if err == nil {
			err = c.wellFormed(template)
		}
		if err == nil {
			err = c.checkContentType()
		}
		var a answer
		if err == nil {
			a, err = r.serve(c)
		}
		if template == callbackTemplate {
			api.delayAnswer(c)
		}
		api.finish(w, req, c, template, began, a, err)
	})
}

// finish sends the answer or the error, and records it.
func (api *API) finish(w http.ResponseWriter, req *http.Request, c *call, template string, began time.Time, a answer, err error) {
	if err != nil {
		a = refusalAnswer(err)
		if a.status == http.StatusInternalServerError {
			api.w.Config.Logger.Error("REST request failed", "method", req.Method, "route", template, "error", err)
		}
	}
	if limited, is := errors.AsType[*limitedError](err); is {
		limited.header(w.Header())
	}
	if absent, is := errors.AsType[*absentError](err); is {
		c.lacks = absent.feature
		api.w.NoteAbsence(c.caller, absent.feature)
	}
	var text []byte
	kind := "application/json"
	if page, isPage := a.body.(page); isPage {
		text, kind = []byte(page), "text/html; charset=UTF-8"
	} else if a.body != nil {
		var err error
		if text, err = json.Marshal(a.body); err != nil {
			api.w.Config.Logger.Error("REST response could not be encoded", "route", template, "error", err)
			a.status, text = http.StatusInternalServerError, nil
		}
	}
	if !api.w.Unlimited() {
		api.limiter.countInvalid(address(req), a.status, w.Header())
	}
	told := text
	if kind != "application/json" {
		told = nil // the record holds only JSON
	}
	api.record(req, c, template, began, a.status, told)
	api.noteAnswer(c, template, began, a.status, text)
	if text != nil {
		w.Header().Set("Content-Type", kind)
	}
	w.WriteHeader(a.status)
	w.Write(text) // fails only if the client has disconnected
}

// refusalAnswer returns the answer for an error, in Discord's wording.
func refusalAnswer(err error) answer {
	if refused, is := errors.AsType[*check.Error](err); is {
		return answer{refused.Status, refused}
	}
	if limited, is := errors.AsType[*limitedError](err); is {
		return answer{http.StatusTooManyRequests, limited.body()}
	}
	if absent, is := errors.AsType[*absentError](err); is {
		return absent.answer()
	}
	return answer{http.StatusInternalServerError, check.Refusal(http.StatusInternalServerError, 0, "500: Internal Server Error")}
}

// wellFormed returns an error if an id in the path is not a snowflake.
func (c *call) wellFormed(template string) error {
	for _, part := range strings.Split(template, "/") {
		name := strings.Trim(part, "{}")
		if name == part || name == "token" || name == "reaction" || name == "instance" {
			continue
		}
		id := c.PathValue(name)
		if world.IsSnowflake(id) || name == "message" && id == "@original" {
			continue
		}
		field := name + "_id"
		switch {
		case strings.HasPrefix(template, "/webhooks/") && name == "app":
			field = "webhook_id"
		case name == "app":
			field = "application_id"
		}
		return check.NotSnowflake(field, id)
	}
	return nil
}

// authorise finds the calling application by the bot token and creates it if it
// is new. Open routes ignore the header.
func (api *API) authorise(c *call, open bool) error {
	if open {
		return nil
	}
	token, isBot := strings.CutPrefix(c.Header.Get("Authorization"), "Bot ")
	id, valid := world.ApplicationOf(token)
	if !isBot || !valid || api.w.Accounts.IsRevoked(token) {
		return check.ErrUnauthorized
	}
	c.App = id
	return api.w.Locked(func() error {
		api.w.Accounts.Enrol(id)
		return nil
	})
}

// readBody returns the JSON and the files of a request. The JSON of a form is its
// field payload_json or, without that field, an object of its other fields.
func readBody(w http.ResponseWriter, r *http.Request) (body []byte, files []world.Upload, err error) {
	limited := http.MaxBytesReader(w, r.Body, maxBody)
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind == "multipart/form-data" {
		return readForm(multipart.NewReader(limited, params["boundary"]))
	}
	text, err := io.ReadAll(limited)
	if err == nil && kind == "application/x-www-form-urlencoded" {
		fields, err := url.ParseQuery(string(text))
		return formJSON(fields), nil, unreadable(err)
	}
	return bytes.TrimSpace(text), nil, unreadable(err)
}

// checkContentType returns an error if Discord does not read the content type of the body.
func (c *call) checkContentType() error {
	if len(c.Body) == 0 || c.Method == http.MethodGet || c.Method == http.MethodDelete {
		return nil
	}
	kind, _, _ := mime.ParseMediaType(c.Header.Get("Content-Type"))
	switch kind {
	case "application/json", "application/x-www-form-urlencoded", "multipart/form-data":
		return nil
	}
	return check.ErrContentType
}

// unreadable returns the refusal of a body that is truncated or too long.
func unreadable(err error) error {
	if err == nil {
		return nil
	}
	if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
		return check.ErrTooLarge
	}
	return check.ErrInvalidJSON
}
