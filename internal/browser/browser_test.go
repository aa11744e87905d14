package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/browser"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// english has the numbers of English.
type english struct{}

func (english) Form(n int) string {
	if n == 1 {
		return "one"
	}
	return "other"
}
func (english) Write(n int) string { return fmt.Sprint(n) }

// book returns the English texts that a page has.
func book(t *testing.T) *locale.Book {
	t.Helper()
	content, err := fs.ReadFile(locale.Embedded(), "en.json")
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]any{}
	if err := json.Unmarshal(content, &values); err != nil {
		t.Fatal(err)
	}
	for key := range values {
		if !browser.Uses(key) {
			delete(values, key)
		}
	}
	b, err := locale.BookOf(map[string]map[string]any{"en": values}, func(string) locale.Numbers { return english{} })
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// memory is a storage that ends with the test. The zero value is empty.
type memory map[string]browser.Row

func (m memory) All(_ context.Context, prefix string) (map[string]browser.Row, error) {
	found := map[string]browser.Row{}
	for key, row := range m {
		if strings.HasPrefix(key, prefix) {
			found[key] = maps.Clone(row)
		}
	}
	return found, nil
}

func (m memory) Put(_ context.Context, changes ...browser.Change) error {
	for _, c := range changes {
		if version, _ := strconv.ParseInt(m[c.Key]["version"], 10, 64); version != c.From {
			return match.ErrConflict
		}
	}
	for _, c := range changes {
		if m[c.Key] = maps.Clone(c.To); c.To == nil {
			delete(m, c.Key)
		}
	}
	return nil
}

// person presses things on a page.
type person struct {
	t *testing.T
	*browser.Page
	now   time.Time
	shown browser.Drawn
}

func newPerson(t *testing.T, rows browser.Rows) *person {
	p := &person{t: t, now: time.Date(2026, time.November, 29, 9, 0, 0, 0, time.UTC)}
	p.Page = &browser.Page{Rows: rows, Words: book(t).In("en"), Now: func() time.Time { p.now = p.now.Add(time.Second); return p.now }, Coin: func() bool { return false }}
	return p
}

// key matches the key of a text, which nobody should see.
var key = regexp.MustCompile(`^[a-z]+(\.[a-z]+)+$`)

// does carries out a word, and checks that the screen has all texts, and none about leaderboards, which the page does not have.
func (p *person) does(word string) browser.Drawn {
	p.t.Helper()
	d, err := p.Do(context.Background(), word)
	if err != nil {
		p.t.Fatal(err)
	}
	said := append(append([]string{d.Paste, d.Grid}, d.Lines...), d.Notes...)
	for _, b := range d.Buttons {
		said = append(append(said, b.Label), b.Ask...)
	}
	for _, m := range d.Menus {
		said = append(said, m.Label)
		for _, o := range m.Options {
			said = append(said, o.Label)
		}
	}
	for _, c := range d.Cells {
		said = append(said, c.Say)
	}
	for _, text := range said {
		if key.MatchString(text) || strings.Contains(text, "{{") || strings.Contains(text, "leaderboard") || strings.Contains(text, "Played with a hint") {
			p.t.Errorf("%s shows %q", word, text)
		}
	}
	p.shown = d
	return d
}

// presses presses a square.
func (p *person) presses(square string) browser.Drawn {
	p.t.Helper()
	for _, c := range p.shown.Cells {
		if c.Name == square {
			return p.does(c.Do)
		}
	}
	p.t.Fatalf("there is no square %s", square)
	return browser.Drawn{}
}

// uses presses the button with a label.
func (p *person) uses(label string) browser.Drawn {
	p.t.Helper()
	for _, b := range p.shown.Buttons {
		if b.Label == label {
			return p.does(b.Do)
		}
	}
	p.t.Fatalf("there is no button %q among %v", label, p.shown.Buttons)
	return browser.Drawn{}
}

func (p *person) has(label string) bool {
	for _, b := range p.shown.Buttons {
		if b.Label == label && !b.Off {
			return true
		}
	}
	return false
}

