package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"syscall"
	"time"

	"tictactoe/discordsim"
)

// inject causes one fault, and ends it after its duration or when the players stop. It then waits until the bot has recovered,
// unless the run ends before.
func (s *soak) inject(run, over context.Context, f Planned) error {
	until, cancel := context.WithTimeout(over, f.For)
	defer cancel()
	switch f.Fault {
	case Kill:
		return s.restartReplica(run, f, syscall.SIGKILL)
	case Stop:
		return s.restartReplica(run, f, syscall.SIGTERM)
	case Drop:
		return s.absent(run, f.Fault, func() (bool, error) { s.bot.DropGateway(); return true, nil })
	case Reconnect:
		return s.absent(run, f.Fault, func() (bool, error) { s.bot.Reconnect(); return true, nil })
	case Invalid:
		return s.absent(run, f.Fault, func() (bool, error) { s.bot.InvalidateSessions(f.Strength%2 == 0); return true, nil })
	case Twin:
		defer s.record.began(Event{Fault: f.Fault})()
		return s.fleet.twin(until.Done(), func(pid int, end func()) error {
			if s.db.owner() != pid {
				end()
				return nil
			}
			return s.absent(run, Stop, func() (bool, error) { end(); return true, nil })
		})
	case Busy:
		return s.busy(run, over, until.Done())
	case Clock:
		return s.setClock(f, until.Done())
	case Full:
		s.fleet.storageFaults.Add(1)
		defer s.fleet.storageFaults.Add(-1)
		empty, err := s.fill()
		if err != nil {
			return err
		}
		end := s.record.began(Event{Fault: f.Fault})
		<-until.Done()
		empty()
		end()
		return nil
	case Outage:
		return s.outage(f, until.Done())
	case Pause:
		return s.pauseReplica(run, f, until.Done())
	case Stillborn:
		defer s.record.began(Event{Fault: f.Fault})()
		return s.fleet.stillborn(until.Done())
	case Strangers:
		return s.strangers(f, until.Done())
	default:
		end := s.record.began(Event{Fault: f.Fault, Text: fmt.Sprintf("strength %d", f.Strength)})
		defer end()
		if err := s.setSimFault(f, true); err != nil {
			return err
		}
		<-until.Done()
		return s.setSimFault(f, false)
	}
}

// restartReplica ends a replica with the signal and restarts it.
func (s *soak) restartReplica(run context.Context, f Planned, signal syscall.Signal) error {
	n := f.Strength % len(s.fleet.replicas)
	r := s.fleet.replicas[n]
	switch {
	case s.config.HTTP:
		// The other replicas go on. A missing answer of this replica is excused only from its end on, because a replica that is told to
		// end first answers the accepted requests.
		until, left := func(time.Time) {}, func() {}
		gone := func() {
			left()
			until = s.record.lasts(Event{Fault: f.Fault, Replica: n + 1})
		}
		if signal == syscall.SIGKILL {
			gone()
			gone = func() {}
		}
		err := s.fleet.restart(r, signal, f.For, func(int) func() {
			if signal != syscall.SIGKILL {
				left = s.record.began(Event{Fault: Leaving, Replica: n + 1})
			}
			return gone
		})
		if err != nil {
			return err
		}
		since, err := s.awaitRequests(run, r)
		until(since)
		return err
	case s.config.sharing():
		// No fault is recorded here: watchShards records which shards become unheard. Only one replica ends at a time, because otherwise no
		// shard would ever be stable.
		if !s.moving.TryLock() {
			return nil
		}
		defer s.moving.Unlock()
		over := s.record.began(Event{Fault: f.Fault, Replica: n + 1})
		err := s.fleet.restart(r, signal, f.For, func(int) func() { return func() {} })
		over()
		if err != nil {
			return err
		}
		return s.awaitShards(run, make([]int, s.config.Shards))
	default:
		// While a twin runs, this process may be the one that waits for the database. Then ending this process has no effect.
		return s.absent(run, f.Fault, func() (missed bool, err error) {
			err = s.fleet.restart(r, signal, f.For, func(pid int) func() {
				missed = s.fleet.twins.Load() == 0 || s.db.owner() == pid
				return func() { missed = missed || s.db.owner() == pid } // the process may have locked the database just before it ended
			})
			return missed, err
		})
	}
}

