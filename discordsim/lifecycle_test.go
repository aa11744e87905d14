package discordsim_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"tictactoe/discordsim"
	"tictactoe/discordsim/simtest"
)

// bubble is a simulator and a discordgo bot that share a synctest bubble.
type bubble struct {
	*discordsim.Sim
	t    *testing.T
	http *http.Client
	dial func(context.Context, string, string) (net.Conn, error)
	bot  *discordgo.Session
	// got has the interactions that the bot has received and not answered.
	got chan *discordgo.Interaction
}

// simInBubble runs f in a bubble with a simulator and without a bot.
func simInBubble(t *testing.T, config discordsim.Config, f func(*bubble)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		config.Start = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
		config.BotName = cmp.Or(config.BotName, "tictactoe")
		sim, err := discordsim.New(config)
		if err != nil {
			t.Fatal(err)
		}
		listener, dial := simtest.Pipe()
		server := &http.Server{Handler: sim.Handler()}
		served := make(chan struct{})
		go func() {
			defer close(served)
			server.Serve(listener)
		}()
		transport := &http.Transport{DialContext: dial}
		b := &bubble{Sim: sim, t: t, http: &http.Client{Transport: transport}, dial: dial, got: make(chan *discordgo.Interaction, 16)}
		f(b)
		if err := sim.Close(); err != nil {
			t.Error(err)
		}
		transport.CloseIdleConnections()
		server.Close()
		<-served
	})
}

// inBubble runs f in a bubble with a simulator and a bot, which answers nothing by itself.
func inBubble(t *testing.T, config discordsim.Config, f func(*bubble)) {
	t.Helper()
	simInBubble(t, config, func(b *bubble) {
		var wire net.Conn
		b.bot = newBot(b.t, "http://sim.test", b.dial)
		b.bot.Dialer.NetDialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := b.dial(ctx, network, address)
			wire = conn
			return conn, err
		}
		b.bot.ShouldReconnectOnError = false
		b.bot.AddHandler(func(_ *discordgo.Session, e *discordgo.InteractionCreate) { b.got <- e.Interaction })
		if err := b.bot.Open(); err != nil {
			b.t.Fatal(err)
		}
		b.rest("PUT", "/applications/"+botID+"/commands", pingCommand)
		f(b)
		// discordgo sleeps with its lock held when it closes. A goroutine that waits for the lock would keep the fake
		// time from advancing, so the heartbeat must be idle first.
		synctest.Wait()
		wire.Close()
		time.Sleep(2 * time.Second) // in fake time: discordgo takes one second to close
		b.bot.Client.CloseIdleConnections()
	})
}

// gateway returns a bare client of the gateway; path begins with /ws.
func (b *bubble) gateway(path string) *gateway {
	b.t.Helper()
	ws, _, err := (&websocket.Dialer{NetDialContext: b.dial}).Dial("ws://sim.test"+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { ws.Close() })
	return &gateway{b.t, ws}
}

// present returns the gateway connection of a bot that has a command and has received its server.
func (b *bubble) present() *gateway {
	b.rest("PUT", "/applications/"+botID+"/commands", pingCommand)
	g := b.gateway("/ws")
	g.identify("")
	g.expect(0, "GUILD_CREATE")
	return g
}

