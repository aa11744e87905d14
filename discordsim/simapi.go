package discordsim

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"tictactoe/discordsim/check"
)

// maxDriveBody is the largest body of a call under /sim/, in bytes.
const maxDriveBody = 16 << 20

// driveRoutes adds the routes for driving the simulator from outside.
// docs/simulator.md describes them.
func (s *Sim) driveRoutes(mux *http.ServeMux) {
	drive := func(pattern string, serve func(*http.Request) (any, error)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			r.Body = http.MaxBytesReader(w, r.Body, maxDriveBody)
			body, err := serve(r)
			writeDriven(w, body, err)
		})
	}
	drive("GET /sim/state", s.driveState)
	drive("GET /sim/messages", s.driveMessages)
	drive("GET /sim/interactions/{interaction}", s.driveAwait)
	drive("POST /sim/command", s.driveCommand)
	drive("POST /sim/autocomplete", s.driveAutocomplete)
	drive("POST /sim/click", s.driveClick)
	drive("POST /sim/select", s.driveSelect)
	drive("POST /sim/modal", s.driveModal)
	drive("POST /sim/clock", s.driveClock)
	drive("POST /sim/users", s.driveUsers)
	drive("PATCH /sim/users/{user}", s.driveUserChange)
	drive("POST /sim/guilds", s.driveGuilds)
	drive("PUT /sim/guilds/{guild}/members/{user}", s.driveMember)
	drive("DELETE /sim/guilds/{guild}/members/{user}", s.driveMemberGone)
	drive("POST /sim/channels", s.driveChannels)
	drive("PATCH /sim/channels/{channel}", s.driveChannelChange)
	drive("DELETE /sim/channels/{channel}", s.driveChannelGone)
	drive("PUT /sim/channels/{channel}/overwrites", s.driveOverwrites)
	drive("POST /sim/message", s.driveMessage)
	drive("POST /sim/react", s.driveReact)
	drive("POST /sim/pin", s.drivePin)
	drive("POST /sim/dismiss", s.driveDismiss)
	drive("POST /sim/delete", s.driveDelete)
	drive("GET /sim/faults", s.driveFaults)
	drive("PUT /sim/faults", s.driveSetFaults)
	drive("POST /sim/gateway", s.driveGateway)
	drive("GET /sim/rate-limits", s.driveRateLimits)
	drive("PUT /sim/rate-limits", s.driveSetRateLimits)
	drive("PUT /sim/applications/{app}/endpoint", s.driveEndpoint)
	drive("POST /sim/load", s.driveLoad)
	mux.HandleFunc("GET /sim/transcript", s.serveTranscript)
	mux.HandleFunc("GET /sim/events", func(w http.ResponseWriter, r *http.Request) {
		if err := s.serveEvents(w, r); err != nil {
			writeDriven(w, nil, err)
		}
	})
	mux.HandleFunc("/sim/", func(w http.ResponseWriter, r *http.Request) {
		writeDriven(w, nil, fmt.Errorf("%w: no call %s %s", ErrNotFound, r.Method, r.URL.Path))
	})
}