// pauseReplica pauses a replica until told to resume it, unless it is paused already.
func (s *soak) pauseReplica(run context.Context, f Planned, until <-chan struct{}) error {
	n := f.Strength % len(s.fleet.replicas)
	r := s.fleet.replicas[n]
	if !r.pausing.TryLock() {
		return nil
	}
	defer r.pausing.Unlock()
	switch {
	case s.config.HTTP:
		over := s.record.lasts(Event{Fault: f.Fault, Replica: n + 1})
		s.fleet.pause(r, until)
		since, err := s.awaitRequests(run, r)
		over(since)
		return err
	case s.config.sharing():
		// The soak test cannot see which shards the paused replica has. During a long pause, other replicas take them over.
		if !s.moving.TryLock() {
			return nil
		}
		defer s.moving.Unlock()
		over := s.record.lasts(Event{Fault: f.Fault})
		s.fleet.pause(r, until)
		over(time.Now())
		return s.awaitShards(run, make([]int, s.config.Shards))
	default:
		over := s.record.lasts(Event{Fault: f.Fault})
		s.fleet.pause(r, until)
		over(time.Now())
		return nil
	}
}

// outage ends the database server, in one of two ways, and starts it again.
func (s *soak) outage(f Planned, until <-chan struct{}) error {
	if !s.ending.TryLock() {
		return nil
	}
	defer s.ending.Unlock()
	s.fleet.storageFaults.Add(1)
	defer s.fleet.storageFaults.Add(-1)
	how := []string{"stopped", "killed"}[f.Strength%2]
	defer s.record.began(Event{Fault: Outage, Text: how})()
	if err := s.server.End(how == "killed"); err != nil {
		return err
	}
	<-until
	return s.server.Begin()
}

// busyPause is the minimum time between two faults that lock the database. Without it, two faults together would lock it for longer than
// the bot promises to tolerate.
const busyPause = 5 * time.Second

// busy locks the database until told to stop. It does nothing if another fault locks the database, or locked it less than busyPause ago.
func (s *soak) busy(run, over context.Context, until <-chan struct{}) error {
	if !s.holding.TryLock() {
		return nil
	}
	defer s.holding.Unlock()
	if err := s.db.hold(run, func() func() { return s.record.began(Event{Fault: Busy}) }, until); err != nil {
		return err
	}
	pause := time.NewTimer(busyPause)
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-over.Done():
	}
	return nil
}

// setClock sets the bot's clock until told to correct it.
func (s *soak) setClock(f Planned, until <-chan struct{}) error {
	if s.config.common() {
		return s.setClocksApart(f, until)
	}
	n := s.record.next()
	note := func(kind Kind) func(time.Duration) {
		return func(ahead time.Duration) {
			s.record.add(Event{Kind: kind, Fault: Clock, Number: n, Text: "ahead by " + ahead.String(), Ahead: ahead})
		}
	}
	by := f.leap(0)
	if err := s.clocks[0].move(by, note(Began)); err != nil {
		return err
	}
	<-until
	return s.clocks[0].move(-by, note(Over))
}

