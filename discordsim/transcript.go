package discordsim

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Where something was said, and by whom.
const (
	overGateway = "gateway"
	overREST    = "rest"
	overHTTP    = "http" // by the simulator, to an interactions endpoint
	byBot       = "bot"
	bySim       = "sim"
)

const (
	// transcriptBytes and transcriptLines bound what a transcript holds; the
	// newest is kept.
	transcriptBytes = 32 << 20
	transcriptLines = 100_000
	// saidCost is about what a line takes beside its body, in bytes.
	saidCost = 256
	// hiddenTokens bounds how many bot tokens are looked for.
	hiddenTokens = 256
)

// said is a message from one side to the other. Its body is only analysed when
// somebody asks for the transcript.
type said struct {
	at           time.Time // by the clock
	kind, by     string
	application  string
	method, path string
	status       int // of an answer, or the close code
	took         time.Duration
	lacks        string // what was asked for and is not simulated
	interaction  string
	message      string
	body         []byte // a gateway's whole frame; else what was sent
}

// transcript keeps what both sides said. Tokens are in it, and are removed when it is
// written. It has a lock of its own and takes no other.
type transcript struct {
	clock *Clock

	mu     sync.Mutex
	lines  []said // the oldest first
	size   int
	tokens map[string]bool // of bots, without "Bot "
}

func newTranscript() *transcript { return &transcript{tokens: map[string]bool{}} }

func (t *transcript) add(s said) {
	s.at = t.clock.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, s)
	t.size += len(s.body) + saidCost
	for t.size > transcriptBytes || len(t.lines) > transcriptLines {
		t.size -= len(t.lines[0].body) + saidCost
		t.lines[0] = said{} // its body can go
		t.lines = t.lines[1:]
	}
}

// hide makes sure that a bot's token is removed wherever it appears.
func (t *transcript) hide(token string) {
	token = bare(token)
	if len(token) < 8 {
		return // too short to tell from other text; where a token belongs it is taken out anyway
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.tokens) < hiddenTokens {
		t.tokens[token] = true
	}
}

// Line is one line of a transcript.
type Line struct {
	At          string          `json:"at"`        // by the simulator's clock, RFC 3339
	Kind        string          `json:"kind"`      // gateway, rest or http
	Direction   string          `json:"direction"` // who said it: bot or sim
	Application string          `json:"application,omitempty"`
	Op          *int            `json:"op,omitempty"`
	T           string          `json:"t,omitempty"`
	S           *int64          `json:"s,omitempty"`
	Method      string          `json:"method,omitempty"`
	Path        string          `json:"path,omitempty"`
	Status      int             `json:"status,omitempty"`        // HTTP's, or the close code
	Took        *int64          `json:"ms,omitempty"`            // of an answer, in real time
	Absent      string          `json:"not_simulated,omitempty"` // what was asked for and is not there
	Interaction string          `json:"interaction,omitempty"`
	Message     string          `json:"message,omitempty"`
	Body        json.RawMessage `json:"body,omitempty"` // as a string if it is no JSON
}

// TranscriptFilter says which lines of a transcript are wanted. The zero value
// wants all.
type TranscriptFilter struct {
	Interaction string // of one interaction
	Message     string // of one message and the interactions that made or used it
	Last        int    // the newest so many; all when zero
}

// WriteTranscript writes what both sides said so far as JSON lines, the oldest
// first, with "[token]" in place of every bot's and interaction's token. About
// 32 MiB of the newest are kept.
func (s *Sim) WriteTranscript(w io.Writer, filter TranscriptFilter) error {
	t := s.transcript
	t.mu.Lock()
	all := t.lines
	if filter.Interaction == "" && filter.Message == "" && filter.Last > 0 {
		all = all[max(0, len(all)-filter.Last):] // the others need not even be read
	}
	all = slices.Clone(all)
	var secrets []string
	for token := range t.tokens {
		secrets = append(secrets, token, tokenHidden)
	}
	t.mu.Unlock()
	known := strings.NewReplacer(secrets...)
	lines := make([]Line, len(all))
	for i, s := range all {
		lines[i] = s.line()
	}
	out := bufio.NewWriter(w)
	for _, l := range filter.choose(lines) {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(l); err != nil {
			panic(fmt.Sprintf("discordsim: a line of the transcript cannot be written: %v", err)) // its body is JSON
		}
		redacted := known.Replace(text.String())
		for _, shape := range tokenShapes {
			redacted = shape.ReplaceAllString(redacted, "${1}"+tokenHidden)
		}
		if _, err := out.WriteString(redacted); err != nil {
			return err
		}
	}
	return out.Flush()
}

const tokenHidden = "[token]"

// tokenShapes are tokens by where they stand or how they look. Those of
// interactions begin with the base64 of "interaction:", those of webhooks with
// that of "webhook", those of bots with that of a number.
var tokenShapes = []*regexp.Regexp{
	regexp.MustCompile(`("token"\s*:\s*")(?:[^"\\]|\\.)*`),
	regexp.MustCompile(`()aW50ZXJhY3Rpb246[\w-]*`),
	regexp.MustCompile(`()d2ViaG9vaz[\w-]{20,}`),
	regexp.MustCompile(`()\b[MNO][A-Za-z0-9+/]{15,}={0,2}\.[\w.-]+`),
}

