// Package soak lets many users play against a real bot while faults happen. It records what each user did and was told, and then judges
// that history against the database.
//
// The judge consists of [Laws]: each checks the history and the final tables, and finds what violates it. The laws use only these parts of
// the bot: package game, which replays the stored moves; the keys of the bot's texts; constants that state the bot's promises; and the
// command that checks the database.
package soak

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"tictactoe/discordsim"
	"tictactoe/internal/show/locale"
	"tictactoe/store/postgres/pgserver"
)

const (
	// application is the bot's id, and token its token, which only a simulator accepts.
	application = "100000000000000001"
	token       = "MTAwMDAwMDAwMDAwMDAwMDAx.soak.local"
	// arriveTime is how long the run waits for a bot to start or to take over a shard before it gives up. It is longer than the laws
	// allow, even if the database is locked and the gateway refuses connections.
	arriveTime = 2 * time.Minute
	// glance is the interval between checks whether a bot is back.
	glance = 5 * time.Millisecond
	// progressEvery is the interval between progress reports.
	progressEvery = time.Second
	// calmLeast and calmMost bound how long the run waits after all faults for boards to be redrawn and deadlines to be enforced. After a
	// full disk, clocks are paused for up to ten seconds.
	calmLeast = 10*time.Second + judgeTime
	calmMost  = 3 * time.Minute
	// channels is the approximate minimum number of channels that players use, in all servers together; each server has one.
	channels = 4
	// enoughPlayers is the number of players who do everything that the laws judge in a reasonable time.
	enoughPlayers = 64
	// readers is the number of servers that switch on the daily puzzle during a run.
	readers = 40
)

// Config describes a run.
type Config struct {
	Program  string // path of the tictactoe program to test
	Older    string // path of an older build, which runs at first and after every second restart; empty for none
	Setup           // how the bot is run
	Seed     uint64
	Duration time.Duration // how long the players play and faults happen
	Players  int
	Faults   []Fault
	Pace     time.Duration // average time between two actions of a player; 600 ms if zero
	History  string        // file for the whole history, as JSON lines; empty for none
	// Progress, if set, is called at the interval progressEvery.
	Progress func(passed time.Duration, s Summary)
}

// Report is the result of a run.
type Report struct {
	Setup
	Text     string           `json:"setup"` // a description of the setup
	Seed     uint64           `json:"seed"`
	Players  int              `json:"players"`
	Duration time.Duration    `json:"duration_ns"`
	Summary                   // the summary of the whole run
	Skipped  map[Fault]string `json:"skipped,omitempty"` // faults that are not possible here, and why
	Breaches map[string]int   `json:"breaches"`          // number of breaches by law
	Unjudged []string         `json:"unjudged"`          // laws that had nothing to judge
	First    *Breach          `json:"first,omitempty"`   // the breach with the shortest history
	Kept     string           `json:"kept,omitempty"`    // folder with the database, the log and the history of a breach
}

// soak is one run.
type soak struct {
	config  Config
	folder  string
	db      database
	log     *os.File
	address string
	sim     *discordsim.Sim
	bot     *discordsim.Bot
	fleet   *fleet
	starts  atomic.Int32    // number of started processes
	clocks  []*replicaClock // the replicas' clocks; empty unless faults set them
	record  *recorder
	words   words
	places  []place
	readers []place                          // the channels of the servers without players, which get the daily puzzle
	server  *pgserver.Server                 // the database server, if the soak test started it
	proxy   *proxy                           // nil if no interactions come over HTTP
	fill    func() (empty func(), err error) // nil if the disk cannot be filled
	failed  chan error                       // capacity 1

	// Each of these mutexes is held while a fault of one kind lasts, so that another fault of that kind does nothing.
	holding  sync.Mutex // the database is locked, or was until just before
	ending   sync.Mutex // the database server has ended
	moving   sync.Mutex // shards move from one replica to another
	crowding sync.Mutex // strangers are connected to the endpoint

	active    sync.Mutex      // guards simFaults
	simFaults map[int]Planned // the simulator's current faults
}

