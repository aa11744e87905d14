// Package match is the application core: challenge, accept, play, resign, rematch, lose on time.
//
// A [Match] and a [Challenge] are values with pure transitions: each returns the next value or a refusal, and touches no clock, no store
// and no chat. The [Referee] loads a value, applies a transition, lets the engine answer if a computer is to move, and saves the outcome in
// one transaction under compare-and-swap. Deadlines are rows, and only the [Scheduler] acts on the deadlines that have passed. It credits
// the time in which the bot could not receive the players' actions.
//
// The core declares here what it needs: [Store] and [Engine].
package match
