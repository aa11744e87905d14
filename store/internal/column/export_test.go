package column

// Replay exports replay, which returns the game with the given stored rules and moves.
var Replay = replay
