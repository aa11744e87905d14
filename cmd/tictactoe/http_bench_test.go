package main

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/bot/endpoint"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/replica/lease"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/sqlite"
)

// BenchmarkEndpoint measures how many clicks a second are received over HTTP and answered, over loopback connections that stay
// open. "verify" reads a request, verifies it and answers that nothing changes. "floor" also saves the minimum that a click must save.
// "promised" saves and draws what the bot promises, without the rest of the bot. "answer" is the runtime with a handler that draws
// the same board for every click. "bot" is the whole bot, which commits each move. One operation is nine clicks on each of 64
// boards. Processor time includes the client, which is the same everywhere; the time of a Postgres server is reported separately.
func BenchmarkEndpoint(b *testing.B) {
	signer := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	key := signer.Public().(ed25519.PublicKey)
	discord := mutedDiscord(b, key)
	listen := func(b *testing.B) net.Listener {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { listener.Close() })
		return listener
	}
	none := func(context.Context, []match.Match) {}

	b.Run("verify", func(b *testing.B) {
		listener := listen(b)
		serveFloor(b, key, listener, unchanged(func(click) error { return nil }))
		clickOverHTTP(b, discord, signer, listener.Addr().String(), none, own(b, "cpu-us/click"))
	})
	b.Run("floor/sqlite", func(b *testing.B) {
		listener := listen(b)
		store, take := floorOnSQLite(b)
		serveFloor(b, key, listener, unchanged(take))
		clickOverHTTP(b, discord, signer, listener.Addr().String(), beginIn(b, store), own(b, "cpu-us/click"))
	})
	b.Run("floor/postgres", func(b *testing.B) {
		listener := listen(b)
		store, address, take := floorOnPostgres(b)
		serveFloor(b, key, listener, unchanged(take))
		clickOverHTTP(b, discord, signer, listener.Addr().String(), beginIn(b, store), own(b, "cpu-us/click"), meter{"postgres-us/click", serverOf(b, address)})
	})
	b.Run("promised/sqlite", func(b *testing.B) {
		store, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "bot.db"))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { store.Close() })
		listener := listen(b)
		take, begin := promised(b, store)
		serveFloor(b, key, listener, take)
		clickOverHTTP(b, discord, signer, listener.Addr().String(), begin, own(b, "cpu-us/click"))
	})
	b.Run("promised/postgres", func(b *testing.B) {
		address := pgtest.Migrated(b)
		store, err := postgres.Open(b.Context(), address)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { store.Close() })
		listener := listen(b)
		take, begin := promised(b, store)
		serveFloor(b, key, listener, take)
		clickOverHTTP(b, discord, signer, listener.Addr().String(), begin, own(b, "cpu-us/click"), meter{"postgres-us/click", serverOf(b, address)})
	})
	b.Run("answer", func(b *testing.B) {
		listener := listen(b)
		answerWithABoard(b, discord.URL, key, listener)
		clickOverHTTP(b, discord, signer, listener.Addr().String(), none, own(b, "cpu-us/click"))
	})
	for _, store := range []struct {
		name string
		db   func(b *testing.B) string
	}{
		{"sqlite", func(b *testing.B) string { return filepath.Join(b.TempDir(), "bot.db") }},
		{"postgres", func(b *testing.B) string { return pgtest.Migrated(b) }},
	} {
		b.Run("bot/"+store.name, func(b *testing.B) {
			listener, db := listen(b), store.db(b)
			ctx, cancel := context.WithCancel(b.Context())
			a, err := newApp(ctx, settings{
				listen: func() (net.Listener, error) { return listener, nil }, key: key, db: db, token: playgroundToken, discordURL: discord.URL,
				clock: clock.Machine{}, log: slog.New(slog.DiscardHandler),
			})
			if err != nil {
				b.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- a.run(ctx) }()
			b.Cleanup(func() { cancel(); <-ended })
			meters := []meter{own(b, "cpu-us/click")}
			if postgres.IsAddress(db) {
				meters = append(meters, meter{"postgres-us/click", serverOf(b, db)})
			}
			clickOverHTTP(b, discord, signer, listener.Addr().String(), beginIn(b, a.store), meters...)
		})
	}
}

