package soak

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"tictactoe/discordsim"
)

// awaitStart waits until the bot hears the players of every shard and has registered its commands. It returns a function that stops the
// background work that it started.
func (s *soak) awaitStart(ctx context.Context, someone *player) (stopWatching func(), err error) {
	stopWatching = func() {}
	if s.config.HTTP {
		if stopWatching, err = s.deliver(ctx); err != nil {
			return nil, err
		}
	} else {
		first := make([]int, s.config.Shards)
		for i := range first {
			first[i] = 1
		}
		if err := s.awaitShards(ctx, first); err != nil {
			return nil, err
		}
		if s.config.sharing() {
			stopWatching = s.watchShards(ctx)
		}
	}
	err = s.wait(ctx, "the commands", func() bool {
		_, err := someone.user.Command(ctx, someone.channel, "tictactoe help", nil)
		return err == nil
	})
	if err != nil {
		stopWatching()
	}
	return stopWatching, err
}

// deliver starts a proxy in front of the replicas, and has the simulator send interactions to it until stop is called.
func (s *soak) deliver(ctx context.Context) (stop func(), err error) {
	s.proxy = newProxy(s.fleet, s.record)
	for _, r := range s.fleet.replicas {
		if _, err := s.awaitRequests(ctx, r); err != nil {
			return nil, err
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: s.proxy, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }()
	err = s.wait(ctx, "an answer to Discord's ping", func() bool {
		err = s.bot.SetEndpoint(ctx, "http://"+listener.Addr().String()+endpointPath)
		return err == nil
	})
	if err != nil {
		server.Close()
		return nil, err
	}
	return func() { server.Close() }, nil
}

// wait polls condition and returns when it holds. If that takes longer than arriveTime, it returns an error that says what it waited for.
func (s *soak) wait(ctx context.Context, what string, condition func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, arriveTime)
	defer cancel()
	look := time.NewTicker(glance)
	defer look.Stop()
	for !condition() {
		select {
		case <-look.C:
		case <-ctx.Done():
			return fmt.Errorf("waited in vain for %s, for %s; see %s", what, arriveTime, s.log.Name())
		}
	}
	return nil
}

// awaitRequests waits until a replica accepts requests. It returns the time at which the first accepted request was sent, because on a
// busy machine the answer may arrive much later.
func (s *soak) awaitRequests(ctx context.Context, r *replica) (since time.Time, err error) {
	err = s.wait(ctx, "a replica that takes requests", func() bool {
		since = time.Now()
		return s.proxy.takes(ctx, r)
	})
	return since, err
}

// arrivals returns how often the bot has connected to each shard.
func (s *soak) arrivals() []int {
	all := make([]int, s.config.Shards)
	for i := range all {
		all[i] = s.bot.Attendance(i).Arrivals
	}
	return all
}

// lastArrival returns when the bot last connected to any shard.
func (s *soak) lastArrival() (last time.Time) {
	for i := range s.config.Shards {
		last = later(last, s.bot.Attendance(i).Last)
	}
	return last
}

// awaitShards waits until the bot hears every shard, and has connected to each at least the given number of times.
func (s *soak) awaitShards(ctx context.Context, times []int) error {
	return s.wait(ctx, "the bot", func() bool {
		for i, n := range times {
			if a := s.bot.Attendance(i); !a.There || a.Arrivals < n {
				return false
			}
		}
		return true
	})
}

// watchShards records when a shard is not heard, until the returned function is called.
func (s *soak) watchShards(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() {
		until := make([]func(time.Time), s.config.Shards) // the functions that end the records of unheard shards; nil while a shard is heard
		before := make([]discordsim.Attendance, s.config.Shards)
		for i := range before {
			before[i] = s.bot.Attendance(i)
		}
		look := time.NewTicker(glance)
		defer look.Stop()
		for at := time.Now(); ; {
			select {
			case <-look.C:
			case <-ctx.Done():
				return
			}
			for i, was := range before {
				now := s.bot.Attendance(i)
				before[i] = now
				if until[i] == nil && (!now.There || now.Arrivals > was.Arrivals) {
					until[i] = s.record.lasts(Event{At: at, Took: time.Since(at), Fault: Unheard, Shard: i})
				}
				if until[i] != nil && now.There {
					until[i](now.Last)
					until[i] = nil
				}
			}
			at = time.Now()
		}
	})
	return sync.OnceFunc(func() { cancel(); work.Wait() })
}
