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

// hearWithin ends the connection unless the gateway answers within window, from now on. It is called at the beginning of the
// connection, and by what moves the deadline: HELLO and the answer to a heartbeat.
//
// Defect: discordgo v0.29.0 waits for the first message without end, and for the answer to a heartbeat for five intervals, 206 s.
//
// Cure: a deadline of all reads, moved by HELLO and by answers to heartbeats. Other messages do not move it: a connection whose
// other direction is dead may still bring some.
//
// Cost: one timer of the runtime for each connection.
//
// Test: TestConnecting; "silence after HELLO" and "a zombie is noticed within 90 s" of TestDefectsOfDiscordgo.
func (s *shim) hearWithin(window time.Duration) {
	s.window = window
	_ = s.discord.SetReadDeadline(time.Now().Add(window)) // if it fails, the next read does
}

// silent returns errSilent in place of the error of a read that met the deadline.
func silent(err error) error {
	if timeout, is := errors.AsType[net.Error](err); is && timeout.Timeout() {
		return errSilent
	}
	return err
}