// board draws the marks of the shown board.
func (p *person) board() string {
	text := ""
	for i, c := range p.shown.Cells {
		if i > 0 && i%p.shown.Columns == 0 {
			text += "/"
		}
		if c.Mark == "" {
			text += "."
		}
		text += c.Mark
	}
	return text
}

func TestTheFirstScreenIsABoard(t *testing.T) {
	p := newPerson(t, memory{})
	d := p.does("open")
	if len(d.Cells) != 9 || p.board() != ".../.../..." || d.Tab != "play" || !strings.Contains(d.Lines[0], "Your turn") {
		t.Errorf("the first screen is %+v", d)
	}
	p.presses("b2")
	if got := strings.Count(p.board(), "O"); got != 1 {
		t.Errorf("after the first move: %s", p.board())
	}
	before := p.board()
	if p.does("open"); p.board() != before {
		t.Errorf("a visit later the board is %s, not %s", p.board(), before)
	}
}

func TestAWholeVisitToEveryBoardAndLevel(t *testing.T) {
	for _, board := range game.OfferedNames() {
		t.Run(board, func(t *testing.T) {
			p := newPerson(t, memory{})
			for _, level := range append([]string{ai.FairName}, ai.LevelNames()...) {
				p.does("new:" + board + ":" + level + ":O")
				for moves := 0; strings.Contains(strings.Join(p.shown.Lines, " "), "Your turn"); moves++ {
					if p.has("Hint") && moves == 1 && len(p.shown.Cells) < 16 {
						p.uses("Hint")
					}
					for _, c := range p.shown.Cells {
						if c.Do != "" && c.Mark == "" {
							p.presses(c.Name)
							break
						}
					}
				}
			}
			if !p.has("Play again") {
				t.Errorf("the last match ended with %+v", p.shown)
			}
			if len(p.shown.Cells) > 9 {
				return // its review takes long
			}
			p.uses("Review")
			for p.uses("Move by move"); p.has("Next"); p.uses("Next") {
			}
			p.uses("Full review")
			p.uses("Back")
			p.uses("Play again")
		})
	}
}

func TestTakingBack(t *testing.T) {
	rows := memory{}
	p := newPerson(t, rows)
	p.does("new:classic:unbeatable:X")
	late := p.shown
	p.presses("a1")
	p.uses("Take back")
	if p.board() != ".../.../..." || p.has("Take back") {
		t.Errorf("the board is %s", p.board())
	}
	if p.does(late.Cells[0].Do); p.board() != ".../.../..." {
		t.Errorf("a late press is played on the board after a take-back: %s", p.board())
	}
	helped := false
	for _, row := range rows {
		helped = helped || row["helped"] != ""
	}
	if !helped {
		t.Error("a match with a take-back counts as played without help")
	}
	p.does("new:classic:friend::60")
	p.presses("a1")
	p.presses("b2")
	if p.uses("Take back"); p.board() != "X../.../..." {
		t.Errorf("a friend takes back one move: %s", p.board())
	}
	p.presses("b2")
	if last := p.shown.Buttons[len(p.shown.Buttons)-1].Label; last != "Resign" {
		t.Errorf("%s is pressed by mistake less easily than Resign, and comes last", last)
	}
}

func TestMarksFall(t *testing.T) {
	p := newPerson(t, memory{})
	if p.does("new:drop:friend:"); !strings.HasSuffix(p.shown.Cells[0].Do, ":a4") {
		t.Errorf("a press on a1 does %s", p.shown.Cells[0].Do)
	}
	p.presses("a1")
	if p.presses("a1"); p.board() != "...../...../O..../X...." {
		t.Errorf("two marks fell to %s", p.board())
	}
}