// answerWithABoard runs a bot whose only handler answers every click with the same board.
func answerWithABoard(b *testing.B, discordURL string, key ed25519.PublicKey, listener net.Listener) {
	router := bot.NewRouter()
	var rows []discordgo.MessageComponent
	for y := range 3 {
		var squares []discordgo.MessageComponent
		for x := range 3 {
			squares = append(squares, discordgo.Button{
				CustomID: fmt.Sprintf("play:0:0:%c%d", 'a'+x, y+1), Style: discordgo.SecondaryButton, Emoji: &discordgo.ComponentEmoji{Name: "▫️"},
			})
		}
		rows = append(rows, discordgo.ActionsRow{Components: squares})
	}
	router.Component("play", func(context.Context, *bot.Interaction) (bot.Reply, error) {
		return bot.Reply{Kind: bot.Update, Components: rows}, nil
	})
	rest, err := rest.New(rest.Config{Token: playgroundToken, BaseURL: discordURL})
	if err != nil {
		b.Fatal(err)
	}
	runtime := bot.New(bot.Config{
		REST: rest, Lanes: new(bot.Lanes), Router: router, Leases: &lease.Memory{}, Clock: clock.New(clock.Machine{}),
		Telemetry: bot.Telemetry{
			Logger: slog.New(slog.DiscardHandler), Describe: func(*bot.Interaction) []slog.Attr { return nil }, Report: func(bot.Report) {},
		},
		Apology: func(*bot.Interaction, string, error) bot.Reply { return bot.Reply{} },
		Endpoint: &bot.Endpoint{
			Listen: func() (net.Listener, error) { return listener, nil }, Key: key,
		},
	})
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- runtime.Run(ctx, bot.Hooks{
			Connected: func(context.Context, gateway.Shard) error { return nil }, Disconnected: func(gateway.Shard) {},
			Housekeeping: func(context.Context, gateway.Shard) {}, Guilds: func(context.Context, bot.Guilds) error { return nil },
		})
	}()
	b.Cleanup(func() { cancel(); <-ended })
}

// muted is a Discord that names the bot's application and accepts all other requests. It sends the content of a callback to the channel that
// awaited has under the id of the interaction.
type muted struct {
	*httptest.Server
	awaited sync.Map
}

func mutedDiscord(b *testing.B, key ed25519.PublicKey) *muted {
	discord := new(muted)
	discord.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, of, ok := strings.Cut(r.URL.Path, "/interactions/"); ok {
			id, _, _ := strings.Cut(of, "/")
			body, _ := io.ReadAll(r.Body)
			if waits, ok := discord.awaited.LoadAndDelete(id); ok {
				waits.(chan string) <- string(body)
			}
			w.WriteHeader(http.StatusNoContent)
			return
		}
		switch {
		case strings.HasSuffix(r.URL.Path, "/applications/@me"):
			fmt.Fprintf(w, `{"id":"100000000000000001","verify_key":%q}`, hex.EncodeToString(key))
		case strings.HasSuffix(r.URL.Path, "/commands"), strings.HasSuffix(r.URL.Path, "/guilds"):
			io.WriteString(w, "[]")
		default:
			io.WriteString(w, `{"id":"1"}`)
		}
	}))
	b.Cleanup(discord.Close)
	return discord
}

// beginIn returns a function that stores new matches.
func beginIn(b *testing.B, store match.Store) func(context.Context, []match.Match) {
	return func(ctx context.Context, matches []match.Match) {
		var save match.Save
		for _, m := range matches {
			save.Matches = append(save.Matches, match.MatchChange{To: m})
		}
		if err := store.Save(ctx, save); err != nil {
			b.Fatal(err)
		}
	}
}

