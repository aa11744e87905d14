// Package transcript records what bots and the simulator send each other.
package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"tictactoe/discordsim/world"
)

// The transports and the senders of a transcript's lines.
const (
	OverGateway = "gateway"
	OverREST    = "rest"
	OverHTTP    = "http" // by the simulator, to an interactions endpoint
	ByBot       = "bot"
	BySim       = "sim"
)

const (
	// transcriptBytes and transcriptLines limit the size of a transcript; the
	// newest lines are kept.
	transcriptBytes = 32 << 20
	transcriptLines = 100_000
	// entryCost is the approximate memory of an entry without its body, in bytes.
	entryCost = 256
	// hiddenTokens is the maximum number of bot tokens that are searched for.
	hiddenTokens = 256
)

// Entry is a message from one side to the other. Its body is analysed only when
// the transcript is read.
type Entry struct {
	at           time.Time // when it was sent, by the simulator's clock
	Kind, By     string
	Application  string
	Method, Path string
	Status       int // HTTP status of an answer, or the close code
	Took         time.Duration
	Absent       string // the unsimulated feature that was requested
	Interaction  string
	Message      string
	Body         []byte // a whole gateway frame, or the body sent
}

// Transcript keeps the messages that bots and the simulator sent. They contain tokens, which are removed when the
// transcript is written. It has its own lock; while holding it, it takes only the clock's lock.
type Transcript struct {
	clock *world.Clock

	mu     sync.Mutex
	lines  []Entry   // the oldest first
	last   time.Time // when the newest line was added, in real time
	size   int
	tokens map[string]bool // the tokens of bots, without the prefix "Bot "
}

// New returns an empty transcript whose entries are dated by a clock.
func New(clock *world.Clock) *Transcript {
	return &Transcript{clock: clock, tokens: map[string]bool{}}
}

// Add appends an entry, with the current date.
func (t *Transcript) Add(s Entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s.at = t.clock.Now() // with the lock held, so that the lines are in order of time
	t.last = time.Now()
	t.lines = append(t.lines, s)
	t.size += len(s.Body) + entryCost
	for t.size > transcriptBytes || len(t.lines) > transcriptLines {
		t.size -= len(t.lines[0].Body) + entryCost
		t.lines[0] = Entry{} // releases its body
		t.lines = t.lines[1:]
	}
}

// Clear removes all entries.
func (t *Transcript) Clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines, t.size = nil, 0
}

// Silence returns the time since the newest entry, in real time.
func (t *Transcript) Silence() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Since(t.last)
}

// Hide removes a bot's token from the transcript wherever the token appears.
func (t *Transcript) Hide(token string) {
	token = world.BareToken(token)
	if len(token) < 8 {
		return // too short to distinguish from other text; the usual places of a token are redacted anyway
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.tokens) < hiddenTokens {
		t.tokens[token] = true
	}
}

// Line is one line of a transcript.
type Line struct {
	At          string          `json:"at"`        // when it was sent, by the simulator's clock, in the form of RFC 3339
	Kind        string          `json:"kind"`      // gateway, rest or http
	Direction   string          `json:"direction"` // the sender: bot or sim
	Application string          `json:"application,omitempty"`
	Op          *int            `json:"op,omitempty"`
	T           string          `json:"t,omitempty"`
	S           *int64          `json:"s,omitempty"`
	Method      string          `json:"method,omitempty"`
	Path        string          `json:"path,omitempty"`
	Status      int             `json:"status,omitempty"`        // HTTP's, or the close code
	Took        *int64          `json:"ms,omitempty"`            // how long an answer took, in real time
	Absent      string          `json:"not_simulated,omitempty"` // the unsimulated feature that was requested
	Interaction string          `json:"interaction,omitempty"`
	Message     string          `json:"message,omitempty"`
	Body        json.RawMessage `json:"body,omitempty"` // a string if it is not JSON
}

// Filter selects lines of a transcript. The zero value selects all lines.
type Filter struct {
	Interaction string // only lines about this interaction
	Message     string // only lines about this message and the interactions that created or used it
	Last        int    // the number of newest lines; all when zero
}

// Write writes the messages of both sides as JSON lines, oldest first, with "[token]"
// instead of every bot's and interaction's token.
func (t *Transcript) Write(w io.Writer, filter Filter) error {
	t.mu.Lock()
	entries := t.lines
	if filter.Interaction == "" && filter.Message == "" && filter.Last > 0 {
		entries = entries[max(0, len(entries)-filter.Last):] // the other lines need not be analysed
	}
	entries = slices.Clone(entries)
	var secrets []string
	for token := range t.tokens {
		secrets = append(secrets, token, tokenHidden)
	}
	t.mu.Unlock()
	known := strings.NewReplacer(secrets...)
	lines := make([]Line, len(entries))
	for i, s := range entries {
		lines[i] = s.line()
	}
	out := bufio.NewWriter(w)
	for _, l := range filter.choose(lines) {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(l); err != nil {
			panic(fmt.Sprintf("discordsim: a line of the transcript cannot be written: %v", err)) // the bodies of lines are JSON
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

// tokenShapes match tokens by their position or their form. Interaction tokens
// begin with the base64 of "interaction:", webhook tokens with the base64 of
// "webhook", and bot tokens with the base64 of a number.
var tokenShapes = []*regexp.Regexp{
	regexp.MustCompile(`("token"\s*:\s*")(?:[^"\\]|\\.)*`),
	regexp.MustCompile(`()aW50ZXJhY3Rpb246[\w-]*`),
	regexp.MustCompile(`()d2ViaG9vaz[\w-]{20,}`),
	regexp.MustCompile(`()\b[MNO][A-Za-z0-9+/]{15,}={0,2}\.[\w.-]+`),
}

// line returns the transcript line for s.
func (s Entry) line() Line {
	l := Line{
		At: s.at.Format(transcriptTime), Kind: s.Kind, Direction: s.By, Application: s.Application,
		Method: s.Method, Path: s.Path, Status: s.Status, Absent: s.Absent, Interaction: s.Interaction, Message: s.Message,
	}
	if s.Status != 0 && s.Method != "" {
		ms := s.Took.Milliseconds()
		l.Took = &ms
	}
	body := s.Body
	if s.Kind == OverGateway && json.Valid(body) {
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

// concern sets the line's interaction and message from a body, unless they are already known.
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
		return // a body of another form names neither
	}
	switch {
	case l.T == "INTERACTION_CREATE", l.Kind == OverHTTP && l.Direction == BySim:
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

// choose returns the lines that the filter selects.
func (f Filter) choose(lines []Line) []Line {
	with := map[string]bool{} // the interactions that created or used the message
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
