// Package control answers the calls under /sim/, with which other programs drive the simulator. docs/simulator.md
// describes them.
package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"

	"tictactoe/discordsim/faults"
	"tictactoe/discordsim/gateway"
	"tictactoe/discordsim/people"
	"tictactoe/discordsim/rest"
	"tictactoe/discordsim/transcript"
	"tictactoe/discordsim/world"
)

// maxDriveBody is the largest body of a call under /sim/, in bytes.
const maxDriveBody = 16 << 20

// Control answers the calls under /sim/, with which other programs drive the simulator. docs/simulator.md describes
// them.
type Control struct {
	streams *EventStreams
	actions *actionCalls
	setup   *setupCalls
	faults  *faultCalls
}

// actionCalls are the calls with which people act.
type actionCalls struct{ w *world.World }

// setupCalls are the calls that show and change servers, people and the clock.
type setupCalls struct {
	w       *world.World
	gateway *gateway.Gateway
	rest    *rest.API
	streams *EventStreams
	reset   func(seed []byte) error
}

// faultCalls are the calls that cause faults, and the calls that read the transcript.
type faultCalls struct {
	w          *world.World
	faults     *faults.Table
	gateway    *gateway.Gateway
	transcript *transcript.Transcript
}

// New returns the calls that act on a world, its gateway, REST API, faults and transcript. The function reset replaces
// the contents of the world by the contents of a seed.
func New(
	w *world.World, faults *faults.Table, transcript *transcript.Transcript, gateway *gateway.Gateway, rest *rest.API, reset func(seed []byte) error,
) *Control {
	streams := newEventStreams(w)
	return &Control{
		streams: streams,
		actions: &actionCalls{w},
		setup:   &setupCalls{w, gateway, rest, streams, reset},
		faults:  &faultCalls{w, faults, gateway, transcript},
	}
}

// AddRoutes adds the routes under /sim/.
func (c *Control) AddRoutes(mux *http.ServeMux) {
	drive := func(pattern string, serve func(*http.Request) (any, error)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			r.Body = http.MaxBytesReader(w, r.Body, maxDriveBody)
			body, err := serve(r)
			writeDriven(w, body, err)
		})
	}
	drive("GET /sim/state", c.setup.driveState)
	drive("GET /sim/ready", c.setup.driveReady)
	drive("GET /sim/quiet", c.faults.driveQuiet)
	drive("GET /sim/messages", c.actions.driveMessages)
	drive("GET /sim/interactions/{interaction}", c.actions.driveAwait)
	drive("POST /sim/command", decoded(c.actions.driveCommand))
	drive("POST /sim/autocomplete", decoded(c.actions.driveAutocomplete))
	drive("POST /sim/click", decoded(c.actions.driveClick))
	drive("POST /sim/select", decoded(c.actions.driveSelect))
	drive("POST /sim/modal", decoded(c.actions.driveModal))
	drive("POST /sim/reset", c.setup.driveReset)
	drive("POST /sim/clock", decoded(c.setup.driveClock))
	drive("POST /sim/users", decoded(c.setup.driveUsers))
	drive("PATCH /sim/users/{user}", decoded(c.setup.driveUserChange))
	drive("POST /sim/guilds", decoded(c.setup.driveGuilds))
	drive("PUT /sim/guilds/{guild}/members/{user}", decoded(c.setup.driveMember))
	drive("DELETE /sim/guilds/{guild}/members/{user}", c.setup.driveMemberRemove)
	drive("PUT /sim/guilds/{guild}/timeouts/{user}", decoded(c.setup.driveTimeout))
	drive("PUT /sim/guilds/{guild}/bans/{user}", decoded(c.setup.driveBan))
	drive("DELETE /sim/guilds/{guild}/bans/{user}", c.setup.driveBanLift)
	drive("PUT /sim/guilds/{guild}/commands/{command}/permissions", decoded(c.setup.driveCommandPermissions))
	drive("POST /sim/guilds/{guild}/roles", decoded(c.setup.driveRoles))
	drive("PATCH /sim/guilds/{guild}/roles/{role}", decoded(c.setup.driveRoleChange))
	drive("DELETE /sim/guilds/{guild}/roles/{role}", c.setup.driveRoleDelete)
	drive("POST /sim/groups", decoded(c.setup.driveGroups))
	drive("POST /sim/channels", decoded(c.setup.driveChannels))
	drive("PATCH /sim/channels/{channel}", decoded(c.setup.driveChannelChange))
	drive("DELETE /sim/channels/{channel}", c.setup.driveChannelDelete)
	drive("PUT /sim/channels/{channel}/overwrites", decoded(c.setup.driveOverwrites))
	drive("POST /sim/message", decoded(c.actions.driveMessage))
	drive("POST /sim/edit", decoded(c.actions.driveEdit))
	drive("POST /sim/vote", decoded(c.actions.driveVote))
	drive("POST /sim/end-poll", decoded(c.actions.driveEndPoll))
	drive("POST /sim/react", decoded(c.actions.driveReact))
	drive("POST /sim/pin", decoded(c.actions.drivePin))
	drive("POST /sim/dismiss", decoded(c.actions.driveDismiss))
	drive("POST /sim/delete", decoded(c.actions.driveDelete))
	drive("GET /sim/faults", c.faults.driveFaults)
	drive("PUT /sim/faults", decoded(c.faults.driveSetFaults))
	drive("POST /sim/gateway", decoded(c.faults.driveGateway))
	drive("GET /sim/rate-limits", c.faults.driveRateLimits)
	drive("PUT /sim/rate-limits", decoded(c.faults.driveSetRateLimits))
	drive("PUT /sim/applications/{app}/endpoint", decoded(c.setup.driveEndpoint))
	drive("POST /sim/load", decoded(c.actions.driveLoad))
	mux.HandleFunc("GET /sim/emojis/{emoji}", c.setup.serveEmoji)
	mux.HandleFunc("GET /sim/transcript", c.faults.serveTranscript)
	mux.HandleFunc("GET /sim/events", func(w http.ResponseWriter, r *http.Request) {
		if err := c.streams.serve(w, r); err != nil {
			writeDriven(w, nil, err)
		}
	})
	mux.HandleFunc("/sim/", func(w http.ResponseWriter, r *http.Request) {
		writeDriven(w, nil, fmt.Errorf("%w: no call %s %s", world.ErrNotFound, r.Method, r.URL.Path))
	})
}