// rest sends a request of the bot.
func (b *bubble) rest(method, path, body string) (status int, code int, text string) {
	b.t.Helper()
	req, err := http.NewRequest(method, "http://sim.test/api/v10"+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bot "+token)
	req.Header.Set("Content-Type", "application/json")
	res, err := b.http.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	read, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	var refused struct{ Code int }
	json.Unmarshal(read, &refused)
	return res.StatusCode, refused.Code, string(read)
}

func (b *bubble) callback(i *discordgo.Interaction, body string) (status, code int) {
	b.t.Helper()
	status, code, _ = b.rest("POST", "/interactions/"+i.ID+"/"+i.Token+"/callback", body)
	return status, code
}

// ping makes alice use the command. It returns the interaction that the bot got, and a channel for its result.
func (b *bubble) ping() (*discordgo.Interaction, <-chan discordsim.Result) {
	b.t.Helper()
	done := make(chan discordsim.Result, 1)
	go func() {
		r, err := b.User("alice").Command(context.Background(), "general", "ping", nil)
		if err != nil {
			b.t.Error(err)
		}
		done <- r
	}()
	return <-b.got, done
}

const sayPong = `{"type":4,"data":{"content":"pong"}}`

func TestLifecycle(t *testing.T) {
	t.Run("an answer after 2.9 s is in time", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			i, done := b.ping()
			time.Sleep(2900 * time.Millisecond)
			if status, code := b.callback(i, sayPong); status != 204 {
				t.Errorf("the callback got %d %d", status, code)
			}
			if r := <-done; r.Status != discordsim.Answered || r.Milliseconds != 2900 {
				t.Errorf("got %+v", r)
			}
		})
	})
	t.Run("an answer after 3.1 s finds the interaction unknown", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			i, done := b.ping()
			time.Sleep(3100 * time.Millisecond)
			if r := <-done; r.Status != discordsim.TimedOut || r.Milliseconds != 3000 {
				t.Errorf("got %+v", r)
			}
			if status, code := b.callback(i, sayPong); status != 404 || code != 10062 {
				t.Errorf("the late callback got %d %d", status, code)
			}
			if status, code, _ := b.rest("POST", "/webhooks/"+botID+"/"+i.Token, `{"content":"late"}`); status != 404 || code != 10015 {
				t.Errorf("a follow-up without an answer got %d %d", status, code)
			}
		})
	})
	t.Run("a second callback is refused", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			i, _ := b.ping()
			b.callback(i, sayPong)
			if status, code := b.callback(i, sayPong); status != 400 || code != 40060 {
				t.Errorf("the second callback got %d %d", status, code)
			}
		})
	})
	t.Run("a refused callback may be corrected, but the person has seen it fail", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			i, done := b.ping()
			if status, code := b.callback(i, `{"type":7,"data":{"content":"x"}}`); status != 400 || code != 50035 {
				t.Errorf("an update of nothing got %d %d", status, code)
			}
			if r := <-done; r.Status != discordsim.Failed || r.Error == nil || r.Error.Code != 50035 {
				t.Errorf("got %+v", r)
			}
			if status, code := b.callback(i, sayPong); status != 204 {
				t.Errorf("the corrected callback got %d %d", status, code)
			}
		})
	})
	t.Run("a deferral with an edit is an answer", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			i, done := b.ping()
			b.callback(i, `{"type":5,"data":{"flags":64}}`)
			time.Sleep(5 * time.Second)
			original := "/webhooks/" + botID + "/" + i.Token + "/messages/@original"
			if status, _, text := b.rest("GET", original, ""); status != 200 || !strings.Contains(text, `"flags":192`) {
				t.Errorf("the waiting message: %d %s", status, text)
			}
			b.rest("PATCH", original, `{"content":"done"}`)
			r := <-done
			if r.Status != discordsim.Answered || r.Message.Content != "done" || !r.Ephemeral || r.Milliseconds != 5000 || r.Message.EditedTimestamp != nil {
				t.Errorf("got %+v", r)
			}
			if status, code, _ := b.rest("PATCH", "/channels/"+r.Message.ChannelID+"/messages/"+r.Message.ID, `{"content":"by token"}`); status != 404 || code != 10008 {
				t.Errorf("editing an ephemeral message with the bot token got %d %d", status, code)
			}
		})
	})
	t.Run("the first follow-up fills a deferred reply, and cannot make it private", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			i, done := b.ping()
			b.callback(i, `{"type":5}`)
			b.rest("POST", "/webhooks/"+botID+"/"+i.Token, `{"content":"done","flags":64}`)
			r := <-done
			messages, err := b.User("bob").Messages("general")
			if r.Ephemeral || r.Status != discordsim.Answered || err != nil || len(messages) != 1 || messages[0].Content != "done" {
				t.Errorf("got %+v, and bob sees %v, %v", r, messages, err)
			}
		})
	})
	t.Run("a token reaches the messages of its own interaction only", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			first, done := b.ping()
			b.callback(first, sayPong)
			theirs := (<-done).Message.ID
			second, done := b.ping()
			status, _, text := b.rest("POST", "/interactions/"+second.ID+"/"+second.Token+"/callback?with_response=true", sayPong)
			mine := (<-done).Message.ID
			if status != 200 || !strings.Contains(text, `"response_message_id":"`+mine+`"`) || !strings.Contains(text, `"content":"pong"`) {
				t.Errorf("with_response got %d %s", status, text)
			}
			messages := "/webhooks/" + botID + "/" + second.Token + "/messages/"
			if status, code, _ := b.rest("PATCH", messages+theirs, `{"content":"x"}`); status != 404 || code != 10008 {
				t.Errorf("editing another's message got %d %d", status, code)
			}
			if status, _, _ := b.rest("DELETE", messages+mine, ""); status != 204 {
				t.Errorf("deleting its own got %d", status)
			}
			if status, code, _ := b.rest("GET", messages+"@original", ""); status != 404 || code != 10008 {
				t.Errorf("then @original got %d %d", status, code)
			}
		})
	})
	t.Run("a deferral with nothing after it is told after 10 s", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			i, done := b.ping()
			b.callback(i, `{"type":5}`)
			began := time.Now()
			if r := <-done; r.Status != discordsim.Deferred || time.Since(began) != 10*time.Second {
				t.Errorf("got %+v after %v", r, time.Since(began))
			}
		})
	})
	t.Run("a deferral that comes as the three seconds end is in time or too late", func(t *testing.T) {
		simInBubble(t, discordsim.Config{}, func(b *bubble) {
			g := b.present()
			began := time.Now()
			b.SetFaults(discordsim.Faults{BeforeCallback: func(context.Context, string) { time.Sleep(time.Until(began.Add(3 * time.Second))) }})
			var waiting sync.WaitGroup
			for range 500 { // often, so that the deferral and the time limit also coincide exactly
				waiting.Go(func() {
					r, err := b.User("alice").Command(context.Background(), "general", "ping", nil)
					if err != nil || r.Status == discordsim.Deferred && r.Milliseconds != 13000 || r.Status == discordsim.TimedOut && r.Milliseconds != 3000 {
						t.Errorf("got %+v, %v", r, err)
					}
				})
				d := g.expect(0, "INTERACTION_CREATE").D
				waiting.Go(func() {
					b.callback(&discordgo.Interaction{ID: d["id"].(string), Token: d["token"].(string)}, `{"type":5}`)
				})
			}
			waiting.Wait()
		})
	})
	t.Run("a token works for 15 minutes of the clock", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			i, done := b.ping()
			b.callback(i, sayPong)
			<-done
			original := "/webhooks/" + botID + "/" + i.Token + "/messages/@original"
			if err := b.Advance(context.Background(), 14*time.Minute+59*time.Second); err != nil {
				t.Fatal(err)
			}
			if status, code, _ := b.rest("PATCH", original, `{"content":"in time"}`); status != 200 {
				t.Errorf("after 14:59: %d %d", status, code)
			}
			time.Sleep(time.Second)
			if status, code, _ := b.rest("PATCH", original, `{"content":"too late"}`); status != 401 || code != 50027 {
				t.Errorf("after 15:00: %d %d", status, code)
			}
			messages, _ := b.User("alice").Messages("general")
			if status, code, text := b.rest("PATCH", "/channels/"+messages[0].ChannelID+"/messages/"+messages[0].ID, `{"content":"as a bot"}`); status != 200 {
				t.Errorf("with the bot token: %d %d %s", status, code, text)
			}
		})
	})
	t.Run("an application that only a person installed may follow up five times", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			if _, err := b.AddServer(discordsim.Server{Name: "Elsewhere", Channels: []string{"lobby"}, BotsAbsent: true}); err != nil {
				t.Fatal(err)
			}
			ivy, err := b.AddUser(discordsim.Person{Username: "ivy", Installs: true})
			if err != nil {
				t.Fatal(err)
			}
			go ivy.Command(context.Background(), "lobby", "ping", nil)
			i := <-b.got
			b.callback(i, sayPong)
			for n := range 6 {
				status, code, _ := b.rest("POST", "/webhooks/"+botID+"/"+i.Token, `{"content":"more"}`)
				if n < 5 && status != 200 || n == 5 && (status != 400 || code != 40094) {
					t.Errorf("follow-up %d got %d %d", n+1, status, code)
				}
				time.Sleep(time.Second)
			}
		})
	})
	t.Run("the gateway lives through a day of heartbeats", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			time.Sleep(24 * time.Hour)
			i, done := b.ping()
			b.callback(i, sayPong)
			if r := <-done; r.Status != discordsim.Answered {
				t.Errorf("got %+v", r)
			}
		})
	})
}

