package view

import (
	"slices"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
)

// Action is the effect of a button or menu, with the state for which it was offered: a value of one of the types below, of [Person], or of a
// type for arenas. Front ends write actions into buttons, and carry them out when a button is pressed.
type Action any

// Actions that end a challenge.
type (
	Accept   struct{ Challenge match.ID }
	Decline  struct{ Challenge match.ID }
	Withdraw struct{ Challenge match.ID }
)

// Open posts an open challenge of the user who presses the button, on the terms of an earlier challenge.
type Open struct{ Challenge match.ID }

// Actions on a match.
type (
	// Play places a mark on a square. Square is the square's name by the rules, such as b2.
	Play struct {
		Match  match.ID
		Ply    int // the stage of the drawn board; see [match.Match.Stage]
		Square string
	}
	// Resign gives the match up. After its button is pressed, the player is first asked to confirm.
	Resign struct {
		Match match.ID
		Ply   int
	}
	// Ease replaces the computer of a match by an easier one, as long as the player has not moved.
	Ease struct {
		Match   match.ID
		Version int
	}
	// Wish asks the other player of a match for something, or answers such a question.
	Wish struct {
		Match match.ID
		Ply   int // the stage of the drawn board
		Do    WishAction
	}
	// Rematch proposes a rematch, or accepts a proposed one.
	Rematch struct {
		Match   match.ID
		Version int
	}
	// DeclineRematch declines a proposed rematch.
	DeclineRematch struct {
		Match   match.ID
		Version int
	}
	// NextGame brings up the board of the game that follows a game of a series.
	NextGame struct{ Match match.ID }
	// Review shows what the moves of a finished match were worth.
	Review struct {
		Match match.ID
		Move  int // counted from 1; 0 for the whole match
	}
	// Walk shows the position of a match after a number of moves.
	Walk struct {
		Match match.ID
		Move  int // the number of moves; 0 is the empty board
		Way   Way // the button that was pressed, because several buttons can lead to the same position
	}
	// Share privately shows a finished match in a form that can be kept, and offers to post it.
	Share struct {
		Match match.ID
		As    ShareForm
	}
	// PostShared posts a finished match for everybody in the channel.
	PostShared struct {
		Match match.ID
		As    ShareForm
	}
	// WentWrong shows the move that decided a finished match.
	WentWrong struct{ Match match.ID }
	// Hint proposes a move against the computer, and marks the match as helped.
	Hint struct {
		Match match.ID
		Ply   int // the ply of the drawn board
	}
	// Practice lets a player continue alone from a position of a finished match, against the computer.
	Practice struct {
		Match match.ID
		From  int   // the number of moves of the match before the position
		Aim   Aim   // the result to reach, which is the value of the position for the side to move
		Moves Moves // the moves of the practice game
	}
	// PickTopic shows the topic of the help that was chosen from a menu.
	PickTopic struct{}
	// PickReplay shows the match that was chosen from a menu.
	PickReplay struct{}
	// Show moves the board to the channel in which the button was pressed.
	Show struct{ Match match.ID }
)

// Actions that are not about one match or challenge.
type (
	// PlayComputer starts a match against the computer.
	PlayComputer struct {
		Level string
		Rules string // the name of an offered rule set; empty for the classic one
	}
	// TurnLeaderboard shows another page of a leaderboard.
	TurnLeaderboard struct {
		Of   Ranking
		Page int  // counted from 1
		Mine bool // the page with the row of the player who asks; Page is then ignored
		// Rules is the name of an offered rule set. Empty means all rule sets together or, in the ranking by rating, the classic
		// one.
		Rules  string
		Season string // the number of the season; empty for the current one
	}
	// PickRanking shows the leaderboard with the ranking that was chosen from a menu, for the same rule set and season.
	PickRanking struct{ Shown TurnLeaderboard }
	// PickBoard shows the leaderboard of the rule set that was chosen from a menu, with the same ranking and season.
	PickBoard struct{ Shown TurnLeaderboard }
	// PickSeason shows the leaderboard of the season that was chosen from a menu, for the same ranking and rule set.
	PickSeason struct{ Shown TurnLeaderboard }
	// ShowSeason privately shows the leaderboards of a season.
	ShowSeason struct{ Number int }
	// ShowPosted privately shows the whole leaderboard of which the bot has posted a part. Day identifies the post.
	ShowPosted struct {
		Day   puzzle.Day
		Of    Ranking
		Rules string // as in TurnLeaderboard
	}
	// SwitchMentions switches a player's turn mentions on or off. Under a mention, Of is the mentioned player, who alone can use the
	// button; in all other places Of is empty.
	SwitchMentions struct {
		On bool
		Of match.User
	}
	// Learn shows a lesson of the course, or judges a square that was pressed on the lesson's board.
	Learn struct {
		Lesson string
		Square string // the square's name by the rules; empty before a square is pressed
	}
	// ListLessons shows all lessons of the course.
	ListLessons struct{}
	// PickLesson shows the lesson that was chosen from a menu.
	PickLesson struct{}
	// ChangeSetting changes a setting of a player.
	ChangeSetting struct{ Setting Setting }
	// ShowSettings shows a page of settings.
	ShowSettings struct{ Page SettingsPage }
	// PersonalData exports or deletes the data stored about a player.
	PersonalData struct{ Request DataRequest }
)

