package standalone

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// Ready is the content of the ready file. With it, a test can start a bot and refer to servers, channels and people.
type Ready struct {
	URL         string            `json:"url"`                 // the address of the page and of the calls under /sim/
	API         string            `json:"api"`                 // Discord's REST API, without a version
	Gateway     string            `json:"gateway"`             // the websocket
	Token       string            `json:"token"`               // the token of the first application's bot
	Application string            `json:"application"`         // the id of the first application
	PublicKey   string            `json:"public_key"`          // verifies requests to an interactions endpoint, in hexadecimal
	Authority   string            `json:"authority,omitempty"` // the file with the certificate to trust, with --tls or --proxy
	Proxy       string            `json:"proxy,omitempty"`     // the value of HTTPS_PROXY, with --proxy
	PID         int               `json:"pid"`                 // the id of this process
	Guilds      map[string]string `json:"guilds"`              // ids by name
	Channels    map[string]string `json:"channels"`            // ids by name; the newest channel of each name
	Users       map[string]string `json:"users"`               // ids by username
}

// writeReadyFile writes the ready file atomically, so that readers never see a part of it. Close removes it.
func (s *Site) writeReadyFile(file string) error {
	r := Ready{
		URL: s.URL(), API: s.URL() + "/api", Gateway: "ws" + strings.TrimPrefix(s.URL(), "http") + "/ws",
		Token: s.token(), Application: s.Sim.Application(), PublicKey: s.firstBot().VerifyKey(), PID: os.Getpid(),
	}
	if s.authority != nil {
		r.Authority = s.authority.File()
	}
	if s.proxy != nil {
		r.Proxy = "http://" + s.proxy.address
	}
	if err := s.addIDs(&r); err != nil {
		return fmt.Errorf("--ready-file: %w", err)
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("--ready-file: %w", err)
	}
	draft := filepath.Join(filepath.Dir(file), "."+filepath.Base(file)+".new")
	if err := os.WriteFile(draft, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("--ready-file: %w", err)
	}
	if err := os.Rename(draft, file); err != nil {
		return fmt.Errorf("--ready-file: %w", err)
	}
	s.remove = append(s.remove, file)
	return nil
}

// addIDs adds the ids of the servers, channels and people, as GET /sim/state
// lists them.
func (s *Site) addIDs(r *Ready) error {
	request, err := http.NewRequest(http.MethodGet, "/sim/state", nil)
	if err != nil {
		return err
	}
	var response response
	s.Sim.Handler().ServeHTTP(&response, request)
	type named struct{ ID, Name, Username string }
	var state struct{ Guilds, Channels, Users []named }
	if err := json.Unmarshal(response.Bytes(), &state); err != nil {
		return fmt.Errorf("reading the simulator's state: %w", err)
	}
	ids := func(of []named) map[string]string {
		ids := map[string]string{}
		for _, n := range of {
			ids[n.Name+n.Username] = n.ID // one of the two is empty
		}
		return ids
	}
	r.Guilds, r.Channels, r.Users = ids(state.Guilds), ids(state.Channels), ids(state.Users)
	return nil
}

// response is an HTTP response that is kept in memory.
type response struct {
	header http.Header
	bytes.Buffer
}

func (r *response) WriteHeader(int) {}

func (r *response) Header() http.Header {
	if r.header == nil {
		r.header = http.Header{}
	}
	return r.header
}
