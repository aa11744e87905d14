package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"syscall"
	"time"

	"tictactoe/internal/discordsim"
)

// suffer makes one fault happen and end: after its time, or when the storm is over. What it does to the bot is waited for
// while the run goes on.
func (s *soak) suffer(run, over context.Context, f Planned) error {
	until, cancel := context.WithTimeout(over, f.For)
	defer cancel()
	switch f.Fault {
	case Overwrite:
		return s.overwrite(run, f)
	case Kill, Stop, Twin, Pause, Busy, Full:
		if !s.intact.TryRLock() {
			return nil
		}
		defer s.intact.RUnlock()
	}
	switch f.Fault {
	case Kill:
		return s.ended(run, f, syscall.SIGKILL)
	case Stop:
		return s.ended(run, f, syscall.SIGTERM)
	case Drop:
		return s.gone(run, f.Fault, func() (bool, error) { s.bot.DropGateway(); return true, nil })
	case Reconnect:
		return s.gone(run, f.Fault, func() (bool, error) { s.bot.Reconnect(); return true, nil })
	case Invalid:
		return s.gone(run, f.Fault, func() (bool, error) { s.bot.InvalidateSessions(f.Strength%2 == 0); return true, nil })
	case Twin:
		defer s.record.began(Event{Fault: f.Fault})()
		return s.fleet.twin(until.Done(), func(pid int, end func()) error {
			if s.db.owner() != pid {
				end()
				return nil
			}
			return s.gone(run, Stop, func() (bool, error) { end(); return true, nil })
		})
	case Busy:
		return s.busy(run, over, until.Done())
	case Clock:
		return s.setClock(f, until.Done())
	case Full:
		s.fleet.starved.Add(1)
		defer s.fleet.starved.Add(-1)
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
		return s.paused(run, f, until.Done())
	case Stillborn:
		defer s.record.began(Event{Fault: f.Fault})()
		return s.fleet.stillborn(until.Done())
	case Strangers:
		return s.strangers(f, until.Done())
	default:
		end := s.record.began(Event{Fault: f.Fault, Text: fmt.Sprintf("strength %d", f.Strength)})
		defer end()
		if err := s.trouble(f, true); err != nil {
			return err
		}
		<-until.Done()
		return s.trouble(f, false)
	}
}

// ended ends a replica and starts it again.
func (s *soak) ended(run context.Context, f Planned, signal syscall.Signal) error {
	n := f.Strength % len(s.fleet.replicas)
	r := s.fleet.replicas[n]
	switch {
	case s.config.HTTP:
		// Others go on. What this one is to be excused for begins when it is gone: who is told to end answers first.
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
		since, err := s.taking(run, r)
		until(since)
		return err
	case s.config.sharing():
		// What nobody hears meanwhile is noted by attend. One ends at a time, or no shard would ever be at rest.
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
		return s.heardAgain(run, make([]int, s.config.Shards))
	default:
		// Beside a twin it may be this one that waits for the database, and then nobody misses it.
		return s.gone(run, f.Fault, func() (missed bool, err error) {
			err = s.fleet.restart(r, signal, f.For, func(pid int) func() {
				missed = s.fleet.twins.Load() == 0 || s.db.owner() == pid
				return func() { missed = missed || s.db.owner() == pid } // it may just have got it
			})
			return missed, err
		})
	}
}

// paused stops a replica until told to let it go on, unless it is stopped.
func (s *soak) paused(run context.Context, f Planned, until <-chan struct{}) error {
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
		since, err := s.taking(run, r)
		over(since)
		return err
	case s.config.sharing():
		// Whose shards stand still cannot be seen from outside. Others take them over if it lasts.
		if !s.moving.TryLock() {
			return nil
		}
		defer s.moving.Unlock()
		over := s.record.lasts(Event{Fault: f.Fault})
		s.fleet.pause(r, until)
		over(time.Now())
		return s.heardAgain(run, make([]int, s.config.Shards))
	default:
		over := s.record.lasts(Event{Fault: f.Fault})
		s.fleet.pause(r, until)
		over(time.Now())
		return nil
	}
}

// outage ends the database's server, in one of two ways, and starts it again.
func (s *soak) outage(f Planned, until <-chan struct{}) error {
	if !s.ending.TryLock() {
		return nil
	}
	defer s.ending.Unlock()
	s.fleet.starved.Add(1)
	defer s.fleet.starved.Add(-1)
	how := []string{"stopped", "killed"}[f.Strength%2]
	defer s.record.began(Event{Fault: Outage, Text: how})()
	if err := s.server.End(how == "killed"); err != nil {
		return err
	}
	<-until
	return s.server.Begin()
}

// busyPause is the least time between two who hold the database: without it they would hold it longer than users have to
// bear.
const busyPause = 5 * time.Second

// busy holds the database until told to stop, unless somebody does or has just done.
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

// setClock sets the bot's clock until told to set it right again.
func (s *soak) setClock(f Planned, until <-chan struct{}) error {
	if s.config.common() {
		return s.setApart(f, until)
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

// setApart sets the clocks of the replicas, each by something else and twice within a second, until told to set them right
// again. The bot dates by none of them.
func (s *soak) setApart(f Planned, until <-chan struct{}) error {
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

// leaps are by how much clocks are set: all more than one may be steered by, and some by more than any turn lasts.
var leaps = []time.Duration{10 * time.Second, time.Minute, 10 * time.Minute, time.Hour, 30 * time.Hour}

// leap is by how much the clock of a replica is set, forward or back.
func (f Planned) leap(replica int) time.Duration {
	d := leaps[(f.Strength/2+replica)%len(leaps)]
	if (f.Strength+replica)%2 == 0 {
		return -d
	}
	return d
}

// gone makes the bot go away and, if that is missed, notes until when it was. Nothing is wrong about a bot that was not there to
// begin with.
func (s *soak) gone(run context.Context, f Fault, how func() (missed bool, err error)) error {
	until := func(time.Time) {}
	before := s.arrivals()
	for i := range before {
		before[i]++
	}
	if !s.config.sharing() || f == Drop || f == Reconnect || f == Invalid {
		until = s.record.lasts(Event{Fault: f})
	}
	missed, err := how()
	if err != nil || !missed {
		until(time.Now())
		return err
	}
	err = s.heardAgain(run, before)
	until(s.lastArrival())
	return err
}

// trouble begins or ends one of the simulator's faults. Several can hold at once.
func (s *soak) trouble(f Planned, on bool) error {
	s.active.Lock()
	defer s.active.Unlock()
	key := int(f.From) // no two begin at the same nanosecond
	if on {
		s.troubles[key] = f
	} else {
		delete(s.troubles, key)
	}
	var now discordsim.Faults
	for _, t := range s.troubles {
		t.apply(&now, s.record)
	}
	return s.sim.SetFaults(now)
}

// apply adds one fault to what the simulator does.
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

// garble puts a number in the place of each text that a command was given; false if it was given none.
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
