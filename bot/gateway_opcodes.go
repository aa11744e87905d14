package bot

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Gateway opcodes.
const (
	opEvent          = 0
	opHeartbeat      = 1
	opIdentify       = 2
	opResume         = 6
	opReconnect      = 7
	opInvalidSession = 9
	opHello          = 10
	opHeartbeatACK   = 11
)

// longestInterval bounds the time between heartbeats that a gateway may ask for. Discord's is 41 seconds.
const longestInterval = time.Hour

// errReconnect is why a connection ended that Discord wants to have resumed.
var errReconnect = errors.New("the gateway asked to reconnect")

// invalidSession is the gateway's answer to an IDENTIFY or RESUME that it does not accept now.
type invalidSession struct{ resumable bool }

// Error implements error.
func (e *invalidSession) Error() string {
	return fmt.Sprintf("the gateway does not accept the session (resumable: %t)", e.resumable)
}

// control handles a message that is no event. The error ends the connection.
//
// Defect: op 7 or op 11 among the first two messages locks discordgo v0.29.0 up for ever, with its Session. On op 9 it identifies
// at once, again and again. On op 1 among the first two messages it gives up, and an interval of 0 ends the process.
//
// Cure: op 7 and 9 end the connection here, and the supervisor decides when to come back. Op 1 is answered here. Op 11 is
// passed on once the session stands, HELLO with an interval that makes sense.
//
// Cost: to parse the gateway's control messages, one in 41 seconds.
//
// Test: TestDefectsOfDiscordgo, TestConnecting, TestIdentifyBudget.
func (s *shim) control(m message) error {
	switch m.Op {
	case opHello:
		var hello struct {
			Interval float64 `json:"heartbeat_interval"` // milliseconds
		}
		if err := json.Unmarshal(m.Data, &hello); err != nil {
			return fmt.Errorf("read HELLO: %w", err)
		}
		if hello.Interval < 1 || hello.Interval > float64(longestInterval.Milliseconds()) {
			return fmt.Errorf("the gateway asks for a heartbeat every %v ms, which makes no sense", hello.Interval)
		}
		s.hearWithin(missedHeartbeats*time.Duration(hello.Interval)*time.Millisecond + silenceSlack)
		return s.tell(`{"op":%d,"d":{"heartbeat_interval":%d}}`, opHello, int64(hello.Interval))
	case opHeartbeat:
		s.beat()
	case opHeartbeatACK:
		s.hearWithin(s.window)
		s.probe.answered(s.window)
		if s.accepted {
			return s.tell(`{"op":%d}`, opHeartbeatACK)
		}
	case opReconnect:
		return errReconnect
	case opInvalidSession:
		return &invalidSession{resumable: string(m.Data) == "true"}
	}
	return nil
}