func writeDriven(w http.ResponseWriter, body any, err error) {
	status := http.StatusOK
	switch {
	case err == nil:
	case errors.Is(err, world.ErrNotFound):
		status = http.StatusNotFound
	case errors.Is(err, world.ErrUnavailable), errors.Is(err, people.ErrAmbiguous):
		status = http.StatusConflict
	case errors.Is(err, world.ErrClosed):
		status = http.StatusServiceUnavailable
	default:
		status = http.StatusBadRequest
	}
	if err != nil {
		body = map[string]string{"error": err.Error()}
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic(fmt.Sprintf("discordsim: an answer cannot be written: %v", err)) // only this package's types are encoded
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(text) // fails only if the client has disconnected
}

// decoded returns a call that decodes the body of a request and passes it to serve. It ignores the case of field names,
// and returns an error for fields that P lacks. P is a pointer to a struct, because the compiler makes a copy of a
// generic function for each struct, but one copy for all pointers. This saves 60 KB.
func decoded[P any](serve func(*http.Request, P) (any, error)) func(*http.Request) (any, error) {
	return func(r *http.Request) (any, error) {
		in := reflect.New(reflect.TypeFor[P]().Elem()).Interface().(P)
		if err := readJSON(r, in); err != nil {
			return nil, err
		}
		return serve(r, in)
	}
}

// readJSON decodes a body into a value, and returns an error for unknown fields.
func readJSON(r *http.Request, into any) error {
	return decodeStrictly(json.NewDecoder(r.Body), into)
}

// strictJSON is like readJSON, for JSON inside a body.
func strictJSON(text []byte, into any) error {
	return decodeStrictly(json.NewDecoder(bytes.NewReader(text)), into)
}

func decodeStrictly(decoder *json.Decoder, into any) error {
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("the body is not as documented: %w", err)
	}
	return nil
}
