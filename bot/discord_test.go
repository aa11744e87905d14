package bot_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/discordsim"
	"tictactoe/discordsim/simtest"
	"tictactoe/internal/boards/messages"
)

const simToken = "MTAwMDAwMDAwMDAwMDAwMDAx.of.tests"

// onSim is a bot on the simulator, in a synctest bubble.
type onSim struct {
	*runtime
	t   *testing.T
	sim *discordsim.Sim

	mu       sync.Mutex
	dial     func(ctx context.Context, network, addr string) (net.Conn, error)
	up       int // the number of times that the bot has connected
	lost     []time.Time
	handlers int // the number of handlers that have run
}

// discord runs a test with a bot that is connected to a healthy simulator. The synctest bubble ends only when all goroutines have ended, so
// the bot must leave none behind.
func discord(t *testing.T, name string, test func(t *testing.T, o *onSim)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			sim, err := discordsim.New(discordsim.Config{Start: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)})
			if err != nil {
				t.Fatal(err)
			}
			listener, dial := simtest.Pipe()
			server := &http.Server{Handler: sim.Handler()}
			go server.Serve(listener)
			o := &onSim{t: t, sim: sim, dial: dial}
			f := &fake{t: t, listener: &pipes{}}
			t.Cleanup(func() { sim.Close(); server.Close() })
			o.runtime = f.run(func(c *config) {
				c.Token, c.Dial = simToken, func(ctx context.Context, network, addr string) (net.Conn, error) {
					o.mu.Lock()
					dial := o.dial
					o.mu.Unlock()
					return dial(ctx, network, addr)
				}
				c.Connected = func(context.Context, gateway.Shard) error { o.mu.Lock(); defer o.mu.Unlock(); o.up++; return nil }
				c.Disconnected = func(gateway.Shard) { o.mu.Lock(); defer o.mu.Unlock(); o.lost = append(o.lost, time.Now()) }
				c.Commands = func() []*discordgo.ApplicationCommand {
					return []*discordgo.ApplicationCommand{{Name: "ping", Description: "ping"}, {Name: "panic", Description: "panic"}, {Name: "picture", Description: "picture"}}
				}
				c.Router.Command("picture", func(context.Context, *bot.Interaction) (bot.Reply, error) { return pictured(bot.Post, "first"), nil })
				c.Router.Component("next", func(context.Context, *bot.Interaction) (bot.Reply, error) { return pictured(bot.Update, "second"), nil })
				c.Router.Command("ping", func(context.Context, *bot.Interaction) (bot.Reply, error) {
					o.mu.Lock()
					defer o.mu.Unlock()
					o.handlers++
					return private("pong"), nil
				})
				c.Router.Command("panic", func(context.Context, *bot.Interaction) (bot.Reply, error) { panic("a bug") })
			})
			passed(5 * time.Second)
			o.wantAnswer("while all is well")
			test(t, o)
		})
	})
}

// use sends a command and returns how it ended.
func (o *onSim) use(command string) (discordsim.Result, error) {
	return o.sim.User("alice").Command(o.t.Context(), "general", command, nil)
}

func (o *onSim) wantAnswer(when string) {
	o.t.Helper()
	if r, err := o.use("ping"); err != nil || r.Status != "answered" {
		o.t.Errorf("%s: %v, %q\n%s", when, err, r.Status, o.logs)
	}
}

func (o *onSim) set(f discordsim.Faults) {
	o.t.Helper()
	if err := o.sim.SetFaults(f); err != nil {
		o.t.Fatal(err)
	}
}

