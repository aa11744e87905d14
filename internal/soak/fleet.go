package soak

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// restartTime is how long a service manager waits.
const restartTime = 200 * time.Millisecond

// inUse is the exit code of a bot whose database another one has, patience how long it waits for that one to end, with
// more than enough time to start and to be noticed.
const (
	inUse    = 75
	patience = 15 * time.Second
)

// fleet is the processes of one bot: its replicas, of which each is started again when it ends, and twins beside them.
type fleet struct {
	launch func(n int, at string) (*process, error) // the replica of that number, which takes requests at an address, if it is given one
	http   bool
	record *recorder
	fail   func(error) // what the run itself cannot go on after

	starved  atomic.Int32 // how many faults are under way for which a bot may not begin, or not end well
	twins    atomic.Int32 // how many there are
	replicas []*replica
	work     sync.WaitGroup
}

// replica is one place of a fleet, with a process in it.
type replica struct {
	n       int                    // from 0
	mu      sync.Mutex             // held while processes start and end
	pausing sync.Mutex             // held while a process is paused
	process *process               // nil while it is told to end
	address atomic.Pointer[string] // where it takes requests; nil without such
}

func newFleet(setup Setup, launch func(int, string) (*process, error), record *recorder, fail func(error)) *fleet {
	f := &fleet{launch: launch, http: setup.HTTP, record: record, fail: fail}
	for n := range setup.Replicas {
		f.replicas = append(f.replicas, &replica{n: n})
	}
	return f
}

// start starts all replicas.
func (f *fleet) start() error {
	for _, r := range f.replicas {
		r.mu.Lock()
		err := f.rise(r)
		r.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// rise starts a replica and watches it: if it ends by itself, that is noted and it is started again. r.mu is held.
func (f *fleet) rise(r *replica) error {
	at := ""
	if f.http {
		var err error
		if at, err = freeAddress(); err != nil {
			return err
		}
		r.address.Store(&at)
	}
	p, err := f.launch(r.n, at)
	if err != nil {
		return err
	}
	r.process = p
	f.work.Go(func() {
		<-p.exited
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.process != p {
			return // it was told to end
		}
		// Beside a twin it may refuse the database, and it does not begin on a full disk, or without a server.
		if p.code == panicked || f.twins.Load() == 0 && f.starved.Load() == 0 {
			f.record.add(Event{Kind: Died, Text: fmt.Sprintf("ended by itself with code %d", p.code)})
		}
		time.Sleep(restartTime)
		if err := f.rise(r); err != nil {
			f.fail(err)
		}
	})
	return nil
}

// restart ends one of the replicas by the signal and starts it after a while. Told which process it is, around returns what is
// to be called when that has ended, before the while begins.
func (f *fleet) restart(r *replica, signal syscall.Signal, after time.Duration, around func(pid int) (ended func())) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.process == nil {
		return nil // it could not be started, which ends the run
	}
	ended := around(r.process.cmd.Process.Pid)
	f.tell(r, signal)
	ended()
	time.Sleep(after)
	return f.rise(r)
}

// pause stops a replica by SIGSTOP and lets it go on when told to, unless it has ended by then.
func (f *fleet) pause(r *replica, until <-chan struct{}) {
	r.mu.Lock()
	p := r.process
	if p != nil {
		_ = p.cmd.Process.Signal(syscall.SIGSTOP) // it may have ended already
	}
	r.mu.Unlock()
	if p == nil {
		return
	}
	select {
	case <-until:
	case <-p.exited:
	}
	_ = p.cmd.Process.Signal(syscall.SIGCONT)
}

// stillborn runs one more process until told to kill it.
func (f *fleet) stillborn(until <-chan struct{}) error {
	p, err := f.launch(0, "")
	if err != nil {
		return err
	}
	<-until
	p.end(syscall.SIGKILL)
	return nil
}

// tell ends a replica. r.mu is held.
func (f *fleet) tell(r *replica, signal syscall.Signal) {
	p := r.process
	r.process = nil
	if p != nil {
		f.noteEnd(p, p.end(signal))
	}
}

// stop ends all replicas.
func (f *fleet) stop(signal syscall.Signal) {
	for _, r := range f.replicas {
		r.mu.Lock()
		f.tell(r, signal)
		r.mu.Unlock()
	}
	f.work.Wait()
}

// running are the processes of the replicas.
func (f *fleet) running() []*process {
	var all []*process
	for _, r := range f.replicas {
		r.mu.Lock()
		all = append(all, r.process)
		r.mu.Unlock()
	}
	return all
}

// twin runs a process too many until told to stop. It may take over where another one ends, but as long as all live it
// waits, and gives up. Leave ends it by the function that it is given.
func (f *fleet) twin(until <-chan struct{}, leave func(pid int, end func()) error) error {
	f.twins.Add(1)
	defer f.twins.Add(-1)
	beside := f.running()
	began := time.Now()
	p, err := f.launch(0, "")
	if err != nil {
		return err
	}
	select {
	case <-p.exited:
		if p.code != inUse {
			f.noteEnd(p, fmt.Sprintf("beside another ended by itself with code %d", p.code))
		}
		return nil
	case <-until:
	}
	tooLong := time.Since(began) > patience && slices.Equal(beside, f.running())
	return leave(p.cmd.Process.Pid, func() {
		wrong := p.end(syscall.SIGTERM)
		if tooLong {
			wrong = "ran beside another on its database"
		}
		f.noteEnd(p, wrong)
	})
}

// noteEnd notes what was wrong about how a process ended, if anything. On a full disk it may say that it failed to put away
// the database's log, and without a server that it could not begin, or leave: nothing of it is lost.
func (f *fleet) noteEnd(p *process, wrong string) {
	if wrong != "" && (p.code != failed && p.code != inUse || f.starved.Load() == 0) {
		f.record.add(Event{Kind: Died, Text: wrong})
	}
}

// launch starts a replica as its operator would. With a clock that can be set it is `soak-bot`, which is `serve` on a machine with
// that clock.
func (s *soak) launch(n int, at string) (*process, error) {
	args := []string{"serve"}
	if s.clocks != nil {
		args = []string{"soak-bot", "--clock", s.clocks[n].file}
	}
	args = append(args, "--db", s.db.address(), "--discord-url", s.address, "--log-level", "warn")
	if at != "" {
		args = append(args, "--http", at, "--public-key", s.bot.VerifyKey())
	}
	if n := s.config.Shards; n > 1 {
		args = append(args, "--shards", strconv.Itoa(n))
	}
	if s.config.sharing() {
		args = append(args, "--shard-ids", "any")
	}
	cmd := exec.Command(s.config.Program, args...)
	cmd.Env = []string{"DISCORD_TOKEN=" + token, "HOME=" + s.folder, "PATH=" + os.Getenv("PATH")}
	cmd.Stdout, cmd.Stderr = s.log, s.log
	return start(cmd)
}