func TestClock(t *testing.T) {
	t.Run("waits for interactions in flight and for what it set off", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			i, done := b.ping()
			acted := false
			due := b.Clock().After(time.Hour)
			b.OnAdvance(func(context.Context) error {
				<-due
				time.Sleep(time.Second)
				acted = true
				return nil
			})
			before := b.Clock().Now()
			moved := make(chan error, 1)
			go func() { moved <- b.Advance(context.Background(), 2*time.Hour) }()
			synctest.Wait()
			if len(moved) != 0 || !b.Clock().Now().Equal(before) {
				t.Error("the clock moved under an interaction in flight")
			}
			b.callback(i, sayPong)
			<-done
			if err := <-moved; err != nil || !acted {
				t.Errorf("returned %v, acted %v", err, acted)
			}
			if got := b.Clock().Now().Sub(before); got != 2*time.Hour+time.Second {
				t.Errorf("the clock moved by %v", got)
			}
		})
	})
	t.Run("After fires in real time and when the clock jumps", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			sim, err := discordsim.New(discordsim.Config{Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
			if err != nil {
				t.Fatal(err)
			}
			defer sim.Close()
			clock := sim.Clock()
			soon, later := clock.After(time.Minute), clock.After(time.Hour)
			began := time.Now()
			<-soon
			if took := time.Since(began); took != time.Minute {
				t.Errorf("a minute took %v", took)
			}
			if err := sim.Advance(context.Background(), 30*time.Minute); err != nil {
				t.Fatal(err)
			}
			if len(later) != 0 {
				t.Error("fired early")
			}
			<-later
			if took := time.Since(began); took != 30*time.Minute {
				t.Errorf("the hour ended after %v of real time, want 30m", took)
			}
			if at := <-clock.After(0); !at.Equal(clock.Now()) {
				t.Errorf("After(0) says %v", at)
			}
		})
	})
	t.Run("never goes back", func(t *testing.T) {
		w := newWorld(t, discordsim.Config{})
		if err := w.Advance(context.Background(), -time.Second); err == nil {
			t.Error("went back")
		}
	})
	t.Run("does not start before Discord", func(t *testing.T) {
		_, err := discordsim.New(discordsim.Config{Start: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err == nil || !strings.Contains(err.Error(), "Config.Start") {
			t.Errorf("got %v", err)
		}
	})
}

func TestFaults(t *testing.T) {
	t.Run("an interaction delivered twice is answered once", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			b.SetFaults(discordsim.Faults{Duplicate: true})
			i, done := b.ping()
			if again := <-b.got; again.ID != i.ID {
				t.Errorf("then came %s, want %s again", again.ID, i.ID)
			}
			first, _ := b.callback(i, sayPong)
			_, second := b.callback(i, sayPong)
			if r := <-done; first != 204 || second != 40060 || r.Status != discordsim.Answered {
				t.Errorf("got %d, %d and %+v", first, second, r)
			}
		})
	})
	t.Run("no callback is accepted before both deliveries are on the wire", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			const slow = "42"
			dialer := websocket.Dialer{NetDialContext: b.dial}
			ws, _, err := dialer.Dial("ws://sim.test/ws", nil)
			if err != nil {
				t.Fatal(err)
			}
			defer ws.Close()
			g := &gateway{t, ws}
			g.expect(10, "")
			g.send(fmt.Sprintf(`{"op":2,"d":{"properties":{},"token":%q,"intents":0}}`, tokenOf(slow)))
			g.expect(0, "READY")
			req, err := http.NewRequest("POST", "http://sim.test/api/v10/applications/"+slow+"/commands", strings.NewReader(`{"name":"slow","description":"x"}`))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bot "+tokenOf(slow))
			req.Header.Set("Content-Type", "application/json")
			res, err := b.http.Do(req)
			if err != nil || res.StatusCode != 201 {
				t.Fatalf("registering: %v, %v", res, err)
			}
			res.Body.Close()
			b.SetFaults(discordsim.Faults{Duplicate: true})
			go b.User("alice").Command(context.Background(), "general", "slow", nil)
			// A pipe has no buffer: the second delivery waits for its reader.
			d := g.expect(0, "INTERACTION_CREATE").D
			answered := make(chan int, 1)
			go func() {
				status, _ := b.callback(&discordgo.Interaction{ID: d["id"].(string), Token: d["token"].(string)}, sayPong)
				answered <- status
			}()
			synctest.Wait()
			if len(answered) != 0 {
				t.Error("the callback was answered before the second delivery")
			}
			g.expect(0, "INTERACTION_CREATE")
			if status := <-answered; status != 204 {
				t.Errorf("then it got %d", status)
			}
		})
	})
	t.Run("a callback held back past 3 s is too late", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			b.SetFaults(discordsim.Faults{BeforeCallback: func(context.Context, string) { time.Sleep(4 * time.Second) }})
			i, done := b.ping()
			_, code := b.callback(i, sayPong)
			if r := <-done; code != 10062 || r.Status != discordsim.TimedOut {
				t.Errorf("got %d and %+v", code, r)
			}
		})
	})
	t.Run("REST fails on demand", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			b.SetFaults(discordsim.Faults{REST: func(r *http.Request) int {
				if strings.HasSuffix(r.URL.Path, "/users/@me") {
					return http.StatusBadGateway
				}
				return 0
			}})
			if status, _, _ := b.rest("GET", "/users/@me", ""); status != 502 {
				t.Errorf("got %d", status)
			}
			if status, _, _ := b.rest("GET", "/gateway", ""); status != 200 {
				t.Errorf("another route got %d", status)
			}
		})
	})
}