// TestGatewayFaults tests that players do not notice faults of the gateway and the API. docs/gateway.md lists the faults.
func TestGatewayFaults(t *testing.T) {
	for name, fault := range map[string]discordsim.Faults{
		"op 7 in place of HELLO":                    {Hello: discordsim.HelloReconnect},
		"an unasked op 11 before READY":             {Hello: discordsim.HelloACK},
		"silence after HELLO":                       {Silent: true},
		"op 7 in place of READY":                    {AfterIdentify: discordsim.AfterIdentifyReconnect},
		"op 9 in place of READY":                    {AfterIdentify: discordsim.AfterIdentifyInvalid},
		"op 9 in place of READY, said resumable":    {AfterIdentify: discordsim.AfterIdentifyInvalidResumable},
		"heartbeats that nobody acknowledges":       {NoACKs: true},
		"an API that answers nothing but 502":       {RESTStatus: 502},
		"an API that is shut by the wall before it": {RESTLimit: discordsim.LimitHTML},
		"an API that is globally limited":           {RESTLimit: discordsim.LimitGlobalBare},
	} {
		for how, lose := range map[string]func(*discordsim.Sim) int{
			"a dropped connection":  (*discordsim.Sim).DropGateway,
			"an ended session":      func(s *discordsim.Sim) int { return s.InvalidateSessions(false) },
			"a request to resume":   (*discordsim.Sim).Reconnect,
			"close code 4009":       func(s *discordsim.Sim) int { return s.CloseGateway(4009, "") },
			"an unknown close code": func(s *discordsim.Sim) int { return s.CloseGateway(4321, "") },
		} {
			discord(t, name+" after "+how+" is survived, and the bot hears again", func(t *testing.T, o *onSim) {
				o.set(fault)
				lose(o.sim)
				passed(2 * time.Minute)
				o.set(discordsim.Faults{})
				passed(95 * time.Second) // a silent connection is given up after 87 s; pauses last up to a minute
				o.wantAnswer("after the fault")
			})
			discord(t, name+" after "+how+" does not keep the bot from stopping", func(t *testing.T, o *onSim) {
				o.set(fault)
				lose(o.sim)
				passed(7 * time.Second)
				start := time.Now()
				o.cancel()
				if err := <-o.done; err != nil || time.Since(start) > 5*time.Second {
					t.Errorf("stopped after %v: %v", time.Since(start), err)
				}
			})
		}
	}

	discord(t, "a dead connection is noticed within 90 s and its session resumed, so that no event is lost", func(t *testing.T, o *onSim) {
		o.set(discordsim.Faults{NoACKs: true})
		start := time.Now()
		passed(90 * time.Second)
		o.mu.Lock()
		defer o.mu.Unlock()
		if len(o.lost) != 1 || o.lost[0].Sub(start) > 90*time.Second || o.up != 2 {
			t.Errorf("lost at %v, connected %d times\n%s", o.lost, o.up, o.logs)
		}
		if !strings.Contains(o.logs.String(), "resumed=true") {
			t.Errorf("not resumed:\n%s", o.logs)
		}
	})

	for _, code := range []int{4004, 4010, 4011, 4012, 4013, 4014} {
		discord(t, "a fatal close code ends Run with advice", func(t *testing.T, o *onSim) {
			o.sim.CloseGateway(code, "")
			wantFatal(t, <-o.done, code)
		})
	}

	discord(t, "a host that cannot be dialled does not keep the bot from stopping", func(t *testing.T, o *onSim) {
		o.mu.Lock()
		o.dial = func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }
		o.mu.Unlock()
		o.sim.DropGateway()
		passed(7 * time.Second)
		start := time.Now()
		o.cancel()
		if err := <-o.done; err != nil || time.Since(start) > 5*time.Second {
			t.Errorf("stopped after %v: %v", time.Since(start), err)
		}
	})

	discord(t, "a panic in a handler affects no other interaction", func(t *testing.T, o *onSim) {
		for range 3 {
			if r, err := o.use("panic"); err != nil || r.Status != "answered" {
				t.Errorf("%v %+v", err, r)
			}
		}
		o.wantAnswer("after a panic")
		if !strings.Contains(o.logs.String(), "a bug") || !strings.Contains(o.logs.String(), "discord_test.go") {
			t.Errorf("no panic with its stack in the log:\n%s", o.logs)
		}
	})

	discord(t, "repeated and reordered interactions are answered once each", func(t *testing.T, o *onSim) {
		o.set(discordsim.Faults{Duplicate: true, Reorder: true})
		before := o.handlers
		for range 5 {
			o.wantAnswer("twice")
		}
		passed(5 * time.Second)
		if o.handlers != before+5 {
			t.Errorf("%d handlers ran for 5 commands", o.handlers-before)
		}
	})

	discord(t, "sessions are not started in a loop even if the gateway asks for no pause", func(t *testing.T, o *onSim) {
		o.set(discordsim.Faults{AfterIdentify: discordsim.AfterIdentifyInvalid})
		o.sim.InvalidateSessions(false)
		passed(24 * time.Hour)
		identified := strings.Count(o.logs.String(), "does not accept the session")
		if identified > 20+24*30 || identified < 24*25 {
			t.Errorf("%d sessions in a day", identified)
		}
		o.set(discordsim.Faults{})
		passed(5 * time.Minute)
		o.wantAnswer("a day later")
	})
}

// TestLimitsOfDiscord tests that players do not notice the limits of the REST API.
func TestLimitsOfDiscord(t *testing.T) {
	for name, kind := range map[string]string{
		"with every header":            discordsim.LimitGlobal,
		"without a Reset-After":        discordsim.LimitGlobalBare,
		"by the wall before the API":   discordsim.LimitHTML,
		"of a resource shared by many": discordsim.LimitShared,
	} {
		discord(t, "a limit "+name+" is waited for, and not asked again before", func(t *testing.T, o *onSim) {
			channel := o.channel()
			o.set(discordsim.Faults{RESTLimit: kind, RESTRetryAfterMS: 7000, RESTCount: 1})
			start := time.Now()
			var message string
			err := patiently(func() (err error) {
				message, err = o.rest.Post(t.Context(), channel, "", drawing(say("hello").Components...), nil)
				return err
			})
			if took := time.Since(start); err != nil || message == "" || took < 7*time.Second || took > 8*time.Second {
				t.Errorf("after %v: %v", took, err)
			}
			o.wantAnswer("after the limit")
		})
	}

	discord(t, "with 2 s for each call a command is answered in time", func(t *testing.T, o *onSim) {
		o.set(discordsim.Faults{RESTDelayMS: 2000})
		for range 3 {
			o.wantAnswer("with a slow API")
		}
	})

	discord(t, "a late response to a callback does not lead to a second answer", func(t *testing.T, o *onSim) {
		o.set(discordsim.Faults{CallbackDelayMS: 2700})
		for range 3 {
			o.wantAnswer("with a slow callback")
		}
		o.set(discordsim.Faults{})
		o.wantAnswer("afterwards")
	})
}