// clickOverHTTP repeatedly plays a game on each of 64 boards at once, in as many servers. begin stores the matches before each
// game.
func clickOverHTTP(b *testing.B, discord *muted, signer ed25519.PrivateKey, address string, begin func(context.Context, []match.Match), meters ...meter) {
	const boards = 64
	squares := []string{"a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3"} // these moves lead to a draw
	conns := make([]net.Conn, boards)
	for i := range conns {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			b.Fatal(err)
		}
		defer conn.Close()
		conns[i] = conn
	}
	var mu sync.Mutex
	var took []time.Duration
	var elapsed time.Duration
	used := make([]time.Duration, len(meters))
	interaction := 0
	for b.Loop() {
		b.StopTimer()
		var matches []match.Match
		requests := make([][][]byte, boards)
		for i := range boards {
			interaction++
			id := match.ID(fmt.Sprintf("b%d", interaction))
			server := fmt.Sprint(7000 + i)
			players := [2]string{fmt.Sprint(1000 + 2*i), fmt.Sprint(1001 + 2*i)}
			matches = append(matches, match.Start(id, id, match.Venue(server), game.Classic(), match.Seats{match.Human(match.User(players[0])), match.Human(match.User(players[1]))}, time.Minute, 1, time.Now()))
			for ply, square := range squares {
				interaction++
				requests[i] = append(requests[i], signedClick(signer, interaction, server, players[ply%2], fmt.Sprintf("play:%s:%d:%s", id, ply, square)))
			}
		}
		begin(b.Context(), matches)
		first := interaction - boards*(len(squares)+1) + 1 // the id of the first match; the ids of its clicks follow
		start := time.Now()
		before := read(meters)
		b.StartTimer()
		var all sync.WaitGroup
		for i, conn := range conns {
			all.Go(func() {
				reader := bufio.NewReader(conn)
				times := make([]time.Duration, 0, len(squares))
				for ply, request := range requests[i] {
					at := time.Now()
					id := fmt.Sprint(first + i*(len(squares)+1) + ply + 1)
					callback := make(chan string, 1)
					discord.awaited.Store(id, callback)
					if _, err := conn.Write(request); err != nil {
						b.Error(err)
						return
					}
					resp, err := http.ReadResponse(reader, nil)
					if err != nil {
						b.Error(err)
						return
					}
					body, err := io.ReadAll(resp.Body)
					if resp.StatusCode == http.StatusAccepted {
						body = []byte(<-callback)
					}
					if err != nil || !strings.HasPrefix(string(body), `{"type":7`) && string(body) != `{"type":6}` {
						b.Errorf("board %d, ply %d: %d %s %v", i, ply, resp.StatusCode, body, err)
						return
					}
					times = append(times, time.Since(at))
				}
				mu.Lock()
				defer mu.Unlock()
				took = append(took, times...)
			})
		}
		all.Wait()
		elapsed += time.Since(start)
		for i, now := range read(meters) {
			used[i] += now - before[i]
		}
	}
	slices.Sort(took)
	n := float64(len(took))
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(n/elapsed.Seconds(), "clicks/s")
	for i, m := range meters {
		b.ReportMetric(float64(used[i].Microseconds())/n, m.unit)
	}
}

// signedClick returns a complete HTTP request for a click.
func signedClick(signer ed25519.PrivateKey, n int, server, player, customID string) []byte {
	id, ply := strings.Split(customID, ":")[1], strings.Split(customID, ":")[2]
	var squares []string
	for i := range 9 {
		squares = append(squares, fmt.Sprintf(`{"type":2,"id":%d,"style":2,"custom_id":"play:%s:%s:%c%d","emoji":{"name":"▫️"}}`, i+2, id, ply, 'a'+i%3, 1+i/3))
	}
	body := fmt.Sprintf(`{"id":"%d","application_id":"100000000000000001","token":"dG9rZW4%d","version":1,"type":3,"guild_id":"%s","channel_id":"8",`+
		`"channel":{"id":"8","type":0,"name":"general"},"locale":"en-US","guild_locale":"en-US","app_permissions":"0","entitlements":[],"context":0,`+
		`"authorizing_integration_owners":{"0":"%s"},"member":{"user":{"id":"%s","username":"p%s","global_name":"P"},"roles":[],"permissions":"0"},`+
		`"data":{"component_type":2,"custom_id":"%s","id":2},"message":{"id":"9%s","channel_id":"8","type":20,"flags":32768,"content":"","components":[{"type":1,"components":[%s]}]}}`,
		n, n, server, server, player, player, customID, id[1:], strings.Join(squares, ","))
	stamp := fmt.Sprint(time.Now().Unix())
	signature := hex.EncodeToString(ed25519.Sign(signer, []byte(stamp+body)))
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: bot.test\r\nContent-Type: application/json\r\nX-Signature-Timestamp: %s\r\n"+
		"X-Signature-Ed25519: %s\r\nContent-Length: %d\r\n\r\n%s", endpoint.Path, stamp, signature, len(body), body)
}
