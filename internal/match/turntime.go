package match

import "time"

// ComputerTurnTime is the turn time against a computer: long enough for an unhurried player, and finite, so that an
// abandoned match does not stay open for ever. Against a person the challenger chooses the turn time.
const ComputerTurnTime = 24 * time.Hour