// fail ends the run with an error, unless another error has ended it.
func (s *soak) fail(err error) {
	select {
	case s.failed <- err:
	default:
	}
}

// await returns when done is closed, or with an error if the run has ended before.
func (s *soak) await(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case err := <-s.failed:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Run runs the bot, the players and the faults, and judges the history. The error reports a failure of the run itself; breaches of laws are
// in the report.
func Run(ctx context.Context, config Config) (report Report, err error) {
	config.Pace = cmp.Or(config.Pace, 600*time.Millisecond)
	config.Replicas = cmp.Or(config.Replicas, 1)
	config.Shards = max(config.Shards, 1)
	report = Report{Setup: config.Setup, Text: config.Setup.String(), Seed: config.Seed, Players: config.Players, Duration: config.Duration, Skipped: impossible(config.Setup), Breaches: map[string]int{}}
	book, err := locale.NewBook()
	if err != nil {
		return report, err
	}
	words, err := newWords(book)
	if err != nil {
		return report, err
	}
	folder, err := os.MkdirTemp("", "tictactoe-soak-")
	if err != nil {
		return report, err
	}
	disk := filepath.Join(folder, "disk")
	s := &soak{
		config: config, folder: folder, record: &recorder{}, words: words,
		failed: make(chan error, 1), simFaults: map[int]Planned{}, db: sqliteFile(filepath.Join(disk, "tictactoe.db")),
	}
	s.fleet = newFleet(config.Setup, s.launch, s.record, s.fail)
	defer func() {
		if report.Kept == "" {
			err = errors.Join(err, os.RemoveAll(folder))
		}
	}()
	if err := os.Mkdir(disk, 0o700); err != nil {
		return report, err
	}
	if config.DB != "" {
		db, err := newPostgres(ctx, config.DB)
		if err != nil {
			return report, err
		}
		s.db, s.server = db, db.server
	}
	defer func() { err = errors.Join(err, s.db.close(report.Kept != "")) }()
	maps.DeleteFunc(report.Skipped, func(f Fault, _ string) bool { return !slices.Contains(config.Faults, f) })
	if slices.Contains(config.Faults, Full) && report.Skipped[Full] == "" {
		fill, remove, err := smallDisk(disk)
		if err != nil {
			report.Skipped[Full] = err.Error()
		} else {
			s.fill = fill
			defer remove()
		}
	}
	faults := slices.DeleteFunc(slices.Clone(config.Faults), func(f Fault) bool { return report.Skipped[f] != "" })
	if slices.Contains(faults, Clock) {
		if err := s.makeClocks(); err != nil {
			return report, err
		}
	}
	if s.log, err = os.Create(filepath.Join(folder, "bot.log")); err != nil {
		return report, err
	}
	defer s.log.Close()

	c, err := s.play(ctx, faults)
	if err != nil {
		if ctx.Err() == nil {
			report.Kept = folder // the error may refer to the log in the folder
		}
		return report, err
	}
	err = s.judge(c, &report)
	return report, err
}

// makeClocks makes a clock for each replica.
func (s *soak) makeClocks() error {
	for n := range s.config.Replicas {
		clock, err := newReplicaClock(filepath.Join(s.folder, fmt.Sprintf("clock-%d", n+1)))
		if err != nil {
			return err
		}
		s.clocks = append(s.clocks, clock)
	}
	return nil
}

// judge judges a run, completes the report and writes the files to keep.
func (s *soak) judge(c Case, report *Report) error {
	if s.config.History != "" {
		if err := writeLines(s.config.History, c.History); err != nil {
			return err
		}
	}
	report.Summary = s.record.summary()
	report.Summary.conclude(c)
	report.Unjudged = Unjudged(c)
	breaches := Judge(c)
	for _, b := range breaches {
		report.Breaches[b.Law]++
	}
	if len(breaches) == 0 {
		return nil
	}
	report.First, report.Kept = &breaches[0], s.folder
	return s.keep(c, breaches)
}

// keep writes the files that explain a breach into the folder of the run.
func (s *soak) keep(c Case, breaches []Breach) error {
	return errors.Join(writeLines(filepath.Join(s.folder, "history.jsonl"), c.History),
		writeLines(filepath.Join(s.folder, "breaches.jsonl"), breaches), s.db.keep(s.folder))
}

// writeLines writes one line of JSON for each value.
func writeLines[T any](path string, of []T) error {
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	for _, one := range of {
		if err := lines.Encode(one); err != nil {
			return err
		}
	}
	return os.WriteFile(path, text.Bytes(), 0o600)
}

// play runs the bot, the players and the faults, and returns the case to judge.
func (s *soak) play(ctx context.Context, faults []Fault) (c Case, err error) {
	stopDiscord, err := s.startDiscord()
	if err != nil {
		return c, err
	}
	defer stopDiscord()
	if err := errors.Join(s.createServers(), s.createReaders()); err != nil {
		return c, err
	}
	people, names, err := s.players()
	if err != nil {
		return c, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	worlds := map[string]*world{}
	for _, r := range s.places {
		worlds[r.channel] = r.world
	}
	watching := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() {
		if err := watch(ctx, s.address, people[0].name, worlds, s.record, func() { close(watching) }); err != nil {
			s.fail(err)
		}
	})
	defer s.fleet.stop(syscall.SIGKILL) // ends processes that still run after an error
	if err := s.fleet.start(); err != nil {
		return c, err
	}
	stopWatching, err := s.awaitStart(ctx, people[0])
	if err != nil {
		return c, err
	}
	defer stopWatching()
	if err := s.await(ctx, watching); err != nil {
		return c, err
	}
	if err := s.playWithFaults(ctx, people, faults); err != nil {
		return c, err
	}
	if err := s.awaitBoards(ctx); err != nil {
		return c, err
	}
	if err := errors.Join(s.noteStanding(people[0]), s.notePuzzles(people[0])); err != nil {
		return c, err
	}
	stopWatching()
	s.record.add(Event{Kind: Finished})
	s.fleet.stop(syscall.SIGTERM)
	cancel()
	watcher.Wait()
	select {
	case err := <-s.failed:
		return c, err
	default:
	}
	c.Setup = s.config.Setup
	if s.config.Players >= enoughPlayers {
		c.Played = s.config.Duration
	}
	c.History = s.record.finish()
	if c.Tables, err = s.db.tables(context.WithoutCancel(ctx), names); err == nil {
		c.Tables.Findings, err = s.checkDatabase(context.WithoutCancel(ctx))
	}
	return c, err
}

// startDiscord starts the simulator and its server.
func (s *soak) startDiscord() (stop func(), err error) {
	if s.sim, err = discordsim.New(discordsim.Config{BotName: "tictactoe", MaxConcurrency: 16, Record: s.noteAcknowledged}); err != nil {
		return nil, err
	}
	s.bot = s.sim.Bot(application)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, s.sim.Close())
	}
	server := &http.Server{Handler: s.sim.Handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }()
	s.address = "http://" + listener.Addr().String()
	return func() { _ = errors.Join(server.Close(), s.sim.Close()) }, nil
}

