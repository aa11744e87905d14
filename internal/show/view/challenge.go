package view

import (
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rating"
)

// OfChallenge returns the public screen of a challenge: with buttons while it is pending, and with its outcome afterwards. It is
// not for accepted challenges, because then the match is shown. stakes are the stakes of a match that would begin now.
func OfChallenge(c match.Challenge, names Names, level string, stakes rating.Stakes) Screen {
	args := Args{"From": names.Of(c.From), "To": names.Of(c.To)}
	notes := rulesNote(c.Rules)
	headline, question, withdrawn, expired := "challenge.headline", "challenge.question", "challenge.withdrawn", "challenge.expired"
	again := when(c.Venue != "", offerOpen(c.ID, "action.open.else")) // in a private chat there may be nobody else
	if c.Open() {
		headline, question, withdrawn, expired = "open.headline", "open.question", "open.withdrawn", "open.expired"
		again = []Button{offerOpen(c.ID, "action.open.again")}
		notes = []Text{boardAndRules(c.Rules)} // it also names the classic board, for readers who do not know the bot
	}
	notes = append(notes, when(c.BestOf > 0, T("series.terms", Args{"Series": SeriesName(c.BestOf), "Board": T("board.infinite", nil)}))...)
	wayOn := append(again, OfferComputer(level, c.Rules))
	switch c.Status {
	case match.Pending:
		args["Player"] = Mention(c.To)
		args["Deadline"] = Moment(c.Deadline)
		args["Time"] = TurnTime(c.TurnTime)
		args["First"] = first(c, names)
		return Screen{
			Lines:   []Text{T(headline, args), T(question, args)},
			Notes:   append(notes, withStakes("challenge.terms", stakes, args), T("challenge.expires", args)),
			Buttons: append(Answers(c, c.To), Answers(c, c.From)...),
		}
	case match.Declined:
		return Screen{Tone: Closed, Lines: []Text{T("challenge.declined", args)}, Buttons: wayOn}
	case match.Withdrawn:
		return Screen{Tone: Closed, Lines: []Text{T(withdrawn, args)}}
	case match.Expired:
		return Screen{Tone: Closed, Lines: []Text{T(expired, args)}, Buttons: wayOn}
	default:
		return Screen{Tone: Neutral, Lines: []Text{T("challenge.accepted", args)}}
	}
}

// Answers returns the buttons with which a player can end a pending challenge.
func Answers(c match.Challenge, by match.User) []Button {
	switch {
	case by == c.From:
		return []Button{{Do: Withdraw{c.ID}, Label: T("action.withdraw", nil)}}
	case c.Open():
		return []Button{{Do: Accept{c.ID}, Label: T("action.open.play", nil), Weight: Good}}
	}
	return []Button{
		{Do: Accept{c.ID}, Label: T("action.accept", nil), Weight: Good},
		{Do: Decline{c.ID}, Label: T("action.decline", nil), Weight: Bad},
	}
}

// OfferOpen returns the button that posts an open challenge on the terms of the challenge with the given id.
func OfferOpen(terms match.ID) Button { return offerOpen(terms, "action.open") }

func offerOpen(terms match.ID, label string) Button {
	return Button{Do: Open{terms}, Label: T(label, nil), Weight: Main}
}

// OfferComputer returns the button that starts a match against the computer.
func OfferComputer(level string, rules game.Rules) Button {
	return Button{Do: PlayComputer{Level: level, Rules: nameInButtons(rules)}, Label: T("action.computer", nil), Weight: Main}
}

func first(c match.Challenge, names Names) Text {
	switch {
	case c.First == match.Me:
		return T("challenge.first", Args{"Name": names.Of(c.From)})
	case c.First == match.Them && c.Open():
		return T("open.first", nil)
	case c.First == match.Them:
		return T("challenge.first", Args{"Name": names.Of(c.To)})
	default:
		return T("challenge.first.random", nil)
	}
}

// Gone is shown in place of a board that is not stored, because it was deleted or never existed.
func Gone() Screen { return Screen{Tone: Closed, Lines: []Text{T("gone", nil)}} }

// Moved returns the screen for the old message of a board that is now in another message.
func Moved(id match.ID) Screen {
	return Screen{Tone: Closed, Lines: []Text{T("moved", Args{"Link": Link{T("rematch.link", nil), id}})}}
}

// Notice returns a screen with one text, such as a refusal, and buttons.
func Notice(t Text, buttons ...Button) Screen {
	return Screen{Tone: Warning, Lines: []Text{t}, Buttons: buttons}
}
