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

// restartTime is how long the fleet waits before it restarts a process that ended by itself, as a service manager does.
const restartTime = 200 * time.Millisecond

// inUse is the exit code of a bot whose database is locked by another process. patience is how long such a bot may wait for the other
// process to end, plus the time that its start and its end take.
const (
	inUse    = 75
	patience = 15 * time.Second
)

// fleet runs the processes of one bot: its replicas, each of which is restarted when it ends, and additional processes, which are
// called twins.
type fleet struct {
	launch func(n int, at string) (*process, error) // starts the replica with the number n; at is the address for its requests, if any
	http   bool
	record *recorder
	fail   func(error) // called with an error after which the run cannot continue

	storageFaults atomic.Int32 // number of current faults during which a bot may fail to start or to end well
	twins         atomic.Int32 // number of running twins
	replicas      []*replica
	work          sync.WaitGroup
}

// replica is one of the numbered members of a fleet. Every restart gives it a new process.
type replica struct {
	n       int                    // the number of the replica, from 0
	mu      sync.Mutex             // held while processes start and end
	pausing sync.Mutex             // held while the process is paused
	process *process               // nil after the process was told to end
	address atomic.Pointer[string] // the address for the process's requests; nil if it accepts none
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
		err := f.startReplica(r)
		r.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// startReplica starts the process of a replica and watches it: if the process ends by itself, startReplica records that and restarts it.
// r.mu must be held.
func (f *fleet) startReplica(r *replica) error {
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
			return // the process was told to end
		}
		// While a twin runs, it may have locked the database. On a full disk or without a database server, a bot cannot start.
		if p.code == panicked || f.twins.Load() == 0 && f.storageFaults.Load() == 0 {
			f.record.add(Event{Kind: Died, Text: fmt.Sprintf("ended by itself with code %d", p.code)})
		}
		time.Sleep(restartTime)
		if err := f.startReplica(r); err != nil {
			f.fail(err)
		}
	})
	return nil
}

// restart ends the process of a replica with the signal, and starts it again after the given time. It first calls notify with the process
// id and, as soon as the process has ended, the function that notify has returned.
func (f *fleet) restart(r *replica, signal syscall.Signal, after time.Duration, notify func(pid int) (ended func())) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.process == nil {
		return nil // the process could not be started, so the run ends
	}
	ended := notify(r.process.cmd.Process.Pid)
	f.endReplica(r, signal)
	ended()
	time.Sleep(after)
	return f.startReplica(r)
}

// pause stops the process of a replica by SIGSTOP, and lets it go on at the end of the pause unless it has ended.
func (f *fleet) pause(r *replica, until <-chan struct{}) {
	r.mu.Lock()
	p := r.process
	if p != nil {
		_ = p.cmd.Process.Signal(pauseSignal) // the process may have ended already
	}
	r.mu.Unlock()
	if p == nil {
		return
	}
	select {
	case <-until:
	case <-p.exited:
	}
	_ = p.cmd.Process.Signal(continueSignal)
}

// stillborn starts an additional process, and kills it when the given channel is closed.
func (f *fleet) stillborn(until <-chan struct{}) error {
	p, err := f.launch(0, "")
	if err != nil {
		return err
	}
	<-until
	p.end(syscall.SIGKILL)
	return nil
}

// endReplica ends the process of a replica with the signal. r.mu must be held.
func (f *fleet) endReplica(r *replica, signal syscall.Signal) {
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
		f.endReplica(r, signal)
		r.mu.Unlock()
	}
	f.work.Wait()
}

// running returns the processes of the replicas.
func (f *fleet) running() []*process {
	var all []*process
	for _, r := range f.replicas {
		r.mu.Lock()
		all = append(all, r.process)
		r.mu.Unlock()
	}
	return all
}

// twin runs an additional process until the given channel is closed. The process may take over if another one ends; as long as all others
// live, it waits and then gives up. In the end, twin calls the function leave with the process id and a function that ends the process.
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

// noteEnd records that a process ended in a wrong way, unless wrong is empty. It ignores failures on a full disk, where the bot cannot move
// the database's write-ahead log into the database, and failures without a database server, where the bot can neither start nor release its
// leases: no data is lost.
func (f *fleet) noteEnd(p *process, wrong string) {
	if wrong != "" && (p.code != failed && p.code != inUse || f.storageFaults.Load() == 0) {
		f.record.add(Event{Kind: Died, Text: wrong})
	}
}

// launch starts a process of the bot as an operator would. If the soak test can set its clock, a hidden flag of `serve` names the clock's
// file.
func (s *soak) launch(n int, at string) (*process, error) {
	args := []string{"serve"}
	if s.clocks != nil {
		args = append(args, "--clock", s.clocks[n].file)
	}
	args = append(args, "--db", s.db.address(), "--discord-url", s.address, "--log-level", "warn", "--user-rate", strconv.Itoa(perSecond))
	if at != "" {
		args = append(args, "--http", at, "--public-key", s.bot.VerifyKey())
	}
	if n := s.config.Shards; n > 1 {
		args = append(args, "--shards", strconv.Itoa(n))
	}
	if s.config.sharing() {
		args = append(args, "--shard-ids", "any")
	}
	program := s.config.Program
	if s.config.Older != "" && s.starts.Add(1)%2 == 1 {
		program = s.config.Older
	}
	cmd := exec.Command(program, args...)
	cmd.Env = []string{"DISCORD_TOKEN=" + token, "HOME=" + s.folder, "PATH=" + os.Getenv("PATH")}
	cmd.Stdout, cmd.Stderr = s.log, s.log
	return start(cmd)
}