func TestTwoClicksCanBeInFlight(t *testing.T) {
	inBubble(t, discordsim.Config{}, func(b *bubble) {
		i, done := b.ping()
		b.callback(i, `{"type":4,"data":{"content":"board","components":[{"type":1,"components":[{"type":2,"style":1,"label":"b2","custom_id":"b2"}]}]}}`)
		board := (<-done).Message.ID
		ctx := context.Background()
		var held []string
		for _, name := range []string{"alice", "bob"} {
			r, err := b.User(name).Click(ctx, board, discordsim.Button{CustomID: "b2", Hold: true})
			if err != nil || r.Status != discordsim.Held {
				t.Fatalf("%s: %+v, %v", name, r, err)
			}
			held = append(held, r.Interaction)
		}
		first, second := <-b.got, <-b.got
		b.callback(second, `{"type":7,"data":{"content":"second"}}`)
		b.callback(first, `{"type":7,"data":{"content":"first"}}`)
		for n, id := range held {
			r, err := b.Await(ctx, id)
			if err != nil || r.Status != discordsim.Answered {
				t.Errorf("click %d: %+v, %v", n, r, err)
			}
		}
		messages, _ := b.User("carol").Messages("general")
		if got := fmt.Sprintf("%d %s", len(messages), messages[0].Content); got != "1 first" {
			t.Errorf("in the end there is %s", got)
		}
	})
}

