package bot

import (
	"errors"
	"net"
	"time"
)

const (
	// helloTimeout is how long the first message may take.
	helloTimeout = 20 * time.Second
	// missedHeartbeats is how many heartbeat intervals may pass without an answer: one heartbeat may be lost. The network may be
	// slow, so silenceSlack is added.
	missedHeartbeats = 2
	silenceSlack     = 5 * time.Second
)

// errSilent is why a connection ended on which no answer came.
var errSilent = errors.New("the gateway fell silent")

// silence bounds how long a gateway may answer nothing.
//
// Defect: discordgo v0.29.0 waits for the first message without end, and for the answer to a heartbeat for five intervals, 206 s.
//
// Cure: a deadline on each read, moved by HELLO and by answers to heartbeats. Other messages do not move it: a connection whose
// other direction is dead may still bring some.
//
// Cost: one system call for each message.
//
// Test: TestConnecting; "silence after HELLO" and "a zombie is noticed within 90 s" of TestDefectsOfDiscordgo.
type silence struct {
	since  time.Time // when the connection began, or the latest answer came
	window time.Duration
}

// newSilence begins with a connection.
func newSilence() silence { return silence{since: time.Now(), window: helloTimeout} }

// greeted takes HELLO with its heartbeat interval.
func (s *silence) greeted(interval time.Duration) {
	s.since, s.window = time.Now(), missedHeartbeats*interval+silenceSlack
}

// answered takes the answer to a heartbeat.
func (s *silence) answered() { s.since = time.Now() }

// deadline is when the gateway has been silent for too long.
func (s *silence) deadline() time.Time { return s.since.Add(s.window) }

// silent returns errSilent in place of the error of a read that met the deadline.
func silent(err error) error {
	if timeout, is := errors.AsType[net.Error](err); is && timeout.Timeout() {
		return errSilent
	}
	return err
}