func TestFriendsWithAClock(t *testing.T) {
	p := newPerson(t, memory{})
	p.does("new:classic:friend::60")
	p.presses("a1")
	p.presses("b2")
	if p.shown.Until == 0 || p.shown.Expire == "" {
		t.Fatalf("no time runs: %+v", p.shown)
	}
	p.now = p.now.Add(time.Hour) // the page was closed
	if p.does("open"); len(p.shown.Lines) == 0 || strings.Contains(p.shown.Lines[0], "ran out") {
		t.Errorf("time ran while the page was closed: %q", p.shown.Lines)
	}
	p.now = p.now.Add(2 * time.Minute)
	if p.does(p.shown.Expire); !strings.Contains(p.shown.Lines[0], "Player One ran out of time") {
		t.Errorf("after two minutes: %q", p.shown.Lines)
	}
	if p.uses("Rematch"); p.board() != ".../.../..." || !strings.Contains(p.shown.Notes[len(p.shown.Notes)-1]+p.shown.Notes[0], "Player One") {
		t.Errorf("a rematch begins with %s, %q", p.board(), p.shown.Notes)
	}
}

func TestTwoTabsOfOneStorage(t *testing.T) {
	rows := memory{}
	a, b := newPerson(t, rows), newPerson(t, rows)
	a.does("new:classic:friend:")
	b.does("open")
	a.presses("a1")
	if b.presses("b2"); b.board() != "X../.../..." {
		t.Errorf("a press on a board of before shows %s", b.board())
	}
	b.presses("b2")
	if a.does(a.shown.Self); a.board() != "X../.O./..." {
		t.Errorf("the other tab shows %s", a.board())
	}
}

// counted counts how often all matches are read.
type counted struct {
	browser.Rows
	reads int
}

func (c *counted) All(ctx context.Context, prefix string) (map[string]browser.Row, error) {
	if prefix == "match:" {
		c.reads++
	}
	return c.Rows.All(ctx, prefix)
}

// A person with hundreds of matches must not wait longer for each move.
func TestAMoveDoesNotReadAllMatches(t *testing.T) {
	rows := &counted{Rows: memory{}}
	p := newPerson(t, rows)
	p.does("new:classic:unbeatable:X")
	rows.reads = 0
	p.presses("b2")
	if rows.reads > 0 {
		t.Errorf("a move reads all matches %d times", rows.reads)
	}
}

// full is a storage without room for another row. Rows can be deleted from it.
type full struct{ memory }

func (f full) Put(ctx context.Context, changes ...browser.Change) error {
	for _, c := range changes {
		if c.To != nil {
			return fmt.Errorf("quota: %w", match.ErrUnsaved)
		}
	}
	return f.memory.Put(ctx, changes...)
}

func TestAFullStorage(t *testing.T) {
	p := newPerson(t, full{memory{}})
	if d := p.does("open"); len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "couldn't save") {
		t.Errorf("a page that cannot save says %+v", d)
	}
}

func TestAFullStorageKeepsTheMatchInProgress(t *testing.T) {
	rows := memory{}
	p := newPerson(t, rows)
	p.now = p.now.AddDate(0, 1, 0) // the file is older
	p.does("open")
	want := maps.Clone(rows)
	p.Rows = full{rows}
	for _, opponent := range []string{"easy", "friend"} {
		p.does("new:classic:" + opponent + ":X")
		if diff := cmp.Diff(want, rows); diff != "" {
			t.Errorf("a new match against %s that could not be saved changed the rows:\n%s", opponent, diff)
		}
	}
	said, err := p.Take(context.Background(), exported(t))
	if err != nil || !strings.Contains(said, "nothing has changed") {
		t.Errorf("an import without room says %q, %v", said, err)
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("an import without room changed the rows:\n%s", diff)
	}
}

func TestAnImportKeepsAMatchOfTheFileThatHasHardlyBegun(t *testing.T) {
	rows := memory{}
	p := newPerson(t, rows)
	p.now = p.now.AddDate(0, 1, 0)
	p.does("open")
	file := exported(t)
	maps.Copy(file, rows) // the export is newer than the match
	if said, err := p.Take(context.Background(), file); err != nil || said != "Added 4 matches." {
		t.Errorf("the file is taken with %q, %v", said, err)
	}
	if diff := cmp.Diff(file, map[string]browser.Row(rows)); diff != "" {
		t.Errorf("the rows are not the ones of the file:\n%s", diff)
	}
}

