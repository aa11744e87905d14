package discordsim_test

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/discordsim"
	"tictactoe/discordsim/simtest"
)

// endpoint is a bot that receives its interactions over HTTP. It verifies signatures with discordgo, as an unmodified
// bot does.
type endpoint struct {
	key     ed25519.PublicKey
	careful func() bool // whether it checks signatures
	down    bool        // a proxy in front of it answers that it is unavailable
	answer  func(w http.ResponseWriter, i *discordgo.Interaction)
	forged  atomic.Int64
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !discordgo.VerifyInteraction(r, e.key) {
		e.forged.Add(1)
		if e.down {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		if e.careful() {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
	}
	var i discordgo.Interaction
	text, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(text, &i)
	}
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if i.Type == discordgo.InteractionPing {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"type":1}`)
		return
	}
	e.answer(w, &i)
}

func always() bool { return true }
func never() bool  { return false }

// withEndpoint runs f in a bubble with a simulator and an HTTP bot whose endpoint is set.
func withEndpoint(t *testing.T, answer func(http.ResponseWriter, *discordgo.Interaction), f func(*bubble, *endpoint)) {
	t.Helper()
	listener, dial := (net.Listener)(nil), (func(context.Context, string, string) (net.Conn, error))(nil)
	transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		return dial(ctx, network, address)
	}}
	simInBubble(t, discordsim.Config{Client: &http.Client{Transport: transport}}, func(b *bubble) {
		listener, dial = simtest.Pipe()
		e := &endpoint{careful: always, answer: answer}
		_, _, text := b.rest("GET", "/applications/@me", "")
		var app struct {
			Key string `json:"verify_key"`
		}
		json.Unmarshal([]byte(text), &app)
		e.key, _ = hex.DecodeString(app.Key)
		server := &http.Server{Handler: e}
		served := make(chan struct{})
		go func() {
			defer close(served)
			server.Serve(listener)
		}()
		b.rest("PUT", "/applications/"+botID+"/commands", pingCommand)
		if err := b.Bot(botID).SetEndpoint(context.Background(), "http://bot.test/interactions"); err != nil {
			b.t.Error(err)
		}
		if n := e.forged.Load(); n != 1 {
			b.t.Errorf("%d bad signatures came", n)
		}
		f(b, e)
		transport.CloseIdleConnections()
		server.Close()
		<-served
	})
}

func TestInteractionsOverHTTP(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	t.Run("are answered in the response, and the gateway hears nothing", func(t *testing.T) {
		withEndpoint(t, func(w http.ResponseWriter, i *discordgo.Interaction) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, sayPong)
		}, func(b *bubble, _ *endpoint) {
			g := b.gateway("/ws")
			g.identify("")
			g.expect(0, "GUILD_CREATE")
			r, err := b.User("alice").Command(ctx, "general", "ping", nil)
			if err != nil || r.Status != discordsim.Answered || r.Message.Content != "pong" {
				t.Errorf("got %+v, %v", r, err)
			}
			g.quiet()
		})
	})
	t.Run("are answered by a form, as with files", func(t *testing.T) {
		withEndpoint(t, func(w http.ResponseWriter, i *discordgo.Interaction) {
			w.Header().Set("Content-Type", "multipart/form-data; boundary=b")
			io.WriteString(w, "--b\r\nContent-Disposition: form-data; name=\"payload_json\"\r\n\r\n"+sayPong+"\r\n--b--\r\n")
		}, func(b *bubble, _ *endpoint) {
			if r, err := b.User("alice").Command(ctx, "general", "ping", nil); err != nil || r.Status != discordsim.Answered {
				t.Errorf("got %+v, %v", r, err)
			}
		})
	})
	t.Run("are answered on the callback route after 202", func(t *testing.T) {
		later := make(chan *discordgo.Interaction, 1)
		withEndpoint(t, func(w http.ResponseWriter, i *discordgo.Interaction) {
			later <- i
			w.WriteHeader(http.StatusAccepted)
		}, func(b *bubble, _ *endpoint) {
			done := make(chan discordsim.Result, 1)
			go func() {
				r, _ := b.User("alice").Command(ctx, "general", "ping", nil)
				done <- r
			}()
			i := <-later
			time.Sleep(2 * time.Second)
			if status, code := b.callback(i, sayPong); status != 204 {
				t.Errorf("the callback got %d %d", status, code)
			}
			if r := <-done; r.Status != discordsim.Answered || r.Milliseconds != 2000 {
				t.Errorf("got %+v", r)
			}
		})
	})
	for name, c := range map[string]struct{ response, method, path, body string }{
		"a follow-up":           {sayPong, "POST", "", `{"content":"more"}`},
		"an edit of the answer": {`{"type":5}`, "PATCH", "/messages/@original", `{"content":"more"}`},
		"a look at the answer":  {sayPong, "GET", "/messages/@original", ""},
		"the answer's deletion": {sayPong, "DELETE", "/messages/@original", ""},
	} {
		t.Run("let "+name+" wait that comes before the response", func(t *testing.T) {
			var b *bubble
			status := make(chan int, 1)
			withEndpoint(t, func(w http.ResponseWriter, i *discordgo.Interaction) {
				go func() {
					got, code, _ := b.rest(c.method, "/webhooks/"+botID+"/"+i.Token+c.path, c.body)
					if got >= 400 {
						t.Errorf("got %d %d", got, code)
					}
					status <- got
				}()
				time.Sleep(time.Second) // in fake time: the call has arrived by then
				io.WriteString(w, c.response)
			}, func(in *bubble, _ *endpoint) {
				b = in
				if r, err := b.User("alice").Command(ctx, "general", "ping", nil); err != nil || r.Status != discordsim.Answered {
					t.Errorf("got %+v, %v", r, err)
				}
				<-status
			})
		})
	}
	t.Run("let a follow-up wait no longer than for the time limit of the response", func(t *testing.T) {
		var b *bubble
		code, took := make(chan int, 1), time.Duration(0)
		withEndpoint(t, func(w http.ResponseWriter, i *discordgo.Interaction) {
			began := time.Now()
			_, got, _ := b.rest("POST", "/webhooks/"+botID+"/"+i.Token, `{"content":"more"}`)
			took = time.Since(began)
			code <- got
			time.Sleep(time.Second) // in fake time: the response comes at the last moment
		}, func(in *bubble, _ *endpoint) {
			b = in
			if r, err := b.User("alice").Command(ctx, "general", "ping", nil); err != nil || r.Status != discordsim.TimedOut {
				t.Errorf("got %+v, %v", r, err)
			}
			if got := <-code; got != 10015 || took != 3*time.Second {
				t.Errorf("got %d after %v", got, took)
			}
			time.Sleep(2 * time.Second) // in fake time: until the endpoint is done
		})
	})
	t.Run("have three seconds", func(t *testing.T) {
		withEndpoint(t, func(w http.ResponseWriter, i *discordgo.Interaction) {
			time.Sleep(3100 * time.Millisecond)
			io.WriteString(w, sayPong)
		}, func(b *bubble, _ *endpoint) {
			r, err := b.User("alice").Command(ctx, "general", "ping", nil)
			if err != nil || r.Status != discordsim.TimedOut || r.Milliseconds != 3000 {
				t.Errorf("got %+v, %v", r, err)
			}
			time.Sleep(time.Second)
		})
	})
	redirected := false
	for name, answer := range map[string]func(http.ResponseWriter){
		"an error": func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusInternalServerError)
			io.WriteString(w, sayPong)
		},
		"no content": func(w http.ResponseWriter) { w.WriteHeader(http.StatusNoContent) },
		"a redirection, which is not followed": func(w http.ResponseWriter) {
			if redirected {
				io.WriteString(w, sayPong)
				return
			}
			redirected = true
			w.Header().Set("Location", "/other")
			w.WriteHeader(http.StatusTemporaryRedirect)
		},
		"something that is no JSON": func(w http.ResponseWriter) { io.WriteString(w, "pong") },
		"nothing":                   func(http.ResponseWriter) {},
		"a PONG":                    func(w http.ResponseWriter) { io.WriteString(w, `{"type":1}`) },
		"a message that is too long": func(w http.ResponseWriter) {
			fmt.Fprintf(w, `{"type":4,"data":{"content":%q}}`, strings.Repeat("x", 2001))
		},
	} {
		t.Run("fail on "+name, func(t *testing.T) {
			withEndpoint(t, func(w http.ResponseWriter, _ *discordgo.Interaction) { answer(w) }, func(b *bubble, _ *endpoint) {
				r, err := b.User("alice").Command(ctx, "general", "ping", nil)
				if err != nil || r.Status != discordsim.Failed || r.Error == nil || r.Milliseconds != 0 {
					t.Errorf("got %+v, %v", r, err)
				}
				time.Sleep(4 * time.Second) // in fake time: the bot could correct its answer meanwhile
			})
		})
	}
	t.Run("come twice on demand, and count once", func(t *testing.T) {
		var came atomic.Int64
		withEndpoint(t, func(w http.ResponseWriter, i *discordgo.Interaction) {
			came.Add(1)
			io.WriteString(w, sayPong)
		}, func(b *bubble, _ *endpoint) {
			b.fault(discordsim.Faults{Duplicate: true})
			r, err := b.User("alice").Command(ctx, "general", "ping", nil)
			time.Sleep(time.Second)
			messages, _ := b.User("alice").Messages("general")
			if err != nil || r.Status != discordsim.Answered || came.Load() != 2 || len(messages) != 1 {
				t.Errorf("got %+v, %v; it came %d times and made %d messages", r, err, came.Load(), len(messages))
			}
		})
	})
	t.Run("go over the gateway again when a routine check finds that signatures are not looked at", func(t *testing.T) {
		withEndpoint(t, func(w http.ResponseWriter, i *discordgo.Interaction) { io.WriteString(w, sayPong) }, func(b *bubble, e *endpoint) {
			ping := func() discordsim.Status {
				r, err := b.User("alice").Command(ctx, "general", "ping", nil)
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(10 * time.Millisecond) // in fake time: the check runs meanwhile
				return r.Status
			}
			for range 99 {
				ping()
			}
			if n := e.forged.Load(); n != 2 {
				t.Errorf("%d bad signatures came, want one at first and one in 50 interactions", n)
			}
			e.careful = never
			if status := ping(); status != discordsim.Answered {
				t.Errorf("the last one over HTTP: %s", status)
			}
			if status := ping(); status != discordsim.TimedOut {
				t.Errorf("then: %s", status)
			}
		})
	})
	t.Run("go on over HTTP when a routine check finds that the bot is not there", func(t *testing.T) {
		withEndpoint(t, func(w http.ResponseWriter, i *discordgo.Interaction) { io.WriteString(w, sayPong) }, func(b *bubble, e *endpoint) {
			e.down = true
			for n := range 51 {
				r, err := b.User("alice").Command(ctx, "general", "ping", nil)
				if err != nil || r.Status != discordsim.Answered {
					t.Fatalf("interaction %d: %+v, %v", n, r, err)
				}
				time.Sleep(10 * time.Millisecond) // in fake time: the check runs meanwhile
			}
			if n := e.forged.Load(); n != 2 {
				t.Errorf("%d bad signatures came, want one at first and one in 50 interactions", n)
			}
		})
	})
	t.Run("are in the transcript", func(t *testing.T) {
		withEndpoint(t, func(w http.ResponseWriter, i *discordgo.Interaction) { io.WriteString(w, sayPong) }, func(b *bubble, _ *endpoint) {
			r, err := b.User("alice").Command(ctx, "general", "ping", nil)
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			b.WriteTranscript(&text, discordsim.TranscriptFilter{Interaction: r.Interaction})
			for _, part := range []string{`"kind":"http","direction":"sim"`, `"kind":"http","direction":"bot"`, `"path":"http://bot.test/interactions"`, `"token":"[token]"`, `"content":"pong"`} {
				if !strings.Contains(text.String(), part) {
					t.Errorf("no %s in\n%s", part, &text)
				}
			}
		})
	})
}

func TestEndpointsAreVerified(t *testing.T) {
	t.Parallel()
	w := newWorld(t, discordsim.Config{})
	w.register(pingCommand)
	_, app := w.rest("GET", "/applications/@me", "")
	key, err := hex.DecodeString(app["verify_key"].(string))
	if err != nil || app["interactions_endpoint_url"] != nil {
		t.Fatalf("the application is %v, %v", app, err)
	}
	good := &endpoint{key: key, careful: always}
	serve := func(h http.Handler) string {
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		return server.URL + "/i"
	}
	fixed := func(status int, kind, body string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !discordgo.VerifyInteraction(r, key) {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			io.WriteString(w, body)
		})
	}
	path := "/sim/applications/" + botID + "/endpoint"
	for name, c := range map[string]struct{ url, why string }{
		"no address":                        {"bot.example", "no http"},
		"a file":                            {"file:///etc/hosts", "no http"},
		"nobody there":                      {"http://127.0.0.1:1/", "no answer"},
		"a bad signature taken":             {serve(&endpoint{key: key, careful: never}), "answered with 200, not 401"},
		"every signature refused":           {serve(fixed(401, "", "")), "answered with 401, not 200"},
		"a PING answered as something else": {serve(fixed(200, "application/json", `{"type":4}`)), "not answered with"},
		"a PING answered as text":           {serve(fixed(200, "text/plain", `{"type":1}`)), "text/plain"},
	} {
		body := fmt.Sprintf(`{"url":%q}`, c.url)
		if status, text, _ := w.raw("PUT", path, body, ""); status != 400 || !strings.Contains(text, c.why) {
			t.Errorf("%s: got %d %s", name, status, text)
		}
		body = fmt.Sprintf(`{"interactions_endpoint_url":%q}`, c.url)
		if status, refused := w.rest("PATCH", "/applications/@me", body); status != 400 || refused["code"] != 50035.0 {
			t.Errorf("%s: over REST got %d %v", name, status, refused)
		}
	}
	address := serve(good)
	if status, text, _ := w.raw("PUT", path, fmt.Sprintf(`{"url":%q}`, address), ""); status != 200 {
		t.Errorf("a good one got %d %s", status, text)
	}
	if _, app := w.rest("GET", "/applications/@me", ""); app["interactions_endpoint_url"] != address {
		t.Errorf("the application has %v", app["interactions_endpoint_url"])
	}
	if _, text, _ := w.raw("GET", "/sim/state", "", ""); !strings.Contains(text, fmt.Sprintf(`"verify_key":"%x","interactions_endpoint_url":%q`, key, address)) {
		t.Errorf("the state is %s", text)
	}
	for body, want := range map[string]any{
		`{"interactions_endpoint_url":null}`:                     nil,
		`{"interactions_endpoint_url":"` + address + `"}`:        address,
		`{"description":"other things are taken and forgotten"}`: address,
	} {
		if body[2] == 'd' {
			w.rest("PATCH", "/applications/@me", `{"interactions_endpoint_url":"`+address+`"}`)
		}
		if status, app := w.rest("PATCH", "/applications/@me", body); status != 200 || app["interactions_endpoint_url"] != want {
			t.Errorf("%s got %d %v", body, status, app["interactions_endpoint_url"])
		}
	}
	if status, _ := w.rest("PATCH", "/applications/@me", `{"interactions_endpoint_url":7}`); status != 400 {
		t.Errorf("a number got %d", status)
	}
	if status, _, _ := w.raw("PUT", path, `{"url":""}`, ""); status != 200 {
		t.Errorf("removing got %d", status)
	}
	if status, _, _ := w.raw("PUT", path, `{}`, ""); status != 400 {
		t.Errorf("no url got %d", status)
	}
}

func TestAnEndpointOutlivesARestart(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "sim.discord")
	first := newWorld(t, discordsim.Config{State: file})
	first.register(pingCommand)
	_, app := first.rest("GET", "/applications/@me", "")
	key, _ := hex.DecodeString(app["verify_key"].(string))
	bot := httptest.NewServer(&endpoint{key: key, careful: always, answer: func(w http.ResponseWriter, _ *discordgo.Interaction) {
		io.WriteString(w, sayPong)
	}})
	defer bot.Close()
	if err := first.Bot(botID).SetEndpoint(context.Background(), bot.URL); err != nil {
		t.Fatal(err)
	}
	first.register(`[{"name":"ping","description":"Answers"},{"name":"more","description":"A new command counts, and forgets nothing else"}]`)
	second := newWorld(t, discordsim.Config{State: left(t, file)})
	r, err := second.User("alice").Command(context.Background(), "general", "ping", nil)
	if err != nil || r.Status != discordsim.Answered {
		t.Errorf("got %+v, %v", r, err)
	}
}