func TestPostOnce(t *testing.T) {
	discord(t, "is one message while Discord knows its nonce, and another one afterwards", func(t *testing.T, o *onSim) {
		channel := o.channel()
		post := func(nonce, text string) string {
			t.Helper()
			message, err := o.rest.PostOnce(t.Context(), channel, nonce, drawing(say(text).Components...), nil)
			if err != nil || message == "" {
				t.Fatal(message, err)
			}
			return message
		}
		first := post("once", "hello")
		if again := post("once", "hello again"); again != first {
			t.Errorf("the same nonce made two messages, %s and %s", first, again)
		}
		if other := post("twice", "hello"); other == first {
			t.Error("another nonce did not make another message")
		}
		passed(10 * time.Minute)
		if later := post("once", "hello"); later == first {
			t.Error("after ten minutes the nonce did not make another message")
		}
	})

	discord(t, "is refused with a nonce that is too long", func(t *testing.T, o *onSim) {
		channel := o.channel()
		for _, tt := range []struct {
			length int
			taken  bool
		}{{rest.MaxNonce, true}, {rest.MaxNonce + 1, false}} {
			_, err := o.rest.PostOnce(t.Context(), channel, strings.Repeat("n", tt.length), drawing(say("hello").Components...), nil)
			if (err == nil) != tt.taken || !tt.taken && !rest.IsAnswer(err) {
				t.Errorf("%d characters: %v", tt.length, err)
			}
		}
	})
}

// shown returns a message as alice sees it.
func (o *onSim) shown(channel, id string) *discordsim.Message {
	o.t.Helper()
	all, err := o.sim.User("alice").Messages(channel)
	if err != nil {
		o.t.Fatal(err)
	}
	for _, m := range all {
		if m.ID == id {
			return m
		}
	}
	o.t.Fatalf("no message %s", id)
	return nil
}

func (o *onSim) channel() string {
	o.t.Helper()
	r, err := o.use("ping")
	if err != nil || r.Message == nil {
		o.t.Fatalf("no message: %v", err)
	}
	return r.Message.ChannelID
}

func TestADrawnPicture(t *testing.T) {
	picture := rest.Attached{
		MediaGallery: discordgo.MediaGallery{Items: []discordgo.MediaGalleryItem{{Media: discordgo.UnfurledMediaItem{URL: "attachment://shot.png"}}}},
		File:         rest.File{Name: "shot.png", Type: "image/png", Description: "a shot", Content: []byte("\x89PNG\r\n\x1a\n")},
		Words:        discordgo.TextDisplay{Content: "a shot in words"},
	}
	discord(t, "is sent as a file, and edited", func(t *testing.T, o *onSim) {
		channel := o.channel()
		message, err := o.rest.Post(t.Context(), channel, "", drawing(picture), nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := o.rest.EditMessage(t.Context(), channel, message, drawing(picture)); err != nil {
				t.Fatal(err)
			}
			if m := o.shown(channel, message); len(m.Components) != 1 || !strings.Contains(string(m.Components[0].Items), "shot.png") {
				t.Errorf("%+v", m.Components)
			}
		}
	})
	discord(t, "is sent in words where the bot may not attach files", func(t *testing.T, o *onSim) {
		channel := o.channel()
		if err := o.sim.SetOverwrite(channel, "", 0, discordsim.AttachFiles); err != nil {
			t.Fatal(err)
		}
		message, err := o.rest.Post(t.Context(), channel, "", drawing(picture), nil)
		if err != nil {
			t.Fatal(err)
		}
		if m := o.shown(channel, message); len(m.Attachments) > 0 || len(m.Components) != 1 || m.Components[0].Content != "a shot in words" {
			t.Errorf("%+v", m)
		}
	})
}

func TestAThreadFromAMessage(t *testing.T) {
	discord(t, "is made once", func(t *testing.T, o *onSim) {
		channel := o.channel()
		message, err := o.rest.Post(t.Context(), channel, "", drawing(say("hello").Components...), nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			thread, err := o.rest.StartThread(t.Context(), channel, message, "Friday")
			if err != nil || thread != message {
				t.Fatal(thread, err)
			}
		}
		if _, err := o.rest.Post(t.Context(), message, "", drawing(say("in the thread").Components...), nil); err != nil {
			t.Error(err)
		}
		if _, err := o.rest.StartThread(t.Context(), channel, "1", "Friday"); !errors.Is(err, messages.ErrGone) {
			t.Error(err)
		}
	})
}
