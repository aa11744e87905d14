package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"tictactoe/internal/discordsim"
	"tictactoe/store/postgres/pgserver"
)

const (
	// application is the bot's id, token what it logs in with; it opens nothing but a simulator.
	application = "100000000000000001"
	token       = "MTAwMDAwMDAwMDAwMDAwMDAx.soak.local"
	// arriveTime is how long a start may take, with a database that is held and a gateway that refuses, or a shard to be taken
	// over: longer than the law allows.
	arriveTime = 2 * time.Minute
	// glance is how often it is looked whether a bot has come back.
	glance = 5 * time.Millisecond
	// calmLeast and calmMost bound the peace in which boards and clocks become true. After a full disk clocks stand still
	// for up to ten seconds.
	calmLeast = 10*time.Second + judgeTime
	calmMost  = 3 * time.Minute
	// channels are those that the players of a server share, at least in all servers together.
	channels = 4
)

// Config says what a run is like.
type Config struct {
	Program  string // the tictactoe to try
	Setup           // how it is run
	Seed     uint64
	Duration time.Duration // of playing; peace comes after it
	Players  int
	Faults   []Fault
	Pace     time.Duration // between two deeds of a player, on average; 150 ms when zero
	History  string        // a file to write the whole history to, as JSON lines; none when empty
	// Progress is called every second, if set.
	Progress func(passed time.Duration, s Summary)
}

// Report is what came of a run.
type Report struct {
	Setup
	Text     string           `json:"setup"` // the same in words
	Seed     uint64           `json:"seed"`
	Players  int              `json:"players"`
	Duration time.Duration    `json:"duration_ns"`
	Summary                   // of everything
	Skipped  map[Fault]string `json:"skipped,omitempty"` // faults that are not possible here, and why
	Breaches map[string]int   `json:"breaches"`          // by law
	First    *Breach          `json:"first,omitempty"`   // that with the shortest history
	Kept     string           `json:"kept,omitempty"`    // the folder with the database, the log and the history of a breach
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
	clocks  []*clockface // those of the replicas; none unless they are set now and then
	record  *recorder
	rooms   []room
	server  *pgserver.Server                 // of the database, if it is the soak's own
	proxy   *proxy                           // nil without HTTP
	fill    func() (empty func(), err error) // nil where the disk cannot be filled
	failed  chan error                       // capacity 1

	holding sync.Mutex // the database, or not yet again
	ending  sync.Mutex // the database's server
	moving  sync.Mutex // shards, from one replica to another

	crowding sync.Mutex // strangers are at the endpoint

	// intact is held for writing while the database's file is written over, and for reading by the other faults of the process and
	// of its disk: what the bot rescues is in its memory until it has noticed, and fits on the disk.
	intact sync.RWMutex

	active   sync.Mutex
	troubles map[int]Planned // of the simulator, now
}

func (s *soak) fail(err error) {
	select {
	case s.failed <- err:
	default:
	}
}

// Run plays, and judges. The error says that the run itself went wrong; what the bot did wrong is in the report.
func Run(ctx context.Context, config Config) (report Report, err error) {
	if config.Pace == 0 {
		config.Pace = 150 * time.Millisecond
	}
	if config.Setup.Replicas == 0 {
		config.Setup.Replicas = 1
	}
	config.Setup.Shards = max(config.Setup.Shards, 1)
	report = Report{Setup: config.Setup, Text: config.Setup.String(), Seed: config.Seed, Players: config.Players, Duration: config.Duration, Skipped: impossible(config.Setup), Breaches: map[string]int{}}
	folder, err := os.MkdirTemp("", "tictactoe-soak-")
	if err != nil {
		return report, err
	}
	disk := filepath.Join(folder, "disk")
	s := &soak{
		config: config, folder: folder, record: &recorder{},
		failed: make(chan error, 1), troubles: map[int]Planned{}, db: sqliteFile(filepath.Join(disk, "tictactoe.db")),
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
	faults := slices.DeleteFunc(slices.Clone(config.Faults), func(f Fault) bool { return report.Skipped[f] != "" })
	maps.DeleteFunc(report.Skipped, func(f Fault, _ string) bool { return !slices.Contains(config.Faults, f) })
	if slices.Contains(faults, Full) {
		fill, remove, err := smallDisk(disk)
		if err != nil {
			report.Skipped[Full] = err.Error()
			faults = slices.DeleteFunc(faults, func(f Fault) bool { return f == Full })
		} else {
			s.fill = fill
			defer remove()
		}
	}
	if slices.Contains(faults, Clock) {
		for n := range config.Replicas {
			clock, err := newClockface(filepath.Join(folder, fmt.Sprintf("clock-%d", n+1)))
			if err != nil {
				return report, err
			}
			s.clocks = append(s.clocks, clock)
		}
	}
	if s.log, err = os.Create(filepath.Join(folder, "bot.log")); err != nil {
		return report, err
	}
	defer s.log.Close()

	c, err := s.play(ctx, faults)
	if err != nil {
		return report, err
	}
	if config.History != "" {
		if err := writeLines(config.History, c.History); err != nil {
			return report, err
		}
	}
	report.Summary = s.record.summary()
	report.Summary.conclude(c)
	breaches := Judge(c)
	for _, b := range breaches {
		report.Breaches[b.Law]++
	}
	if len(breaches) > 0 {
		report.First = &breaches[0]
		report.Kept = folder
		err = s.keep(c, breaches)
	}
	return report, err
}

// keep writes down what a breach is understood by.
func (s *soak) keep(c Case, breaches []Breach) error {
	return errors.Join(writeLines(filepath.Join(s.folder, "history.jsonl"), c.History),
		writeLines(filepath.Join(s.folder, "breaches.jsonl"), breaches), s.db.keep(s.folder))
}

// writeLines writes one line of JSON for each.
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

// play lets everything happen and returns what is to be judged.
func (s *soak) play(ctx context.Context, faults []Fault) (c Case, err error) {
	s.sim, err = discordsim.New(discordsim.Config{MaxConcurrency: 16, Record: s.heard})
	if err != nil {
		return c, err
	}
	defer s.sim.Close()
	s.bot = s.sim.Bot(application)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return c, err
	}
	server := &http.Server{Handler: s.sim.Handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	s.address = "http://" + listener.Addr().String()

	if err := s.found(); err != nil {
		return c, err
	}
	people, names, err := s.people()
	if err != nil {
		return c, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	worlds := map[string]*world{}
	for _, r := range s.rooms {
		worlds[r.channel] = r.world
	}
	watching := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() {
		if err := watch(ctx, s.address, people[0].name, worlds, s.record, func() { close(watching) }); err != nil {
			s.fail(err)
		}
	})
	defer s.fleet.stop(syscall.SIGKILL) // what may still run after an error
	if err := s.fleet.start(); err != nil {
		return c, err
	}
	attending, err := s.begun(ctx, people[0])
	if err != nil {
		return c, err
	}
	defer attending()
	<-watching

	if err := s.storm(ctx, people, faults); err != nil {
		return c, err
	}
	if err := s.calm(ctx); err != nil {
		return c, err
	}
	if err := s.standing(people[0]); err != nil {
		return c, err
	}
	attending()
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
	c.Tables, err = s.db.tables(context.WithoutCancel(ctx), names)
	c.History = s.record.finish()
	return c, err
}

// room is a channel, and what everybody sees in the server that it is in.
type room struct {
	channel string
	shard   int
	world   *world
}

// found makes a server with rooms for each shard. Which one hears of a server follows from the millisecond in which it came
// to be; what falls on a shard that has one stays empty.
func (s *soak) found() error {
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
		worlds[shard] = newWorld()
		left--
		for i := range each {
			id, err := s.sim.AddChannel(discordsim.Room{Guild: server, Name: fmt.Sprintf("table-%d", i+1)})
			if err != nil {
				return err
			}
			s.rooms = append(s.rooms, room{id, shard, worlds[shard]})
		}
	}
	return nil
}

