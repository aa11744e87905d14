package view

import (
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
)

// Action is what a button or a menu does, with the state that it was offered for: one of the types below and no other. Front ends write
// actions into buttons and carry them out.
type Action interface{ action() }

// Actions on a challenge.
type (
	Accept   struct{ Challenge match.ID }
	Decline  struct{ Challenge match.ID }
	Withdraw struct{ Challenge match.ID }
)

// Actions on a match.
type (
	// Play places a mark on the square, which is written as the rules name it: b2.
	Play struct {
		Match  match.ID
		Ply    int // at which the board was drawn
		Square string
	}
	// Resign gives the match up. Its button first asks whether that is meant.
	Resign struct {
		Match match.ID
		Ply   int
	}
	// Ease puts an easier computer in its seat, as long as its player has not moved.
	Ease struct {
		Match   match.ID
		Version int
	}
	// Rematch proposes a rematch, or agrees to one.
	Rematch struct {
		Match   match.ID
		Version int
	}
	// DeclineRematch turns a proposed rematch down.
	DeclineRematch struct {
		Match   match.ID
		Version int
	}
	// Review shows what the moves of a finished match were worth.
	Review struct {
		Match match.ID
		Move  int // counted from 1; 0 for the whole match
	}
	// Walk shows the position of a match after a number of moves.
	Walk struct {
		Match match.ID
		Move  int // the number of moves; 0 is the empty board
		Way   Way // the button, since several buttons may lead to the same position
	}
	// Share privately shows a finished match in a form that can be kept, and offers to post it.
	Share struct {
		Match match.ID
		As    ShareForm
	}
	// PostShared posts a finished match in a form where everybody sees it.
	PostShared struct {
		Match match.ID
		As    ShareForm
	}
	// WentWrong shows with which move a finished match was lost.
	WentWrong struct{ Match match.ID }
	// Hint proposes a move against the computer, and marks the match as one with a hint.
	Hint struct {
		Match match.ID
		Ply   int // at which the board was drawn
	}
	// Practice plays on, alone, from a position of a finished match.
	Practice struct {
		Match match.ID
		From  int   // the number of moves of the match before it
		Aim   Aim   // the value of the position to the side to move
		Moves Moves // the moves since
	}
	// PickReplay shows the match that was chosen from a menu.
	PickReplay struct{}
	// Show posts the board where the player is.
	Show struct{ Match match.ID }
)

// Actions of one person.
type (
	// PlayComputer starts a match against the computer.
	PlayComputer struct {
		Level string
		Rules string // the name of a rule set on offer; empty for the classic one
	}
	// TurnLeaderboard shows another page of a leaderboard.
	TurnLeaderboard struct {
		Of   Ranking
		Page int  // counted from 1
		Mine bool // the page of the player who asks; Page is ignored
		// Rules is the name of a rule set on offer. It is empty for all boards together, and for the classic one by rating.
		Rules  string
		Season string // its number; empty for the current season
	}
	// PickRanking shows the leaderboard of the ranking chosen from a menu, for the same board and season.
	PickRanking struct{ Shown TurnLeaderboard }
	// PickBoard shows the leaderboard of the board chosen from a menu, for the same ranking and season.
	PickBoard struct{ Shown TurnLeaderboard }
	// PickSeason shows the leaderboard of the season chosen from a menu, for the same ranking and board.
	PickSeason struct{ Shown TurnLeaderboard }
	// ShowSeason privately shows the leaderboards of a season.
	ShowSeason struct{ Number int }
	// SwitchMentions switches the turn mentions of a player on or off. Under a mention it is only for the mentioned player; elsewhere Of is
	// empty.
	SwitchMentions struct {
		On bool
		Of match.User
	}
	// Learn shows a lesson of the course, or judges a square that was pressed on its board.
	Learn struct {
		Lesson string
		Square string // as the rules name it; empty while none was pressed
	}
	// ListLessons shows all lessons of the course.
	ListLessons struct{}
	// PickLesson shows the lesson that was chosen from a menu.
	PickLesson struct{}
	// ChangeSetting changes a setting of a player.
	ChangeSetting struct{ Setting Setting }
	// ShowSettings shows a page of settings.
	ShowSettings struct{ Page SettingsPage }
	// PersonalData hands out or deletes the data stored about a player.
	PersonalData struct{ Request DataRequest }
)