// Actions on the puzzle of a day.
type (
	// SolvePuzzle shows the puzzle privately to the user who presses the button.
	SolvePuzzle struct{ Day puzzle.Day }
	// PressPuzzle presses a square of the puzzle's board.
	PressPuzzle struct {
		Day     puzzle.Day
		Presses int    // the number of presses when the board was drawn
		Square  string // the square's name by the rules
	}
	// Puzzle carries out the action Do on the puzzle, for example to share an attempt.
	Puzzle struct {
		Do  PuzzleAction
		Day puzzle.Day
	}
)

// On returns the action with a square.
func (a PressPuzzle) On(square string) PressPuzzle {
	a.Square = square
	return a
}

// Actions of moderators.
type (
	// OpenPage shows a page of the moderation menu.
	OpenPage struct {
		Page   ModerationPage
		Number int // counted from 1
	}
	// SetPolicy changes a field of the policy of the server.
	SetPolicy struct{ Field PolicyField }
	// RankRole sets what earns a role, in steps.
	RankRole struct {
		Do    RankStep
		Role  string // Discord's id; empty if the role is chosen from a menu
		Board string // the name of an offered rule set; empty likewise
	}
	// PickMatch shows the match that was chosen from a menu.
	PickMatch struct{}
	// Undo undoes an action of a moderator.
	Undo struct {
		Entry match.ID // the id of the audit entry; empty if it was chosen from a menu
	}
	// Rule ends or voids a match by a moderator's decision.
	Rule struct {
		Ruling Ruling
		Match  match.ID
	}
)

// Way is one of the buttons that lead from position to position of a match. Its values, like the values of the types below, are in
// custom_ids and must not change.
type Way string

// The buttons.
const (
	ToFirst    Way = "first"
	ToPrevious Way = "back"
	ToNext     Way = "next"
	ToLast     Way = "last"
)

// WishAction is what a player asks for, or the answer.
type WishAction string

// The actions.
const (
	OfferDraw   WishAction = "draw"
	TakeBack    WishAction = "back"
	AgreeWish   WishAction = "agree"
	DeclineWish WishAction = "decline"
)

// Setting is one setting of a player.
type Setting string

// The settings.
const (
	TakeNoChallenges   Setting = "nobody"
	TakeChallenges     Setting = "everybody"
	MentionsOff        Setting = "mentionsoff"
	MentionsOn         Setting = "mentionson"
	TextBoardOn        Setting = "texton"
	TextBoardOff       Setting = "textoff"
	HideProfile        Setting = "hide"
	ShowProfile        Setting = "show"
	BlockedUsers       Setting = "blocked"
	ListMe             Setting = "list"
	UnlistMe           Setting = "unlist"
	LanguageMenu       Setting = "language"
	SecondLanguageMenu Setting = "languagetwo" // one menu has no room for all languages
)

// SettingsPage is a page of the settings of a player.
type SettingsPage string

// The pages of the moderation menu.
const (
	AllSettings   SettingsPage = "all"
	LanguagesPage SettingsPage = "languages"
)

// Ranking is the criterion by which a leaderboard ranks players.
type Ranking string

