package arena

import "tictactoe/internal/match"

// The reasons for which a request about an arena is refused, in a [*match.Refusal]. Each has a text in internal/show/locale.
const (
	Unknown   match.Reason = "no such arena"
	Taken     match.Reason = "the channel has an arena already"
	BadTerms  match.Reason = "an arena cannot have these terms"
	BadTime   match.Reason = "an arena cannot begin then"
	Closed    match.Reason = "the arena is over"
	Full      match.Reason = "the arena has too many entrants"
	NotJoined match.Reason = "not an entrant of the arena"
	Banned    match.Reason = "removed from the arena"
)

func refuse(reason match.Reason) *match.Refusal { return &match.Refusal{Reason: reason} }
