//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"tictactoe/discordsim"
)

// BenchmarkClick measures a click over loopback sockets: the simulator delivers it, the bot commits the move with its scores and
// board and answers, and the simulator shows the new board. For comparison, "floor" is a discordgo session that answers every click
// with the same board and does nothing else; "synced" also waits for the disk first. One operation is nine clicks on each of the
// boards at once. Processor time and allocations include the bot and the simulator.
func BenchmarkClick(b *testing.B) {
	for _, players := range []int{1, 8, 64, 256} {
		b.Run(fmt.Sprintf("players=%d/bot", players), func(b *testing.B) {
			sim, server := benchSim(b)
			ctx, cancel := context.WithCancel(b.Context())
			a, err := newApp(ctx, settings{
				db: filepath.Join(b.TempDir(), "bot.db"), token: playgroundToken, discordURL: server.URL,
				clock: sim.Clock(), log: slog.New(slog.DiscardHandler),
			})
			if err != nil {
				b.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- a.run(ctx) }()
			b.Cleanup(func() { cancel(); <-ended })
			clickAway(b, sim, pairs(b, sim, players), func(p pair) string { return startMatch(b, sim, p) })
		})
		floor := func(save func(id string, begins bool) error) func(b *testing.B) {
			return func(b *testing.B) {
				sim, server := benchSim(b)
				floorBot(b, server.URL, save)
				boards := map[pair]string{}
				people := pairs(b, sim, players)
				for _, p := range people {
					boards[p] = eventually(b, func() (discordsim.Result, error) {
						return sim.User(p[0]).Command(b.Context(), "general", "board", nil)
					}).Message.ID
				}
				clickAway(b, sim, people, func(p pair) string { return boards[p] })
			}
		}
		b.Run(fmt.Sprintf("players=%d/floor", players), floor(nil))
		if players == 1 { // with several players, one sync of the disk would serve several clicks
			b.Run("players=1/synced", floor(syncs(b)))
		}
	}
}