// Actions on the puzzle of a day.
type (
	// SolvePuzzle shows the puzzle to the user who presses.
	SolvePuzzle struct{ Day puzzle.Day }
	// PressPuzzle presses a square of it.
	PressPuzzle struct {
		Day     puzzle.Day
		Presses int    // the number of presses when the board was drawn
		Square  string // as the rules name it
	}
	// Puzzle does something else with the puzzle.
	Puzzle struct {
		Do  PuzzleAction
		Day puzzle.Day
	}
)

// On returns the press of a square.
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
	// PickMatch shows the match that was chosen from a menu.
	PickMatch struct{}
	// Undo undoes an action of a moderator.
	Undo struct {
		Entry match.ID // of the audit log; empty if it was chosen from a menu
	}
	// Rule ends or voids a match by decision.
	Rule struct {
		Ruling Ruling
		Match  match.ID
	}
)

func (Accept) action()          {}
func (Decline) action()         {}
func (Withdraw) action()        {}
func (Play) action()            {}
func (Resign) action()          {}
func (Ease) action()            {}
func (Rematch) action()         {}
func (DeclineRematch) action()  {}
func (Review) action()          {}
func (Walk) action()            {}
func (PickReplay) action()      {}
func (Share) action()           {}
func (PostShared) action()      {}
func (WentWrong) action()       {}
func (Hint) action()            {}
func (Learn) action()           {}
func (ListLessons) action()     {}
func (PickLesson) action()      {}
func (Practice) action()        {}
func (Show) action()            {}
func (PlayComputer) action()    {}
func (TurnLeaderboard) action() {}
func (PickRanking) action()     {}
func (PickBoard) action()       {}
func (PickSeason) action()      {}
func (ShowSeason) action()      {}
func (SwitchMentions) action()  {}
func (ChangeSetting) action()   {}
func (ShowSettings) action()    {}
func (PersonalData) action()    {}
func (SolvePuzzle) action()     {}
func (PressPuzzle) action()     {}
func (Puzzle) action()          {}
func (OpenPage) action()        {}
func (SetPolicy) action()       {}
func (PickMatch) action()       {}
func (Rule) action()            {}
func (Undo) action()            {}

// Way is a button that leads through the positions of a match. Its values are on the wire, like the values of the types below.
type Way string

// The ways.
const (
	ToFirst    Way = "first"
	ToPrevious Way = "back"
	ToNext     Way = "next"
	ToLast     Way = "last"
)

// Setting is a choice of a player.
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
	SecondLanguageMenu Setting = "languagetwo" // a menu has no room for all languages
)

// SettingsPage is a page of the settings of a player.
type SettingsPage string

// The pages.
const (
	AllSettings   SettingsPage = "all"
	LanguagesPage SettingsPage = "languages"
)

// Ranking is the criterion of a leaderboard.
type Ranking string

// The rankings.
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

// DataRequest is a request of a player about their own data.
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

// The pages.
const (
	PolicyPage   ModerationPage = "policy"
	RunningPage  ModerationPage = "running"
	EndedPage    ModerationPage = "ended"
	AuditLogPage ModerationPage = "deeds"
	ResetPage    ModerationPage = "reset" // asks before the leaderboards are reset
	SeasonPage   ModerationPage = "season"
	// BeginSeasonPage asks for the name of a season.
	BeginSeasonPage ModerationPage = "begin"
	PuzzlePage      ModerationPage = "puzzle"
	LanguagePage    ModerationPage = "language"
)

// Ruling is a moderator's decision about a match.
type Ruling string

// The rulings.
const (
	RuleDraw Ruling = "draw"
	RuleVoid Ruling = "void"
)

// Weight is the emphasis of a button.
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
	Do       Action // nil if it leads to URL
	URL      string
	Label    Text
	Mark     game.Mark // drawn before the label; None for none
	Weight   Weight
	Disabled bool
}

// Select is a menu.
type Select struct {
	Do       Action
	Hint     Text // shown while nothing is chosen
	Of       Source
	Options  []Option // of OwnOptions
	Chosen   []string // the ids that are chosen now, of VenuePlaces and AllPeople
	Min, Max int      // the least and the largest number of choices
}

// Source is the origin of the entries of a menu.
type Source int

// The sources: the given options, and the places and people that the front end knows.
const (
	OwnOptions Source = iota
	VenuePlaces
	AllPeople
)

// Option is one entry of a menu.
type Option struct {
	Value  string
	Label  Text
	Chosen bool
}