func writeDriven(w http.ResponseWriter, body any, err error) {
	status := http.StatusOK
	switch {
	case err == nil:
	case errors.Is(err, ErrNotFound):
		status = http.StatusNotFound
	case errors.Is(err, ErrUnavailable), errors.Is(err, ErrAmbiguous):
		status = http.StatusConflict
	case errors.Is(err, ErrClosed):
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
	w.Write(text) // a client that has hung up needs no answer
}

// readJSON decodes a body into a value, and returns an error for unknown fields.
func readJSON(r *http.Request, into any) error {
	return decodeStrictly(json.NewDecoder(r.Body), into)
}

// strictJSON is like readJSON, for a part of a body.
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

func (s *Sim) driveState(r *http.Request) (body any, err error) {
	err = s.locked(func() error {
		viewer := ""
		if as := r.URL.Query().Get("as"); as != "" {
			a, err := s.person(as)
			if err != nil {
				return err
			}
			viewer = a.ID
		}
		body = s.overview(viewer)
		return nil
	})
	return body, err
}

// clockReading is the current date and the clock's offset from real time.
type clockReading struct {
	Now    string `json:"now"`
	Offset int64  `json:"offset_ms"`
}

func (s *Sim) clockReading() clockReading {
	return clockReading{s.clock.Now().Format("2006-01-02T15:04:05.000Z07:00"), s.clock.Offset().Milliseconds()}
}

func (s *Sim) driveMessages(r *http.Request) (any, error) {
	query := r.URL.Query()
	return s.User(query.Get("as")).Messages(query.Get("channel"))
}

func (s *Sim) driveAwait(r *http.Request) (any, error) {
	return s.Await(r.Context(), r.PathValue("interaction"))
}

// drive starts an interaction and waits until it is settled, unless hold is set.
func (s *Sim) drive(ctx context.Context, hold bool, start func() (*interaction, error)) (any, error) {
	held, err := s.held(start)
	if err != nil || hold {
		return held, err
	}
	return s.Await(ctx, held.Interaction)
}

func (s *Sim) driveCommand(r *http.Request) (any, error) {
	var in struct {
		As          string         `json:"as"`
		Application string         `json:"application"`
		Channel     string         `json:"channel"`
		Name        string         `json:"name"`
		Target      string         `json:"target"`
		Options     map[string]any `json:"options"`
		Forge       bool           `json:"forge"`
		Hold        bool           `json:"hold"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	return s.drive(r.Context(), in.Hold, func() (*interaction, error) {
		return s.useCommand(s.User(in.As).Using(in.Application), in.Channel, in.Name, in.Target, in.Options, in.Forge)
	})
}

func (s *Sim) driveAutocomplete(r *http.Request) (any, error) {
	var in struct {
		As          string         `json:"as"`
		Application string         `json:"application"`
		Channel     string         `json:"channel"`
		Name        string         `json:"name"`
		Options     map[string]any `json:"options"`
		Focused     string         `json:"focused"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	result, err := s.User(in.As).Using(in.Application).Autocomplete(r.Context(), in.Channel, in.Name, in.Options, in.Focused)
	if err != nil {
		return nil, err
	}
	return struct {
		Interaction string       `json:"interaction"`
		Status      Status       `json:"status"`
		Choices     []Choice     `json:"choices"`
		Error       *check.Error `json:"error"`
	}{result.Interaction, result.Status, append([]Choice{}, result.Choices...), result.Error}, nil
}

func (s *Sim) driveClick(r *http.Request) (any, error) {
	var in struct {
		As       string `json:"as"`
		Message  string `json:"message"`
		CustomID string `json:"custom_id"`
		Label    string `json:"label"`
		Index    *int   `json:"index"`
		Forge    bool   `json:"forge"`
		Hold     bool   `json:"hold"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	button := Button{CustomID: in.CustomID, Label: in.Label, Forge: in.Forge}
	switch {
	case in.Index != nil:
		button.Index = *in.Index
	case in.CustomID == "" && in.Label == "":
		return nil, errors.New("a click names its button by custom_id, label or index")
	}
	return s.drive(r.Context(), in.Hold, func() (*interaction, error) {
		return s.click(in.As, in.Message, button)
	})
}

func (s *Sim) driveSelect(r *http.Request) (any, error) {
	var in struct {
		As       string   `json:"as"`
		Message  string   `json:"message"`
		CustomID string   `json:"custom_id"`
		Values   []string `json:"values"`
		Forge    bool     `json:"forge"`
		Hold     bool     `json:"hold"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	return s.drive(r.Context(), in.Hold, func() (*interaction, error) {
		return s.choose(in.As, in.Message, in.CustomID, in.Values, in.Forge)
	})
}

func (s *Sim) driveModal(r *http.Request) (any, error) {
	var in struct {
		As          string         `json:"as"`
		Interaction string         `json:"interaction"`
		CustomID    string         `json:"custom_id"`
		Fields      map[string]any `json:"fields"`
		Forge       bool           `json:"forge"`
		Hold        bool           `json:"hold"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	if in.CustomID != "" && !in.Forge {
		return nil, errors.New("only a forged form has another custom_id than the one that was opened")
	}
	return s.drive(r.Context(), in.Hold, s.submission(in.As, in.Interaction, in.CustomID, in.Fields, in.Forge))
}

func (s *Sim) driveClock(r *http.Request) (any, error) {
	var in struct {
		Advance string `json:"advance"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	d, err := time.ParseDuration(in.Advance)
	if err != nil {
		return nil, fmt.Errorf("advance is a duration such as 90s or 24h: %w", err)
	}
	if err := s.Advance(r.Context(), d); err != nil {
		return nil, err
	}
	return s.clockReading(), nil
}

func (s *Sim) driveUsers(r *http.Request) (any, error) {
	var in Person
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	u, err := s.AddUser(in)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.account(u.ref), nil
}

func (s *Sim) driveGuilds(r *http.Request) (any, error) {
	var in Server
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	id, err := s.AddServer(in)
	return map[string]string{"id": id}, err
}

func (s *Sim) driveUserChange(r *http.Request) (any, error) {
	var to PersonChange
	if err := readJSON(r, &to); err != nil {
		return nil, err
	}
	if err := s.ChangeUser(r.PathValue("user"), to); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.account(r.PathValue("user")), nil
}

func (s *Sim) driveMember(r *http.Request) (any, error) {
	var in struct {
		Permissions []string `json:"permissions"`
		Nick        string   `json:"nick"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	may, err := ParsePermissions(in.Permissions...)
	if err != nil {
		return nil, err
	}
	return struct{}{}, s.SetMember(r.PathValue("guild"), r.PathValue("user"), Membership{Nick: in.Nick, Permissions: may})
}

func (s *Sim) driveMemberGone(r *http.Request) (any, error) {
	return struct{}{}, s.RemoveMember(r.PathValue("guild"), r.PathValue("user"))
}

func (s *Sim) driveChannels(r *http.Request) (any, error) {
	var room Room
	if err := readJSON(r, &room); err != nil {
		return nil, err
	}
	id, err := s.AddChannel(room)
	if err != nil {
		return nil, err
	}
	return s.channelShown(id)
}

func (s *Sim) driveChannelChange(r *http.Request) (any, error) {
	var to RoomChange
	if err := readJSON(r, &to); err != nil {
		return nil, err
	}
	// The channel is found again by id, since its name may have changed.
	ref := r.PathValue("channel")
	err := s.locked(func() error {
		ch, err := s.channelOf(ref)
		if err == nil {
			ref = ch.ID
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := s.ChangeChannel(ref, to); err != nil {
		return nil, err
	}
	return s.channelShown(ref)
}

// channelShown returns a channel of a server in the form used to answer the calls that change a channel.
func (s *Sim) channelShown(id string) (object channelObject, err error) {
	err = s.locked(func() error {
		ch, err := s.channelOf(id)
		if err == nil {
			object = s.state.channelObject(ch, "")
		}
		return err
	})
	return object, err
}

func (s *Sim) driveChannelGone(r *http.Request) (any, error) {
	return struct{}{}, s.DeleteChannel(r.PathValue("channel"))
}

func (s *Sim) driveOverwrites(r *http.Request) (any, error) {
	var in struct {
		Of    string   `json:"of"`
		Allow []string `json:"allow"`
		Deny  []string `json:"deny"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	allow, err := ParsePermissions(in.Allow...)
	if err != nil {
		return nil, err
	}
	deny, err := ParsePermissions(in.Deny...)
	if err != nil {
		return nil, err
	}
	switch in.Of {
	case "":
		return nil, errors.New("an overwrite is of everyone or of a user or bot")
	case "everyone", "@everyone":
		in.Of = ""
	}
	return struct{}{}, s.SetOverwrite(r.PathValue("channel"), in.Of, allow, deny)
}

func (s *Sim) driveMessage(r *http.Request) (any, error) {
	var in struct {
		As      string `json:"as"`
		Channel string `json:"channel"`
		Content string `json:"content"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	return s.User(in.As).Write(in.Channel, in.Content)
}

func (s *Sim) driveDismiss(r *http.Request) (any, error) {
	var in struct {
		As      string `json:"as"`
		Message string `json:"message"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	return struct{}{}, s.User(in.As).Dismiss(in.Message)
}

func (s *Sim) driveDelete(r *http.Request) (any, error) {
	var in struct {
		Message string `json:"message"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	return struct{}{}, s.DeleteMessage(in.Message)
}