func TestPuzzles(t *testing.T) {
	p := newPerson(t, memory{})
	d := p.does("puzzle")
	today, err := puzzle.Of(context.Background(), puzzle.DayOf(p.now))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Cells) != today.Start.Rules().Squares() {
		t.Fatalf("the puzzle is %+v", d)
	}
	for _, move := range today.Solution() {
		p.presses(today.Start.Rules().Name(move.Right))
	}
	if text := strings.Join(p.shown.Lines, " "); !strings.Contains(text, "Solved on the first try") || !strings.Contains(text, "Your streak: one day") {
		t.Errorf("the solved puzzle says %s", text)
	}
	if p.uses("Share"); !strings.Contains(p.shown.Paste, "✅") || !strings.Contains(p.shown.Paste, "1/3") {
		t.Errorf("the text to share is %q", p.shown.Paste)
	}
	p.does("past:0")
	yesterday := p.does(p.shown.Buttons[0].Do)
	if text := strings.Join(append(yesterday.Lines, yesterday.Notes...), " "); !strings.Contains(text, "November 28, 2026") || strings.Contains(text, "streak") {
		t.Errorf("yesterday's puzzle says %s", text)
	}
	before, err := puzzle.Of(context.Background(), puzzle.DayOf(p.now)-1)
	if err != nil {
		t.Fatal(err)
	}
	for _, move := range before.Solution() {
		p.presses(before.Start.Rules().Name(move.Right))
	}
	if text := strings.Join(p.shown.Lines, " "); !strings.Contains(text, "Your streak: one day") {
		t.Errorf("a puzzle that was solved a day late counts for the streak: %s", text)
	}
	p.does("drill:classic")
	if text := strings.Join(append(p.shown.Lines, p.shown.Notes...), " "); !strings.Contains(text, "Practice · classic") || strings.Contains(text, "20") {
		t.Errorf("a practice puzzle says %s", text)
	}
	p.uses("Harder")
	p.uses("Easier")
}

func TestTheCourse(t *testing.T) {
	p := newPerson(t, memory{})
	p.does("lessons")
	p.uses("Start")
	if d := p.presses("a3"); d.Tone != "warning" {
		t.Errorf("a wrong square shows %+v", d)
	}
	if d := p.presses("a1"); d.Tone != "warning" || len(d.Cells) > 0 {
		t.Errorf("a taken square shows %+v", d)
	}
	p.does("learn:line")
	if d := p.presses("c1"); d.Tone != "won" {
		t.Errorf("the right square shows %+v", d)
	}
	if d := p.does("lessons"); !strings.Contains(d.Lines[0], "1 of 10") || len(d.Buttons) != 11 || d.Buttons[2].Do != "learn:block" {
		t.Errorf("the list is %+v", d)
	}
}

func TestLinksLeadToTheirGames(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	p := newPerson(t, memory{})
	for _, offer := range game.Offered() {
		for range 20 {
			r := game.NewRecord(game.Start(offer.Rules))
			for n := random.IntN(8); n > 0 && r.Outcome() == game.InProgress; n-- {
				var legal []game.Square
				for s := range r.Position().Legal().All() {
					legal = append(legal, s)
				}
				r, _ = r.Play(legal[random.IntN(len(legal))])
			}
			if offer.Rules.Squares() > 9 && r.Position().Legal() != 0 {
				continue // its values take long
			}
			link := view.GameAddress(r)
			if d := p.does("analyse:" + link); d.Link != link {
				t.Errorf("%s became %s", link, d.Link)
			}
		}
	}
	for _, bad := range []string{"", "nowhere", "classic/moves/b2b2", "classic/moves/z9", "classic/moves/b", "classic/position/XXX"} {
		if d := p.does("analyse:" + bad); d.Tab != "play" {
			t.Errorf("%q leads to %+v", bad, d)
		}
	}
}