func TestADeferredClickIsSettledByWhatBecomesOfItsMessage(t *testing.T) {
	edited := `{"content":"moved"}`
	for _, row := range []struct {
		name  string
		then  func(s *stage, i *discordgo.Interaction, message string)
		after time.Duration
		shows string // the content of the message in the result; empty for none
	}{
		{"an edit by the click's token", func(s *stage, i *discordgo.Interaction, _ string) {
			s.do("PATCH", s.token(i)+"/messages/@original", edited)
		}, 0, "moved"},
		{"an edit in the channel", func(s *stage, _ *discordgo.Interaction, m string) { s.do("PATCH", s.messages()+"/"+m, edited) }, 0, "moved"},
		{"an update by another click", func(s *stage, _ *discordgo.Interaction, m string) { s.answer(s.clicked(m), updated) }, 0, "moved"},
		{"a follow-up", func(s *stage, i *discordgo.Interaction, _ string) { s.do("POST", s.token(i), edited) }, 0, "moved"},
		{"deleting it in the channel", func(s *stage, _ *discordgo.Interaction, m string) { s.do("DELETE", s.messages()+"/"+m, "") }, 0, ""},
		{"deleting it by the click's token", func(s *stage, i *discordgo.Interaction, _ string) {
			s.do("DELETE", s.token(i)+"/messages/@original", "")
		}, 0, ""},
		{"a moderator who deletes it", func(s *stage, _ *discordgo.Interaction, m string) { s.must(s.DeleteMessage(m)) }, 0, ""},
		{"deleting its channel", func(s *stage, _ *discordgo.Interaction, m string) { s.must(s.DeleteChannel("general")) }, 0, ""},
		{"an edit of another message", func(s *stage, _ *discordgo.Interaction, _ string) { s.do("PATCH", s.sent(edited), edited) }, 10 * time.Second, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			onStage(t, func(s *stage) reply {
				_, message := s.board("general")
				i := s.clicked(message)
				deferral := s.answer(i, `{"type":6}`)
				began := time.Now()
				row.then(s, i, message)
				r, err := s.Await(context.Background(), i.ID)
				s.must(err)
				if took := time.Since(began); took != row.after {
					t.Errorf("the person waited for %v, want %v", took, row.after)
				}
				if (r.Status == discordsim.Answered) != (row.after == 0) {
					t.Errorf("the click was %s", r.Status)
				}
				if got := r.Message; (got == nil) != (row.shows == "") || got != nil && got.Content != row.shows {
					t.Errorf("the person sees %+v, want %q", got, row.shows)
				}
				return deferral
			})
		})
	}
}
