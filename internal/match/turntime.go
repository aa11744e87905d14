package match

import "time"

// ComputerTurnTime is the time for each move against a computer: long enough for an unhurried player, finite so that a match that
// was left does not stay open for ever. Against a person it is what the challenger chose.
const ComputerTurnTime = 24 * time.Hour
