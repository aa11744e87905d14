package discordsim_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tictactoe/discordsim"
)

// drives are the calls with a body that end at once. A load goes on for as long as it is asked to.
var drives = []string{
	"command", "autocomplete", "click", "select", "modal", "users", "guilds", "channels", "message", "dismiss", "delete", "gateway",
}

// FuzzDrive: whatever is sent to drive the simulator, the answer is JSON and never that the simulator is broken.
func FuzzDrive(f *testing.F) {
	for i, seed := range []string{
		`{"as":"alice","channel":"general","name":"tictactoe challenge","options":{"opponent":"bob","first":"me"}}`,
		`{"as":"alice","channel":"general","name":"tictactoe","option":"x","value":"y"}`,
		`{"as":"alice","message":"1","button":"b2","index":-1,"hold":true,"forge":true,"custom_id":"x"}`,
		`{"as":"alice","message":"1","custom_id":"x","values":["1",2,null]}`,
		`{"as":"alice","interaction":"1","values":{"x":"y"}}`,
		`{"name":"dave","bot":true}`, `{"name":"a server","members":["alice"]}`, `{"name":"x","guild":"y","kind":"thread"}`,
		`{"as":"alice","channel":"general","text":"hello <@1> @everyone"}`, `{"as":"alice","message":"1"}`, `{"message":"1"}`,
		`{"action":"drop"}`, `{"options":{"a":{"b":[1e400]}}}`, `null`, `[]`, `"`, ``,
	} {
		f.Add(i, seed)
	}
	f.Fuzz(func(t *testing.T, call int, body string) {
		sim, err := discordsim.New(discordsim.Config{})
		if err != nil {
			t.Fatal(err)
		}
		defer sim.Close()
		path := "/sim/" + drives[(call%len(drives)+len(drives))%len(drives)]
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
		w := httptest.NewRecorder()
		sim.Handler().ServeHTTP(w, r)
		if w.Code >= 500 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s %q: %d %s", path, body, w.Code, w.Body)
		}
	})
}
