package locale

import (
	"tictactoe/internal/arena"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// refusals returns, for each reason of a refusal, the key of the text about it.
func refusals() map[match.Reason]string {
	return map[match.Reason]string{
		match.Unknown:         "refusal.unknown",
		match.Stranger:        "refusal.stranger",
		match.NotYourTurn:     "refusal.turn",
		match.SquareTaken:     "refusal.taken",
		match.NoSuchSquare:    "refusal.square",
		match.Stale:           "refusal.stale",
		match.Finished:        "refusal.finished",
		match.TimeUp:          "refusal.time",
		match.AwaitingRematch: "refusal.rematch",
		match.AskedAlready:    "refusal.wish.asked",
		match.OwnWish:         "refusal.wish.own",
		match.OtherTeam:       "refusal.crowd.team",
		match.CrowdPlaying:    "refusal.crowd.playing",
		match.NoHints:         "refusal.hints",
		match.OwnChallenge:    "refusal.own",
		match.NotChallenged:   "refusal.challenged",
		match.NotChallenger:   "refusal.challenger",
		match.ChallengeOver:   "refusal.over",
		match.SelfChallenge:   "refusal.self",
		match.AlreadyPending:  "refusal.pending",
		match.TooManyYours:    "refusal.limit.yours",
		match.TooManyTheirs:   "refusal.limit.theirs",
		match.TooManyPair:     "refusal.limit.pair",
		match.TooManyPosts:    "refusal.limit.posts",
		match.UnknownLevel:    "refusal.level",
		match.WrongPlace:      "refusal.place",
		match.LevelWithheld:   "refusal.level.withheld",
		match.BoardWithheld:   "refusal.board.withheld",
		match.NotTaking:       "refusal.nottaking",
		match.NotOpen:         "refusal.notopen",
		match.Blocking:        "refusal.blocking",
		match.TooSoon:         "refusal.soon",
		match.HasLeft:         "refusal.left",
		match.MissedMatches:   "refusal.missed",
		match.Barred:          "refusal.barred",
		match.VenueBarred:     "refusal.barred.server",
		match.OtherBarred:     "refusal.barred.other",
		match.OwnBar:          "refusal.bar.self",
		match.Undone:          "refusal.undone",
		match.UndoExpired:     "refusal.undo.expired",
		match.CutShort:        "refusal.undo.short",
		match.NotLatest:       "refusal.undo.season",
		match.ChangedSince:    "refusal.undo.setting",
		arena.Unknown:         "refusal.arena.unknown",
		arena.Taken:           "refusal.arena.taken",
		arena.BadTerms:        "refusal.arena.terms",
		arena.BadTime:         "refusal.arena.terms",
		arena.Closed:          "refusal.arena.closed",
		arena.Full:            "refusal.arena.full",
		arena.NotJoined:       "refusal.arena.out",
		arena.Banned:          "refusal.arena.banned",
	}
}

// Refusal returns the text that tells a user why the user's request was refused.
func Refusal(r *match.Refusal, by match.User, names view.Names) view.Text {
	args := view.Args{"Limit": r.Limit, "Name": names.Of(r.Player), "Until": view.Moment(r.Until)}
	key := refusals()[r.Reason]
	switch r.Reason {
	case match.Barred:
		if !r.Until.IsZero() {
			key, args["Until"] = "refusal.barred.until", view.Hour(r.Until)
		}
	case match.WrongPlace:
		args["Places"] = view.PlaceNames(r.Allowed)
	case match.LevelWithheld:
		args["Levels"] = view.LevelNames(r.Allowed)
	case match.BoardWithheld:
		args["Boards"] = view.BoardNames(r.Allowed)
	}
	if m := r.Match; m != nil {
		args["X"], args["O"] = names.Seat(m.Seats[0]), names.Seat(m.Seats[1])
		switch r.Reason {
		case match.CrowdPlaying:
			args["Link"] = view.Link{Text: view.T("games.link", nil), Match: m.ID}
		case match.NotYourTurn:
			args["Name"] = names.Seat(m.Turn())
		case match.AwaitingRematch:
			args["Name"] = names.Seat(m.Seats.Of(m.Seats.Mark(by).Opponent()))
			args["Deadline"] = view.Moment(m.Rematch.Deadline)
		}
	}
	if c := r.Challenge; c != nil {
		args["Deadline"] = view.Moment(c.Deadline)
		switch r.Reason {
		case match.OwnChallenge, match.NotChallenged:
			args["Name"] = names.Of(c.To)
			if r.Reason == match.OwnChallenge && c.Open() {
				key = "refusal.own.open"
			}
		case match.NotChallenger:
			args["Name"] = names.Of(c.From)
			if by != c.To {
				key = "refusal.challenger.stranger"
			}
		case match.AlreadyPending:
			args["Name"] = names.Of(c.To)
			switch {
			case c.Open():
				key, args["Link"] = "refusal.pending.open", view.Link{Text: view.T("games.link", nil), Match: c.ID}
			case by == c.To:
				args["Name"] = names.Of(c.From)
				key = "refusal.pending.received"
			}
		}
	}
	return view.T(key, args)
}

// Players returns the users whose names the text of a refusal may contain.
func Players(r *match.Refusal) []match.User {
	var players []match.User
	if r.Match != nil {
		players = append(players, r.Match.Seats.Players()...)
	}
	if r.Challenge != nil {
		players = append(players, r.Challenge.From, r.Challenge.To)
	}
	if r.Player != "" {
		players = append(players, r.Player)
	}
	return players
}
