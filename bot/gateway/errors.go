package gateway

import (
	"errors"
	"fmt"

	"github.com/gorilla/websocket"
)

// FatalError means that connecting again is useless until a person changes something. The text says what to change.
type FatalError struct {
	// Code is the gateway's close code, or 401 if the REST API refused the token.
	Code int
}

// Error implements error.
func (e *FatalError) Error() string {
	return fmt.Sprintf("Discord refuses this bot (code %d): %s", e.Code, fatalReasons[e.Code])
}

// TooManyServers is the close code by which Discord refuses a shard with more than 2,500 servers.
const TooManyServers = 4011

// fatalReasons has the close codes after which a client must not reconnect, each with what to change, from Discord's "Gateway Close Event
// Codes".
var fatalReasons = map[int]string{
	401:  "the token is not valid; copy the bot's token from the developer portal (Bot, Reset Token)",
	4004: "the token is not valid; copy the bot's token from the developer portal (Bot, Reset Token)",
	4010: "the shard number is not valid",
	4011: "a connection has more than 2,500 servers; start the bot with more shards, or with as many as Discord recommends (--shards auto)",
	4012: "the gateway version is no longer served; a newer version of this program is needed",
	4013: "the intents are not valid; a newer version of this program is needed",
	4014: "the intents are not allowed; enable them in the developer portal (Bot, Privileged Gateway Intents)",
}

// Fatal returns a *FatalError if err is one, or is the close of a connection with a code after which the bot must not reconnect. Otherwise
// it returns nil.
func Fatal(err error) error {
	if fatal, is := errors.AsType[*FatalError](err); is {
		return fatal
	}
	if closed, is := errors.AsType[*websocket.CloseError](err); is && fatalReasons[closed.Code] != "" {
		return &FatalError{Code: closed.Code}
	}
	return nil
}
