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
	computer := OfferComputer(level, c.Rules)
	switch c.Status {
	case match.Pending:
		args["Player"] = Mention(c.To)
		args["Deadline"] = Moment(c.Deadline)
		args["Time"] = TurnTime(c.TurnTime)
		args["First"] = first(c, names)
		return Screen{
			Lines:   []Text{T("challenge.headline", args), T("challenge.question", args)},
			Notes:   append(rulesNote(c.Rules), withStakes("challenge.terms", stakes, args), T("challenge.expires", args)),
			Buttons: append(Answers(c, c.To), Answers(c, c.From)...),
		}
	case match.Declined:
		return Screen{Tone: Closed, Lines: []Text{T("challenge.declined", args)}, Buttons: []Button{computer}}
	case match.Withdrawn:
		return Screen{Tone: Closed, Lines: []Text{T("challenge.withdrawn", args)}}
	case match.Expired:
		return Screen{Tone: Closed, Lines: []Text{T("challenge.expired", args)}, Buttons: []Button{computer}}
	default:
		return Screen{Tone: Neutral, Lines: []Text{T("challenge.accepted", args)}}
	}
}

// Answers returns the buttons with which a player can end a pending challenge.
func Answers(c match.Challenge, by match.User) []Button {
	if by == c.From {
		return []Button{{Do: Withdraw{c.ID}, Label: T("action.withdraw", nil)}}
	}
	return []Button{
		{Do: Accept{c.ID}, Label: T("action.accept", nil), Weight: Good},
		{Do: Decline{c.ID}, Label: T("action.decline", nil), Weight: Bad},
	}
}

// OfferComputer returns the button that starts a match against the computer.
func OfferComputer(level string, rules game.Rules) Button {
	return Button{Do: PlayComputer{Level: level, Rules: nameInButtons(rules)}, Label: T("action.computer", nil), Weight: Main}
}

func first(c match.Challenge, names Names) Text {
	switch c.First {
	case match.Me:
		return T("challenge.first", Args{"Name": names.Of(c.From)})
	case match.Them:
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
