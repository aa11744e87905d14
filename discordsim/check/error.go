package check

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Discord's error codes that depend on the body alone.
const (
	codeEmptyMessage    = 50006
	codeInvalidForm     = 50035
	codeInvalidJSON     = 50109
	codeTooManyCommands = 30032
	codeVoiceContent    = 50159
	codeVoiceFile       = 50160
	codeVoiceMetadata   = 50161
)

// Error is an error in Discord's wording. It marshals to the body of Discord's error response.
type Error struct {
	// Status is the HTTP status, which is 400 for every error in a body.
	Status int
	// Code is Discord's JSON error code, such as 50035 for an invalid form body.
	Code int
	// Message is Discord's message for the code.
	Message string
	// Errors has the nested errors by member name and list index. The errors of one place are its list "_errors" of objects with
	// "code" and "message". Errors is nil if the code is the whole error.
	Errors map[string]any
}

// InvalidForm returns an error at one place of a body, for a rule that depends on more than the body. The path consists of member
// names and list indices; without a path, the error is about the body itself.
func InvalidForm(code, message string, path ...string) *Error {
	r := &report{}
	r.add(path, fault{Code: code, Message: message})
	return r.err()
}

// Error lists the message and every nested error, in a stable order, for logs and test failures.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d: %s", e.Code, e.Message)
	describe(&b, "", e.Errors)
	return b.String()
}

// describe appends the errors at and below a path.
func describe(b *strings.Builder, path string, node map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(node)) {
		switch below := node[key].(type) {
		case []fault:
			for _, f := range below {
				fmt.Fprintf(b, "; %s[%s]: %s", path, f.Code, f.Message)
			}
		case map[string]any:
			name := key
			if path != "" {
				name = path + "." + key
			}
			describe(b, name, below)
		}
	}
}

// MarshalJSON returns Discord's error body.
func (e *Error) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Message string         `json:"message"`
		Code    int            `json:"code"`
		Errors  map[string]any `json:"errors,omitempty"`
	}{e.Message, e.Code, e.Errors})
}

// faultsKey is the member with the errors of a whole value. The other members have the errors of the value's parts.
const faultsKey = "_errors"

// fault is one entry of a list "_errors".
type fault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// report collects the errors in one body.
type report struct {
	root map[string]any
	// instead, if set, is the error for a body without nested errors: an error with a specific code of Discord.
	instead *Error
	// known, unless nil, collects the members that rules read, by the path of their object.
	known map[string]map[string]bool
}

// know records that a rule has read a member of the object at a place.
func (r *report) know(at *place, key string) {
	if r == nil || r.known == nil {
		return
	}
	holder := strings.Join(at.path(), ".")
	if r.known[holder] == nil {
		r.known[holder] = map[string]bool{}
	}
	r.known[holder][key] = true
}

// add records a fault at a path.
func (r *report) add(path []string, f fault) {
	if r.root == nil {
		r.root = map[string]any{}
	}
	node := r.root
	for _, key := range path {
		below, ok := node[key].(map[string]any)
		if !ok {
			below = map[string]any{}
			node[key] = below
		}
		node = below
	}
	faults, _ := node[faultsKey].([]fault)
	node[faultsKey] = append(faults, f)
}

// err returns the error for the body, or nil if there is none.
func (r *report) err() *Error {
	if r.root != nil {
		return &Error{Status: http.StatusBadRequest, Code: codeInvalidForm, Message: "Invalid Form Body", Errors: r.root}
	}
	return r.instead
}

func emptyMessage() *Error {
	return badRequest(codeEmptyMessage, "Cannot send an empty message")
}

// badRequest returns an error that consists only of a code and a message.
func badRequest(code int, message string) *Error {
	return &Error{Status: http.StatusBadRequest, Code: code, Message: message}
}

// TooManyCommands returns the error for more commands of one type than an application may have.
func TooManyCommands(limit int) *Error {
	return badRequest(codeTooManyCommands, fmt.Sprintf("Maximum number of application commands reached (%d)", limit))
}

func invalidJSON() *Error {
	return badRequest(codeInvalidJSON, "The request body contains invalid JSON.")
}
