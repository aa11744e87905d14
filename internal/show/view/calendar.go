package view

import (
	"slices"
	"strings"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
)

// PostedBoards returns the leaderboards that the bot can post by the calendar, in the order of the menu.
func PostedBoards() []string {
	boards := []string{string(ByWins), string(VersusComputer)}
	for _, name := range game.OfferedNames() {
		boards = append(boards, string(ByRating)+" "+name)
	}
	return boards
}

// PostedBoard returns the leaderboard with a name from [PostedBoards].
func PostedBoard(name string) TurnLeaderboard {
	of, rules, _ := strings.Cut(name, " ")
	return TurnLeaderboard{Of: Ranking(of), Rules: rules, Page: 1}
}

func postedBoardName(name string) Text {
	board := PostedBoard(name)
	if board.Of == ByRating {
		return T("leaderboard.rating", Args{"Board": boardName(board.Rules)})
	}
	return T("leaderboard.option."+string(board.Of), nil)
}

func everyText(e posting.Every) Text { return T("every."+string(e), nil) }

// OfLeaderboardPost returns the page on which moderators see and choose where, how often and which leaderboard is posted. closed means that
// the bot may not write in the channel.
func OfLeaderboardPost(p posting.Post, closed bool) Screen {
	s := Screen{Lines: []Text{T("admin.calendar", nil)}, Notes: []Text{T("admin.calendar.note", nil)}}
	s.Selects = []Select{{Do: SetPolicy{PolicyPosts}, Hint: T("admin.pick.puzzle", nil), Of: PostPlaces, Min: 1, Max: 1}}
	if p.Channel == "" {
		s.Lines = append(s.Lines, T("admin.calendar.nowhere", nil))
		s.Buttons = []Button{back(PolicyPage)}
		return s
	}
	s.Selects[0].Chosen = []string{p.Channel}
	s.Lines = append(s.Lines, T("admin.calendar."+string(p.Every), Args{
		"Board": postedBoardName(p.Board), "Place": Place(p.Channel), "When": Moment(p.Next.Start()),
	}))
	how, change := T("admin.calendar.anew", nil), Button{Do: SetPolicy{PolicyPostsEdit}, Label: T("action.calendar.edit", nil)}
	if p.Edit {
		how, change = T("admin.calendar.edit", nil), Button{Do: SetPolicy{PolicyPostsAnew}, Label: T("action.calendar.anew", nil)}
	}
	s.Lines = append(s.Lines, how)
	s.warnClosed(p.Channel, closed)
	every := Select{Do: SetPolicy{PolicyPostsEvery}, Hint: T("admin.pick.every", nil), Min: 1, Max: 1}
	for _, e := range []posting.Every{posting.Week, posting.Month} {
		every.Options = append(every.Options, Option{Value: string(e), Label: everyText(e), Chosen: e == p.Every})
	}
	board := Select{Do: SetPolicy{PolicyPostsBoard}, Hint: T("admin.pick.calendar", nil), Min: 1, Max: 1}
	for _, name := range PostedBoards() {
		board.Options = append(board.Options, Option{Value: name, Label: postedBoardName(name), Chosen: name == p.Board})
	}
	s.Selects = append(s.Selects, every, board)
	s.Buttons = []Button{change, {Do: SetPolicy{PolicyNoPosts}, Label: T("action.admin.puzzle.off", nil)}, back(PolicyPage)}
	return s
}

// warnClosed says that the bot may not write in the channel of posts, if closed is true.
func (s *Screen) warnClosed(channel string, closed bool) {
	if closed {
		s.Tone, s.Lines = Warning, append(s.Lines, T("admin.posts.closed", Args{"Place": Place(channel)}))
	}
}

// LeaderboardPost returns the public message with the results of the week or month before a day. overall has the ranks of players on the
// leaderboard of the season.
func LeaderboardPost(p posting.Post, first puzzle.Day, rows []score.Row, overall map[match.User]int) Screen {
	board := PostedBoard(p.Board)
	span := T("season.span", Args{"Began": Day(p.Every.Begin(first - 1).Start()), "Ended": Day((first - 1).Start())})
	s := postedScreen(p, first, T("leaderboard."+string(board.Of), nil), T("calendar."+string(p.Every), Args{"Span": span}))
	for _, row := range rows {
		text := rowText(board.Of, row)
		if rank := overall[row.Player]; rank > 0 {
			text = T("calendar.row", Args{"Row": text, "Rank": rank})
		}
		s.Lines = append(s.Lines, text)
	}
	return s
}

// RatingsPost returns the public message with the leaderboard by rating on a day.
func RatingsPost(p posting.Post, first puzzle.Day, rows []ladder.Row) Screen {
	title := T("leaderboard.rating", Args{"Board": boardName(PostedBoard(p.Board).Rules)})
	s := postedScreen(p, first, title, T("calendar."+string(p.Every), Args{"Span": T("season.span.until", Args{"Ended": Day((first - 1).Start())})}))
	for _, row := range rows {
		s.Lines = append(s.Lines, ladderRowText(row))
	}
	return s
}

func postedScreen(p posting.Post, first puzzle.Day, lines ...Text) Screen {
	return Screen{Lines: lines, Buttons: []Button{{Do: ShowPosted{first, PostedBoard(p.Board).Of, PostedBoard(p.Board).Rules}, Label: T("action.calendar.show", nil)}}}
}

// leaderboardPostText words the choice of a moderator for posts of leaderboards, from the values of an audit entry.
func leaderboardPostText(chosen []string) Text {
	var p posting.Post
	p.Choose(chosen)
	if p.Channel == "" {
		return T("deed.calendar.off", nil)
	}
	every := everyText(p.Every)
	if p.Edit {
		every = T("row.dot", Args{"First": every, "More": T("admin.calendar.edit", nil)})
	}
	return T("deed.calendar", Args{"Places": Place(p.Channel), "Board": postedBoardName(p.Board), "Every": every})
}

// postsText says what became of posts by the calendar, from an audit entry of the bot itself.
func postsText(d policy.AuditEntry) Text {
	chosen := append(slices.Clone(d.Chosen), "", "")
	return T("deed."+string(d.Kind)+"."+chosen[1], Args{"Places": Place(chosen[0])})
}