// checkDatabase returns the findings of `tictactoe db check` in the final database.
func (s *soak) checkDatabase(ctx context.Context) (findings []string, err error) {
	cmd := exec.CommandContext(ctx, s.config.Program, "db", "check", "--json", "--db", s.db.address())
	cmd.Stderr = s.log
	out, err := cmd.Output()
	var report struct {
		Findings []struct{ Where, What string }
	}
	if json.Unmarshal(out, &report) != nil { // after findings the exit code is 1, too, so the report decides
		return nil, fmt.Errorf("checking what the bot has stored: %w", err)
	}
	for _, f := range report.Findings {
		findings = append(findings, f.Where+": "+f.What)
	}
	return findings, nil
}

// place is a channel, with the public messages of its server.
type place struct {
	server  string
	channel string
	shard   int
	world   *world
}

// createServers makes a server with channels for each shard. The shard of a server follows from the millisecond of its creation, so
// servers are made until each shard has one. Further servers of a shard stay empty.
func (s *soak) createServers() error {
	each := max(1, channels/s.config.Shards)
	worlds := make([]*world, s.config.Shards)
	for left := s.config.Shards; left > 0; time.Sleep(time.Millisecond) {
		server, err := s.sim.AddServer(discordsim.Server{Name: "server"})
		if err != nil {
			return err
		}
		shard := s.config.shardOf(server)
		if worlds[shard] != nil {
			continue
		}
		worlds[shard] = newWorld(s.words)
		left--
		for i := range each {
			id, err := s.sim.AddChannel(discordsim.Room{Guild: server, Name: fmt.Sprintf("table-%d", i+1)})
			if err != nil {
				return err
			}
			s.places = append(s.places, place{server, id, shard, worlds[shard]})
		}
	}
	return nil
}