func TestSettingUpAPosition(t *testing.T) {
	p := newPerson(t, memory{})
	p.does("analyse:classic")
	for _, c := range p.shown.Cells {
		if c.Value != "=" {
			t.Errorf("%s is worth %s on the empty board", c.Name, c.Value)
		}
	}
	p.uses("Set up")
	p.presses("a1")
	p.presses("b1")
	if p.board() != "XX./.../..." || p.shown.Tone != "warning" {
		t.Errorf("two marks of one side: %s %s", p.board(), p.shown.Tone)
	}
	for _, s := range []string{"a2", "a2", "b2", "b2"} {
		p.presses(s)
	}
	p.uses("Done")
	want := map[string]string{"c1": "+1", "c2": "=", "a3": "−1"}
	for _, c := range p.shown.Cells {
		if value, is := want[c.Name]; is && c.Value != value {
			t.Errorf("%s is worth %s, not %s, on %s", c.Name, c.Value, value, p.board())
		}
	}
	p.presses("c1")
	if p.shown.Line == nil || !p.has("Back") {
		t.Errorf("after the winning move: %+v", p.shown)
	}
	if p.uses("Back"); p.board() != "XX./OO./..." {
		t.Errorf("a step back shows %s", p.board())
	}
}

func TestSettingUpWhereTheOrderOfMarksCounts(t *testing.T) {
	p := newPerson(t, memory{})
	p.does("setup:infinite")
	for _, s := range []string{"b1", "a2", "a2", "a1", "c3", "c3", "b3", "b3", "c2", "b3"} {
		p.presses(s) // the third press on b3 empties it, and the press on c2 is for X, who has only two
	}
	if p.presses("b2"); p.board() != "XX./OOX/..O" {
		t.Fatalf("with three X, the next mark is O: %s", p.board())
	}
	if looks := fmt.Sprint(p.shown.Cells[1].Look, p.shown.Cells[5].Look, p.shown.Cells[3].Look, p.shown.Cells[4].Look); looks != "leaveslastleaveslast" {
		t.Errorf("the oldest and the newest marks look like %s", looks)
	}
	if p.presses("a3"); p.board() != "XX./OOX/..O" {
		t.Errorf("a seventh mark is put on %s", p.board())
	}
	setup := p.shown
	for _, turn := range []string{"X", "O"} {
		p.uses("Done")
		if want := "infinite/position/X:b1,a1,c2~O:a2,c3,b2~" + turn + "/moves/"; p.shown.Link != want {
			t.Errorf("the position is %s, not %s", p.shown.Link, want)
		}
		if p.uses("Set up"); p.board() != "XX./OOX/..O" {
			t.Errorf("set up again, the position is %s", p.board())
		}
		p.does(setup.Buttons[1].Do)
	}
}

func TestAMatchIsSharedAsText(t *testing.T) {
	p := newPerson(t, memory{})
	p.does("new:classic:friend:")
	for _, s := range []string{"a1", "a2", "b1", "b2", "c1"} {
		p.presses(s)
	}
	p.uses("Share")
	want := []browser.Button{
		{Label: "Copy", Copy: "Tic-Tac-Toe\n❌❌❌\n⭕⭕⬜\n⬜⬜⬜\nX won in 5 moves", Weight: "main"},
		{Label: "Copy link", Copy: "#classic/moves/a1a2b1b2c1"},
	}
	if diff := cmp.Diff(want, p.shown.Buttons[:2]); diff != "" {
		t.Error(diff)
	}
	if p.uses("Back"); p.board() != "XXX/OO./..." {
		t.Errorf("from there it goes back to %s", p.board())
	}
}

func TestTheEndSaysWhetherYouWon(t *testing.T) {
	p := newPerson(t, memory{})
	for matches := 0; ; matches++ {
		p.does("new:classic:easy:X")
		for !p.has("Review") {
			for _, c := range p.uses("Hint").Cells {
				if c.Look == "better" {
					p.presses(c.Name)
					break
				}
			}
		}
		if strings.HasSuffix(p.shown.Lines[0], " You won!") {
			break
		}
		if matches == 100 {
			t.Fatalf("nobody wins against the easy computer: %q", p.shown.Lines)
		}
	}
	p.does("new:classic:unbeatable:X")
	for _, s := range []string{"a1", "b1", "c3", "a3"} {
		if !p.has("Review") {
			p.presses(s)
		}
	}
	if !strings.HasSuffix(p.shown.Lines[0], "The computer won") {
		t.Errorf("a lost match says %q on %s", p.shown.Lines, p.board())
	}
}