// syncs returns a function that writes as many bytes to a file as the commit of a move, and waits for the disk.
func syncs(b *testing.B) func(id string, begins bool) error {
	file, err := os.Create(filepath.Join(b.TempDir(), "log"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { file.Close() })
	commit := make([]byte, 5*4120) // five pages of the write-ahead log, which starts again after a thousand pages
	n := 0
	return func(string, bool) error {
		n++
		if _, err := file.WriteAt(commit, int64(n%200*len(commit))); err != nil {
			return err
		}
		return file.Sync()
	}
}

// pair is two users who play each other.
type pair [2]string

func pairs(b *testing.B, sim *discordsim.Sim, n int) []pair {
	var all []pair
	for i := range n {
		all = append(all, newPair(b, sim, i))
	}
	return all
}

func newPair(b *testing.B, sim *discordsim.Sim, i int) pair {
	p := pair{fmt.Sprintf("x%d", i), fmt.Sprintf("o%d", i)}
	for _, name := range p {
		if _, err := sim.AddUser(discordsim.Person{Username: name}); err != nil {
			b.Fatal(err)
		}
	}
	return p
}

func benchSim(b *testing.B) (*discordsim.Sim, *httptest.Server) {
	sim, err := discordsim.New(discordsim.Config{})
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(sim.Handler())
	b.Cleanup(func() { sim.Close(); server.Close() })
	return sim, server
}

// clickAway repeatedly plays all squares of every pair's board until the benchmark ends.
func clickAway(b *testing.B, sim *discordsim.Sim, people []pair, board func(pair) string, meters ...meter) {
	var took []time.Duration
	var elapsed, processor time.Duration
	var allocations uint64
	others := make([]time.Duration, len(meters))
	for b.Loop() {
		b.StopTimer()
		boards := map[pair]string{}
		for _, p := range people {
			boards[p] = board(p)
		}
		start, used, made, before := time.Now(), processorTime(b), mallocs(), read(meters)
		b.StartTimer()
		took = append(took, clickOnce(b, sim, boards)...)
		for i, now := range read(meters) {
			others[i] += now - before[i]
		}
		elapsed, processor, allocations = elapsed+time.Since(start), processor+processorTime(b)-used, allocations+mallocs()-made
	}
	slices.Sort(took)
	n := float64(len(took))
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(n/elapsed.Seconds(), "clicks/s")
	b.ReportMetric(float64(processor.Microseconds())/n, "cpu-us/click")
	b.ReportMetric(float64(allocations)/n, "allocs/click")
	for i, m := range meters {
		b.ReportMetric(float64(others[i].Microseconds())/n, m.unit)
	}
}

// clickOnce plays all squares of each pair's board one after the other, on all boards at once. It returns how long each click took.
func clickOnce(b *testing.B, sim *discordsim.Sim, boards map[pair]string) (took []time.Duration) {
	order := []string{"a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3"} // a draw
	var mu sync.Mutex
	var all sync.WaitGroup
	for p, board := range boards {
		all.Go(func() {
			for ply, square := range order {
				begin := time.Now()
				r, err := sim.User(p[ply%2]).Click(b.Context(), board, discordsim.Button{Index: int(square[0]-'a') + 3*int(square[1]-'1')})
				if err != nil || r.Status != "answered" || r.Ephemeral {
					said, _ := json.Marshal(r.Message) // the bot has answered with a text instead of the board
					b.Errorf("ply %d: %v %s %s", ply, err, r.Status, said)
					return
				}
				mu.Lock()
				took = append(took, time.Since(begin))
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return took
}

// processorTime returns the processor time that this process has used.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

// startMatch begins a match between a pair.
func startMatch(b *testing.B, sim *discordsim.Sim, p pair) string {
	r := eventually(b, func() (discordsim.Result, error) {
		return sim.User(p[0]).Command(b.Context(), "general", "tictactoe challenge", map[string]any{"opponent": p[1], "first": "me"})
	})
	if r.Ephemeral {
		b.Fatalf("no challenge: %s", textOf(r.Message))
	}
	id := r.Message.ID
	if _, err := sim.User(p[1]).Click(b.Context(), id, discordsim.Button{Label: "Accept"}); err != nil {
		b.Fatal(err)
	}
	return id
}

// eventually repeats a command until the bot has registered it.
func eventually(b *testing.B, act func() (discordsim.Result, error)) discordsim.Result {
	deadline := time.Now().Add(10 * time.Second)
	for {
		r, err := act()
		if err == nil {
			return r
		}
		if time.Now().After(deadline) {
			b.Fatal(err)
		}
	}
}

// floorBot answers a command and every click with a board. If save is not nil, it first calls save with the id of the command's
// interaction, or of the interaction that created the board. It does nothing else.
func floorBot(b testing.TB, address string, save func(id string, begins bool) error) {
	s, err := discordgo.New("Bot " + playgroundToken)
	if err != nil {
		b.Fatal(err)
	}
	s.Client = &http.Client{Transport: toHost{address, &http.Transport{MaxIdleConns: 512, MaxIdleConnsPerHost: 512}}}
	s.Dialer = &websocket.Dialer{}
	s.StateEnabled, s.SyncEvents = false, save == nil // save waits for the disk, so it needs a goroutine for each event
	s.AddHandler(func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		kind, id, begins := discordgo.InteractionResponseUpdateMessage, i.ID, i.Type == discordgo.InteractionApplicationCommand
		if begins {
			kind = discordgo.InteractionResponseChannelMessageWithSource
		} else {
			_, id, _ = strings.Cut(i.MessageComponentData().CustomID, ":")
		}
		if save != nil {
			if err := save(id, begins); err != nil {
				b.Error(err)
			}
		}
		var rows []discordgo.MessageComponent
		for y := range 3 {
			var squares []discordgo.MessageComponent
			for x := range 3 {
				squares = append(squares, discordgo.Button{
					CustomID: string([]byte{'a' + byte(x), '1' + byte(y), ':'}) + id, Style: discordgo.SecondaryButton, Emoji: &discordgo.ComponentEmoji{Name: "▫️"},
				})
			}
			rows = append(rows, discordgo.ActionsRow{Components: squares})
		}
		if err := s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: kind, Data: &discordgo.InteractionResponseData{
			Flags: discordgo.MessageFlagsIsComponentsV2, Components: rows, Embeds: []*discordgo.MessageEmbed{},
		}}); err != nil {
			b.Error(err)
		}
	})
	if err := s.Open(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	app := ownID(playgroundToken)
	if _, err := s.ApplicationCommandCreate(app, "", &discordgo.ApplicationCommand{Name: "board", Description: "a board"}); err != nil {
		b.Fatal(err)
	}
}

// toHost sends every request to one host.
type toHost struct {
	address string
	through http.RoundTripper
}

func (t toHost) RoundTrip(r *http.Request) (*http.Response, error) {
	to, err := url.Parse(t.address)
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host, r.Host = to.Scheme, to.Host, to.Host
	return t.through.RoundTrip(r)
}
