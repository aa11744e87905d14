package column

import (
	"fmt"

	"tictactoe/internal/file/printable"
)

// Remedy is the recommended action for a finding.
type Remedy string

// The remedies.
const (
	RestoreBackup Remedy = "restore a backup"
	RebuildScores Remedy = "rebuild what follows from the matches"
	ReviewAgain   Remedy = "review the matches again"
	LeaveIt       Remedy = "none is needed: it does no harm, and only says that something else has written to it"
)

// Finding is a defect that a check found in a database.
type Finding struct {
	Where  string `json:"where"`  // the row, as "match 1a2b3c", or the part of the database
	What   string `json:"what"`   // the defect
	Remedy Remedy `json:"remedy"` // the recommended action
}

// Report is the result of a check.
type Report struct {
	Schema     int64     `json:"schema"` // the schema version of the database
	Matches    int       `json:"matches"`
	Moves      int       `json:"moves"`
	Challenges int       `json:"challenges"`
	Scores     int       `json:"scores"`
	Boards     int       `json:"boards"`
	Findings   []Finding `json:"findings"` // never nil
}

// The largest numbers of characters of a finding.
const (
	longestWhere = 200
	longestWhat  = 400
)

// Found adds a finding, whose text may quote any content of the database.
func (r *Report) Found(where string, remedy Remedy, what string, args ...any) {
	what = printable.Line(fmt.Sprintf(what, args...), longestWhat)
	r.Findings = append(r.Findings, Finding{printable.Line(where, longestWhere), what, remedy})
}

// Progress is called during long work with the amount done and the total, in a unit that the work chooses. It may be
// nil.
type Progress func(done, all int)

// Say calls p, unless p is nil.
func (p Progress) Say(done, all int) {
	if p != nil {
		p(done, all)
	}
}