// setClocksApart sets the clock of each replica to a different offset, twice within a second, until told to correct them. None of these
// clocks matters, because the replicas take dates from the database.
func (s *soak) setClocksApart(f Planned, until <-chan struct{}) error {
	defer s.record.began(Event{Fault: Clock, Text: fmt.Sprintf("by %s and others", f.leap(0))})()
	again := time.NewTimer(time.Duration(f.Strength) * 10 * time.Millisecond)
	defer again.Stop()
	for _, step := range []struct {
		times time.Duration
		after func()
	}{
		{1, func() {}},
		{-3, func() {
			select {
			case <-again.C:
			case <-until:
			}
		}},
		{2, func() { <-until }},
	} {
		step.after()
		for n, c := range s.clocks {
			if err := c.move(step.times*f.leap(n), nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// leaps are the amounts by which clocks are set. All are too large for the clock to be slewed, and some are longer than any turn.
var leaps = []time.Duration{10 * time.Second, time.Minute, 10 * time.Minute, time.Hour, 30 * time.Hour}

// leap returns the amount by which a replica's clock is set, forward or back.
func (f Planned) leap(replica int) time.Duration {
	d := leaps[(f.Strength/2+replica)%len(leaps)]
	if (f.Strength+replica)%2 == 0 {
		return -d
	}
	return d
}

// absent makes the bot unavailable by calling disrupt, and records the fault until every shard is heard again. If disrupt reports that the
// process is not missed, for example because it was waiting for another process to end, the fault ends at once.
func (s *soak) absent(run context.Context, f Fault, disrupt func() (missed bool, err error)) error {
	until := func(time.Time) {}
	before := s.arrivals()
	for i := range before {
		before[i]++
	}
	if !s.config.sharing() || f == Drop || f == Reconnect || f == Invalid {
		until = s.record.lasts(Event{Fault: f})
	}
	missed, err := disrupt()
	if err != nil || !missed {
		until(time.Now())
		return err
	}
	err = s.awaitShards(run, before)
	until(s.lastArrival())
	return err
}

// setSimFault begins or ends one of the simulator's faults. Several can be active at once.
func (s *soak) setSimFault(f Planned, on bool) error {
	s.active.Lock()
	defer s.active.Unlock()
	key := int(f.From) // no two faults begin in the same nanosecond
	if on {
		s.simFaults[key] = f
	} else {
		delete(s.simFaults, key)
	}
	var now discordsim.Faults
	for _, t := range s.simFaults {
		t.apply(&now, s.record)
	}
	return s.sim.SetFaults(now)
}

// apply adds one fault to the simulator's settings.
func (f Planned) apply(to *discordsim.Faults, r *recorder) {
	switch f.Fault {
	case Duplicate:
		to.Duplicate = true
	case Reorder:
		to.Reorder = true
	case Delay:
		to.DelayMS = 50 + 25*f.Strength
	case Lose:
		to.Lose = true
	case Garble:
		to.Garble = func(interaction string, event json.RawMessage) json.RawMessage {
			if garbled, did := garble(event); did {
				r.add(Event{Kind: Began, Fault: Garble, Interaction: interaction})
				return garbled
			}
			return event
		}
	case Slow:
		to.RESTDelayMS = 100 + 19*f.Strength
	case Failing:
		to.RESTStatus = []int{500, 502, 503, 504}[f.Strength%4]
	case Limited:
		kinds := []string{discordsim.LimitGlobal, discordsim.LimitGlobalBare, discordsim.LimitShared, discordsim.LimitHTML}
		to.RESTLimit, to.RESTRetryAfterMS = kinds[f.Strength%4], 200+10*f.Strength
	}
}

// garble replaces each text option of a command with a number. It reports false if the command has none.
func garble(event json.RawMessage) (json.RawMessage, bool) {
	var whole map[string]any
	if json.Unmarshal(event, &whole) != nil {
		return event, false
	}
	data, _ := whole["data"].(map[string]any)
	did := false
	var walk func(options any)
	walk = func(options any) {
		list, _ := options.([]any)
		for _, o := range list {
			option, _ := o.(map[string]any)
			if _, isText := option["value"].(string); isText && option["type"] == float64(3) {
				option["value"] = 7
				did = true
			}
			walk(option["options"])
		}
	}
	walk(data["options"])
	garbled, err := json.Marshal(whole)
	return garbled, did && err == nil
}