// createReaders makes the servers that get the daily puzzle.
func (s *soak) createReaders() error {
	for range readers {
		server, err := s.sim.AddServer(discordsim.Server{Name: "readers"})
		if err != nil {
			return err
		}
		channel, err := s.sim.AddChannel(discordsim.Room{Guild: server, Name: "puzzles"})
		if err != nil {
			return err
		}
		s.readers = append(s.readers, place{server: server, channel: channel})
	}
	return nil
}

// chooseChannels switches on the daily puzzle in one server after the other. If the database cannot be written, it tries again.
func (s *soak) chooseChannels(over context.Context) {
	tick := time.NewTicker(s.config.Duration / (readers + 1))
	defer tick.Stop()
	for left := s.readers; len(left) > 0; {
		select {
		case <-tick.C:
		case <-over.Done():
			return
		}
		if s.db.choose(over, left[0].server, left[0].channel) == nil {
			left = left[1:]
		}
	}
}

// tidyServers makes boards shrink in the servers of the players after a third of the run. If the database cannot be written, it tries again.
func (s *soak) tidyServers(over context.Context) {
	var left []string
	for _, p := range s.places {
		if !slices.Contains(left, p.server) {
			left = append(left, p.server)
		}
	}
	for wait := s.config.Duration / 3; len(left) > 0; wait = time.Second {
		next := time.NewTimer(wait)
		select {
		case <-next.C:
		case <-over.Done():
			next.Stop()
			return
		}
		if s.db.tidy(over, left[0]) == nil {
			s.record.add(Event{Kind: Tidied, Text: left[0]})
			left = left[1:]
		}
	}
}

// openArenas opens an arena in each channel of players, for most of the run. If the database cannot be written, it tries again.
func (s *soak) openArenas(over context.Context, people []*player) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	lasts := s.config.Duration * 3 / 4
	for left := s.places; len(left) > 0; {
		select {
		case <-tick.C:
		case <-over.Done():
			return
		}
		in := left[0]
		a := hosted{id: "arena" + strconv.Itoa(len(left)), server: in.server, channel: in.channel, begins: s.now(), lasts: lasts}
		for _, p := range people {
			if p.channel == in.channel {
				a.players = append(a.players, p.user.ID())
			}
		}
		if len(a.players) == 0 || s.db.host(over, a) == nil {
			left = left[1:]
		}
	}
}

// notePuzzles records the puzzles that were posted.
func (s *soak) notePuzzles(spectator *player) error {
	for _, r := range s.readers {
		messages, err := spectator.user.Messages(r.channel)
		if err != nil {
			return err
		}
		for _, m := range messages {
			if gaps, is := s.words.find(s.words.read(m).text, saidPuzzle); is {
				s.record.add(Event{Kind: Posted, Did: gaps["Day"], Text: r.server})
			}
		}
	}
	return nil
}