// line reads what s tells.
func (s said) line() Line {
	l := Line{
		At: s.at.Format(transcriptTime), Kind: s.kind, Direction: s.by, Application: s.application,
		Method: s.method, Path: s.path, Status: s.status, Absent: s.lacks, Interaction: s.interaction, Message: s.message,
	}
	if s.status != 0 && s.method != "" {
		ms := s.took.Milliseconds()
		l.Took = &ms
	}
	body := s.body
	if s.kind == overGateway && json.Valid(body) {
		var frame struct {
			Op *int            `json:"op"`
			T  *string         `json:"t"`
			S  *int64          `json:"s"`
			D  json.RawMessage `json:"d"`
		}
		if json.Unmarshal(body, &frame) == nil {
			l.Op, l.S, body = frame.Op, frame.S, frame.D
			if frame.T != nil {
				l.T = *frame.T
			}
		}
	}
	switch {
	case len(body) == 0:
	case json.Valid(body):
		l.Body = body
		l.concern(body)
	default:
		l.Body, _ = json.Marshal(string(body))
	}
	return l
}

const transcriptTime = "2006-01-02T15:04:05.000Z07:00"

// concern sets the interaction and the message that a body is about, unless they are
// already known.
func (l *Line) concern(body []byte) {
	type object struct {
		ID string `json:"id"`
	}
	var about struct {
		ID       string  `json:"id"`
		Author   *object `json:"author"`
		Message  object  `json:"message"`
		Metadata object  `json:"interaction_metadata"`
		Resource struct {
			Message object `json:"message"`
		} `json:"resource"`
	}
	if json.Unmarshal(body, &about) != nil {
		return // of another shape, so it is about neither
	}
	switch {
	case l.T == "INTERACTION_CREATE", l.Kind == overHTTP && l.Direction == bySim:
		l.Interaction, l.Message = about.ID, about.Message.ID
	case about.Author != nil, l.T == "MESSAGE_DELETE":
		l.Message = about.ID
		if l.Interaction == "" {
			l.Interaction = about.Metadata.ID
		}
	case about.Resource.Message.ID != "":
		l.Message = about.Resource.Message.ID
	}
}

// choose returns the lines that are wanted.
func (f TranscriptFilter) choose(lines []Line) []Line {
	with := map[string]bool{} // the interactions that had to do with the message
	for _, l := range lines {
		if f.Message != "" && l.Message == f.Message && l.Interaction != "" {
			with[l.Interaction] = true
		}
	}
	lines = slices.DeleteFunc(lines, func(l Line) bool {
		return f.Interaction != "" && l.Interaction != f.Interaction ||
			f.Message != "" && l.Message != f.Message && !with[l.Interaction]
	})
	if f.Last > 0 {
		lines = lines[max(0, len(lines)-f.Last):]
	}
	return lines
}

// noteRequest notes a REST request.
func (s *Sim) noteRequest(c *call) {
	c.caller = s.callerOf(c)
	s.transcript.hide(c.Header.Get("Authorization"))
	s.transcript.add(s.newSaid(c, byBot, c.Body))
}

// noteAnswer notes the answer to a REST request.
func (s *Sim) noteAnswer(c *call, template string, began time.Time, status int, body []byte) {
	line := s.newSaid(c, bySim, body)
	line.status, line.took, line.lacks = status, time.Since(began), c.lacks
	if c.PathValue("message") == "@original" || template == callbackTemplate {
		s.mu.Lock()
		if g := s.state.grants[line.interaction]; g != nil {
			line.message = g.Original
		}
		s.mu.Unlock()
	}
	s.transcript.add(line)
}

func (s *Sim) newSaid(c *call, by string, body []byte) said {
	line := said{kind: overREST, by: by, application: c.caller, method: c.Method, path: c.URL.RequestURI(), body: body}
	if line.interaction = c.PathValue("interaction"); line.interaction == "" {
		line.interaction = tokenInteraction(c.PathValue("token"))
	}
	if line.message = c.PathValue("message"); line.message == "@original" {
		line.message = ""
	}
	return line
}

// serveTranscript handles GET /sim/transcript.
func (s *Sim) serveTranscript(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	filter := TranscriptFilter{Interaction: query.Get("interaction"), Message: query.Get("message")}
	if last := query.Get("last"); last != "" {
		n, err := strconv.Atoi(last)
		if err != nil || n < 1 {
			writeDriven(w, nil, errors.New("last is a number of lines, from 1"))
			return
		}
		filter.Last = n
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Content-Disposition", `attachment; filename="transcript.jsonl"`)
	w.Header().Set("Cache-Control", "no-store")
	s.WriteTranscript(w, filter) // whoever hung up needs no transcript
}
