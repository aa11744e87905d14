// Package match is the application core: challenge, accept, play, resign, rematch, lose on time.
//
// A [Match] and a [Challenge] are values with pure transitions: each returns the next value or a refusal, and touches no
// clock, no store and no chat. The [Referee] loads a value, applies a transition, lets a seated engine answer, and saves
// both in one transaction under compare-and-swap. The [Scheduler] is the only owner of deadlines, which are rows: it acts
// on those that come due. Its [Keeper] credits the time in which players could not be heard.
//
// What the core needs it declares here: [Store] and [Engine].
package match