// people makes the players, and their names by their ids. They play with those of the same server.
func (s *soak) people() ([]*person, map[string]string, error) {
	var all []*person
	names := map[string]string{}
	for i := range s.config.Players {
		name := fmt.Sprintf("p%02d", i+1)
		user, err := s.sim.AddUser(discordsim.Person{Username: name})
		if err != nil {
			return nil, nil, err
		}
		names[user.ID()] = name
		in := s.rooms[i%len(s.rooms)]
		all = append(all, &person{
			name: name, channel: in.channel, shard: in.shard, world: in.world,
			user: user, sim: s.sim, record: s.record, pace: s.config.Pace, now: s.now,
			random: rand.New(rand.NewPCG(s.config.Seed, uint64(i+1))),
		})
	}
	for _, p := range all {
		for _, other := range all {
			if other != p && other.shard == p.shard {
				p.others = append(p.others, other.name)
			}
		}
	}
	return all, names, nil
}

// now is the date as the bot has it.
func (s *soak) now() time.Time {
	if s.clocks == nil || s.config.common() {
		return time.Now()
	}
	return s.clocks[0].now()
}

// heard notes the first word of the bot about an interaction: what Discord accepted.
func (s *soak) heard(e discordsim.Exchange) {
	if e.Status >= 300 || !strings.HasSuffix(e.Route, "/callback") {
		return
	}
	if f := strings.Split(e.Path, "/"); len(f) > 2 {
		s.record.add(Event{Kind: Acknowledged, Interaction: f[2]})
	}
}

// storm lets the players play, and the planned faults happen, for the time of the run.
func (s *soak) storm(ctx context.Context, people []*person, faults []Fault) error {
	began := time.Now()
	over, cancel := context.WithTimeout(ctx, s.config.Duration)
	defer cancel()
	var players, weather sync.WaitGroup
	for _, p := range people {
		players.Go(func() { p.live(over) })
	}
	weather.Go(func() {
		for _, f := range Plan(s.config.Seed, s.config.Duration, faults) {
			next := time.NewTimer(f.From - time.Since(began))
			select {
			case <-next.C:
			case <-over.Done():
				next.Stop()
				return
			}
			weather.Go(func() {
				if err := s.suffer(ctx, over, f); err != nil {
					s.fail(fmt.Errorf("%s: %w", f.Fault, err))
				}
			})
		}
	})
	tick := time.NewTicker(time.Second)
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
			weather.Wait()
			return err
		}
	}
	weather.Wait() // every fault ends with the time
	players.Wait()
	return ctx.Err()
}

// calm waits until the bot has made all boards true, or has had more than enough time to.
func (s *soak) calm(ctx context.Context) error {
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
	return nil // the boards that are still behind are judged
}

// standing notes what everybody sees now.
func (s *soak) standing(spectator *person) error {
	for _, r := range s.rooms {
		messages, err := spectator.user.Messages(r.channel)
		if err != nil {
			return err
		}
		for _, m := range messages {
			if screen := read(m); screen.match != "" {
				e, _ := screen.event(Standing)
				s.record.add(e)
			}
		}
	}
	return nil
}
