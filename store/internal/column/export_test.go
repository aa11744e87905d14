package column

// Replay is the game that stored rules and moves stand for.
var Replay = replay
