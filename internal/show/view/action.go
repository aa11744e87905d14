package view

import (
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
)

// Action is what a button or a menu does when it is used, with the state that it was offered for. There is one type for each.
// How an action is written into a button, and who carries it out, is the front end's affair.
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
	// Walk shows the position of a match after so many moves.
	Walk struct {
		Match match.ID
		Move  int // where it leads; 0 is the empty board
		Way   Way // which of the buttons it is, since several may lead to the same position
	}
	// Share shows whoever asks a finished match in a form that can be kept, and offers to post it.
	Share struct {
		Match match.ID
		As    ShareForm
	}
	// PostShared posts a finished match in that form where everybody sees it.
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
		From  int   // how many moves of the match were made before
		Aim   Aim   // what the position was worth to the side to move
		Moves Moves // that were made since
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
		Mine bool // the page of whoever asks, whatever Page says
		// Rules is the name of a rule set on offer. It is empty for all boards together, and for the classic one by rating.
		Rules  string
		Season string // its number; empty for the one that goes on
	}
	// PickRanking shows the leaderboard by the ranking that was chosen from a menu, of the same board and season.
	PickRanking struct{ Shown TurnLeaderboard }
	// PickBoard shows the leaderboard of the board that was chosen from a menu, by the same ranking and of the same season.
	PickBoard struct{ Shown TurnLeaderboard }
	// PickSeason shows the leaderboard of the season that was chosen from a menu, by the same ranking and of the same board.
	PickSeason struct{ Shown TurnLeaderboard }
	// ShowSeason shows whoever asks the leaderboards of a season.
	ShowSeason struct{ Number int }
	// SwitchMentions switches one's turn mentions on or off.
	SwitchMentions struct{ On bool }
	// Learn shows a lesson of the course, or what comes of a square that was pressed on its board.
	Learn struct {
		Lesson string
		Square string // as the rules name it; empty while none was pressed
	}
	// ListLessons shows all lessons of the course.
	ListLessons struct{}
	// PickLesson shows the lesson that was chosen from a menu.
	PickLesson struct{}
	// ChangeSetting changes one of one's settings.
	ChangeSetting struct{ Setting Setting }
	// ShowSettings shows a page of them.
	ShowSettings struct{ Page SettingsPage }
	// PersonalData hands out or deletes what is stored about one.
	PersonalData struct{ Request DataRequest }
)

// Actions on the puzzle of a day.
type (
	// SolvePuzzle shows the puzzle to whoever presses.
	SolvePuzzle struct{ Day puzzle.Day }
	// PressPuzzle presses a square of it.
	PressPuzzle struct {
		Day     puzzle.Day
		Presses int    // that there were when the board was drawn
		Square  string // as the rules name it
	}
	// Puzzle does something else with it.
	Puzzle struct {
		Do  PuzzleAction
		Day puzzle.Day
	}
)

// On presses that square.
func (a PressPuzzle) On(square string) PressPuzzle {
	a.Square = square
	return a
}

// Actions of moderators.
type (
	// OpenPage shows a page of what moderators see.
	OpenPage struct {
		Page   ModerationPage
		Number int // counted from 1
	}
	// SetPolicy changes what the server allows.
	SetPolicy struct{ Field PolicyField }
	// PickMatch shows the match that was chosen from a menu.
	PickMatch struct{}
	// Undo undoes what a moderator did.
	Undo struct {
		Entry match.ID // of the audit log; empty if it was chosen from a menu
	}
	// Rule ends a match by decision, or takes it back.
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

// Way is how a button leads through the positions of a match. Its values are on the wire, as those of the types below.
type Way string

// The ways.
const (
	ToFirst    Way = "first"
	ToPrevious Way = "back"
	ToNext     Way = "next"
	ToLast     Way = "last"
)

// Setting is something that a player chooses.
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

// SettingsPage is a page of one's settings.
type SettingsPage string

// The pages.
const (
	AllSettings   SettingsPage = "all"
	LanguagesPage SettingsPage = "languages"
)

// Ranking is what a leaderboard ranks by.
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

// Rankings are all of them, in the order of the menu.
func Rankings() []Ranking {
	return []Ranking{ByWins, ByRating, VersusComputer, ByLevels, ByDraws, ByMoves}
}

// DataRequest is what one may ask for about one's own data.
type DataRequest string

// The requests.
const (
	ExportData DataRequest = "export"
	EraseData  DataRequest = "erase"
)

// PuzzleAction is what is done with a puzzle beside solving it.
type PuzzleAction string

// The actions on a puzzle.
const (
	SharePuzzle   PuzzleAction = "share"
	PostAttempt   PuzzleAction = "post"
	PuzzleSolvers PuzzleAction = "solvers"
	ListSolver    PuzzleAction = "list"
	UnlistSolver  PuzzleAction = "unlist"
)

// ModerationPage is a page of what moderators see.
type ModerationPage string

// The pages.
const (
	PolicyPage   ModerationPage = "policy"
	RunningPage  ModerationPage = "running"
	EndedPage    ModerationPage = "ended"
	AuditLogPage ModerationPage = "deeds"
	ResetPage    ModerationPage = "reset" // the question before it is done
	SeasonPage   ModerationPage = "season"
	// BeginSeasonPage asks for the name of a season.
	BeginSeasonPage ModerationPage = "begin"
	PuzzlePage      ModerationPage = "puzzle"
	LanguagePage    ModerationPage = "language"
)

// Ruling is what a moderator decides about a match.
type Ruling string

// The rulings.
const (
	RuleDraw Ruling = "draw"
	RuleVoid Ruling = "void"
)

// Weight is how much a button stands out.
type Weight uint8

// The weights.
const (
	Plain Weight = iota
	Main
	Good
	Bad
)

// Button is something one can press. It does something, or leads to a page.
type Button struct {
	Do       Action // nil if it leads to URL
	URL      string
	Label    Text
	Weight   Weight
	Disabled bool
}

// Select is a menu to choose from.
type Select struct {
	Do       Action
	Hint     Text // shown while nothing is chosen
	Of       Source
	Options  []Option // of OwnOptions
	Chosen   []string // now, of VenuePlaces and AllPeople: ids
	Min, Max int      // how many may be chosen
}

// Source is where the entries of a menu come from.
type Source int

// The sources: those that are given, and those that the front end knows.
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