func TestTheEndOnTheMisereBoardSaysWhetherYouWon(t *testing.T) {
	p := newPerson(t, memory{})
	missing := map[string]bool{"You won!": true, "The computer won": true}
	for matches := 0; len(missing) > 0; matches++ {
		if matches == 100 {
			t.Fatalf("%v never ends a match; the last one ended with %q", missing, p.shown.Lines)
		}
		p.does("new:misere:easy:X")
		for !p.has("Review") {
			p.presses(p.shown.Cells[strings.IndexByte(strings.ReplaceAll(p.board(), "/", ""), '.')].Name)
		}
		for end := range missing {
			if strings.HasSuffix(p.shown.Lines[0], end) {
				delete(missing, end)
			}
		}
	}
}

// firstFormat is a storage as the first version of the page wrote it. It must never change.
const firstFormat = "testdata/format-1.json"

// exported returns the rows of the first format.
func exported(t *testing.T) map[string]browser.Row {
	t.Helper()
	content, err := os.ReadFile(firstFormat)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Rows map[string]browser.Row }
	if err := json.Unmarshal(content, &file); err != nil {
		t.Fatal(err)
	}
	return file.Rows
}

func TestTheStorageOfTheFirstVersionOpens(t *testing.T) {
	file, rows := exported(t), memory{}
	p := newPerson(t, rows)
	p.now = p.now.AddDate(0, 1, 0)
	p.does("open") // begins a match, which does not hide the last one of the file
	said, err := p.Take(context.Background(), file)
	if err != nil || said != "Added 4 matches." {
		t.Fatalf("the file is taken with %q, %v", said, err)
	}
	if said, err = p.Take(context.Background(), file); err != nil || said != "Added 0 matches." {
		t.Errorf("taken again it says %q, %v", said, err)
	}
	kept, err := rows.All(context.Background(), "")
	if diff := cmp.Diff(file, kept); diff != "" || err != nil {
		t.Errorf("rows have changed, %v:\n%s", err, diff)
	}
	for key := range file {
		if id, is := strings.CutPrefix(key, "match:"); is {
			p.does("show:" + id)
			if p.has("Review") {
				p.uses("Review")
			}
		}
	}
	p.does("open")
	p.presses("c3") // the last match goes on
	file["match:x"] = browser.Row{"version": "1", "rules": "chess"}
	if said, _ := p.Take(context.Background(), file); !strings.Contains(said, "nothing was changed") {
		t.Errorf("a file with a broken row is taken with %q", said)
	}
}

// TestWriteFirstFormat wrote the fixture. With -write it does so again, for a fixture of another format.
func TestWriteFirstFormat(t *testing.T) {
	if os.Getenv("TICTACTOE_WRITE") == "" {
		t.Skip("a fixture is written only for a new format")
	}
	rows := memory{}
	p := newPerson(t, rows)
	p.does("new:classic:unbeatable:X")
	for _, s := range []string{"a1", "b2", "c3", "a2", "b1", "c1", "a3", "b3", "c2"} {
		if p.has("Take back") || s == "a1" {
			p.presses(s)
		}
	}
	p.does("new:infinite:friend::300")
	for _, s := range []string{"a1", "a2", "b1", "b2", "c3"} {
		p.presses(s)
	}
	p.uses("Take back")
	p.presses("c1")
	p.does("new:drop:easy:O")
	p.presses("a1")
	p.does(strings.Replace(p.shown.Buttons[1].Do, "hint", "resign", 1))
	p.does("puzzle")
	p.presses("a1")
	p.does("learn:line")
	p.presses("c1")
	p.does("new:classic:friend:")
	p.presses("a1")
	p.presses("b2")
	all, _ := rows.All(context.Background(), "")
	content, _ := json.MarshalIndent(map[string]any{"format": 1, "rows": all}, "", " ")
	if err := os.WriteFile(firstFormat, append(content, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}