// players makes the players, and returns them with their names by id. Each plays with the others in the same server.
func (s *soak) players() ([]*player, map[string]string, error) {
	var all []*player
	names := map[string]string{}
	for i := range s.config.Players {
		name := fmt.Sprintf("p%02d", i+1)
		user, err := s.sim.AddUser(discordsim.Person{Username: name})
		if err != nil {
			return nil, nil, err
		}
		names[user.ID()] = name
		in := s.places[i%len(s.places)]
		if i < len(s.places) {
			if err := s.sim.SetMember(in.server, name, discordsim.Membership{Permissions: discordsim.Administrator}); err != nil {
				return nil, nil, err
			}
		}
		all = append(all, &player{
			name: name, channel: in.channel, shard: in.shard, world: in.world,
			user: user, sim: s.sim, record: s.record, pace: s.config.Pace, now: s.now,
			types: i%4 == 3, moderates: i < len(s.places),
			random: rand.New(rand.NewPCG(s.config.Seed, uint64(i+1))),
		})
	}
	for _, p := range all {
		for _, other := range all {
			if other != p && other.shard == p.shard {
				p.others = append(p.others, other)
			}
		}
	}
	return all, names, nil
}

// now returns the time by the bot's clock.
func (s *soak) now() time.Time {
	if s.clocks == nil || s.config.common() {
		return time.Now()
	}
	return s.clocks[0].now()
}

// noteAcknowledged records the bot's first response to an interaction, if the simulator accepted it.
func (s *soak) noteAcknowledged(e discordsim.Exchange) {
	if e.Status >= 300 || !strings.HasSuffix(e.Route, "/callback") {
		return
	}
	if f := strings.Split(e.Path, "/"); len(f) > 2 {
		s.record.add(Event{Kind: Acknowledged, Interaction: f[2]})
	}
}

// playWithFaults runs the players and the planned faults for the duration of the run.
func (s *soak) playWithFaults(ctx context.Context, people []*player, faults []Fault) error {
	began := time.Now()
	over, cancel := context.WithTimeout(ctx, s.config.Duration)
	defer cancel()
	var players, faulting sync.WaitGroup
	for i, p := range people {
		if i%7 == 5 {
			p.leaves = began.Add(s.config.Duration / 2)
		}
		players.Go(func() { p.live(over) })
	}
	faulting.Go(func() { s.chooseChannels(over) })
	faulting.Go(func() { s.openArenas(over, people) })
	faulting.Go(func() { s.tidyServers(over) })
	faulting.Go(func() {
		for _, f := range Plan(s.config.Seed, s.config.Duration, faults) {
			next := time.NewTimer(f.From - time.Since(began))
			select {
			case <-next.C:
			case <-over.Done():
				next.Stop()
				return
			}
			faulting.Go(func() {
				if err := s.inject(ctx, over, f); err != nil {
					s.fail(fmt.Errorf("%s: %w", f.Fault, err))
				}
			})
		}
	})
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for over.Err() == nil {
		select {
		case <-tick.C:
			if s.config.Progress != nil {
				s.config.Progress(time.Since(began), s.record.summary())
			}
		case <-over.Done():
		case err := <-s.failed:
			cancel()
			players.Wait()
			faulting.Wait()
			return err
		}
	}
	faulting.Wait() // every fault ends at the end of the run
	players.Wait()
	return ctx.Err()
}

// awaitBoards ends the simulator's faults, and waits until the bot has redrawn all boards or has had more than enough time for
// that.
func (s *soak) awaitBoards(ctx context.Context) error {
	if err := s.sim.SetFaults(discordsim.Faults{}); err != nil {
		return err
	}
	began := time.Now()
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for time.Since(began) < calmMost {
		select {
		case <-tick.C:
		case err := <-s.failed:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
		if time.Since(began) < calmLeast {
			continue
		}
		if n, err := s.db.behind(ctx); err != nil || n == 0 {
			return err
		}
	}
	return nil // a law judges the boards that are still not redrawn
}

// noteStanding records the boards and the standings of arenas that are shown publicly now.
func (s *soak) noteStanding(spectator *player) error {
	for _, r := range s.places {
		messages, err := spectator.user.Messages(r.channel)
		if err != nil {
			return err
		}
		for _, m := range messages {
			screen := s.words.read(m)
			if e, is := screen.event(Standing); is && e.Kind == Standing {
				s.record.add(e)
			}
			if id := screen.button("arena"); id != "" && screen.match == "" {
				s.record.add(Event{Kind: Ranked, Match: strings.Split(id, ":")[1], Message: m.ID, Text: screen.text})
			}
		}
	}
	return nil
}