// The rankings that a leaderboard can show.
const (
	ByWins         Ranking = "players"
	VersusComputer Ranking = "computer"
	ByRating       Ranking = "rating"
	ByLevels       Ranking = "levels"
	ByDraws        Ranking = "draws"
	ByMoves        Ranking = "moves"
)

// Rankings returns all rankings, in the order of the menu.
func Rankings() []Ranking {
	return []Ranking{ByWins, ByRating, VersusComputer, ByLevels, ByDraws, ByMoves}
}

// DataRequest is a player's request about the data stored about the player: to export or delete it.
type DataRequest string

// The requests.
const (
	ExportData DataRequest = "export"
	EraseData  DataRequest = "erase"
)

// PuzzleAction is an action on a puzzle other than solving it.
type PuzzleAction string

// The actions on a puzzle.
const (
	SharePuzzle   PuzzleAction = "share"
	PostAttempt   PuzzleAction = "post"
	PuzzleSolvers PuzzleAction = "solvers"
	ListSolver    PuzzleAction = "list"
	UnlistSolver  PuzzleAction = "unlist"
)

// ModerationPage is a page of the moderation menu.
type ModerationPage string

// The pages of the moderation menu.
const (
	PolicyPage   ModerationPage = "policy"
	RunningPage  ModerationPage = "running"
	EndedPage    ModerationPage = "ended"
	AuditLogPage ModerationPage = "deeds"
	ResetPage    ModerationPage = "reset" // the form that asks before the leaderboards are reset
	SeasonPage   ModerationPage = "season"
	// BeginSeasonPage is the form that asks for the name and end of a new season.
	BeginSeasonPage ModerationPage = "begin"
	PuzzlePage      ModerationPage = "puzzle"
	ArenasPage      ModerationPage = "arenas"
	LanguagePage    ModerationPage = "language"
	ChannelsPage    ModerationPage = "channels"
	RanksPage       ModerationPage = "ranks" // the roles that are given for ranks
	PeoplePage      ModerationPage = "people"
	PostsPage       ModerationPage = "posts" // the leaderboard that is posted each week or month
)

// RankStep is a step in which moderators set what earns a role.
type RankStep string

// The steps.
const (
	PickRankRole  RankStep = "role"
	PickRankBoard RankStep = "board"
	PickMerit     RankStep = "merit"
	StopRankRole  RankStep = "stop"
)

// Ruling is a moderator's decision about a match.
type Ruling string

// The rulings.
const (
	RuleDraw Ruling = "draw"
	RuleVoid Ruling = "void"
)

// Weight says how much a button stands out.
type Weight uint8

// The weights.
const (
	Plain Weight = iota
	Main
	Good
	Bad
)

// Button does something when it is pressed, or leads to a web page.
type Button struct {
	Do       Action // nil if the button leads to URL
	URL      string
	Label    Text
	Heading  Text      // above the button, which then begins a row; without a key: none
	Mark     game.Mark // drawn before the label; None means no mark
	Weight   Weight
	Disabled bool
}

// Select is a menu from which a user chooses.
type Select struct {
	Do       Action
	Hint     Text // shown while nothing is chosen
	Of       Source
	Options  []Option // the entries, if the source is OwnOptions
	Chosen   []string // the ids chosen now, if the source is not OwnOptions
	Min, Max int      // how many entries can be chosen
}

// Titled reports whether the hint of a menu is also a heading above it: a choice in a menu of a moderator's settings hides the hint.
func (s Select) Titled() bool {
	switch do := s.Do.(type) {
	case SetPolicy:
		if do.Field == PolicyLanguage || do.Field == PolicySecondLanguage { // the hints are ranges of names
			return false
		}
	case RankRole:
	default:
		return false
	}
	return len(s.Chosen) > 0 || slices.ContainsFunc(s.Options, func(o Option) bool { return o.Chosen })
}

// Source says where the entries of a menu come from.
type Source int

// The sources: the menu's own options, or the places, roles or people that the front end knows. A forum is a place, but has no room for
// posts by the calendar.
const (
	OwnOptions Source = iota
	VenuePlaces
	PostPlaces
	VenueRoles
	AllPeople
)

// Option is one entry of a menu.
type Option struct {
	Value  string
	Label  Text
	Chosen bool
}
