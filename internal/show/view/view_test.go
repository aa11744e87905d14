package view_test

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/file/golden"
	"tictactoe/internal/match"
	"tictactoe/internal/people/user"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/show/gallery"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

var update = flag.Bool("update", false, "write the goldens again")

func english(t *testing.T) locale.Words {
	t.Helper()
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	return book.In("en-US")
}

// TestScreens draws every screen of the gallery. The screens made by the functions of one source file have one file of goldens.
func TestScreens(t *testing.T) {
	words := english(t)
	fileOf, _ := source(t)
	areas := map[string][]string{}
	all := gallery.Screens(t)
	for name, shot := range all {
		area := strings.TrimSuffix(cmp.Or(fileOf[shot.Of], "texts"), ".go") // a single text belongs to no source file of screens
		areas[area] = append(areas[area], name)
	}
	for area, names := range areas {
		t.Run(area, func(t *testing.T) {
			file := filepath.Join("testdata", area+".txt")
			for _, name := range names {
				t.Run(name, func(t *testing.T) {
					got := gallery.Draw(all[name].Screen, words)
					if strings.Contains(got, "<no value>") {
						t.Errorf("a text has an unfilled gap:\n%s", got)
					}
					golden.Compare(t, file, name, got, *update)
				})
			}
			golden.Only(t, file, names, *update)
		})
	}
	t.Run("every file of goldens belongs to a source file", func(t *testing.T) {
		files, err := filepath.Glob("testdata/*.txt")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if areas[strings.TrimSuffix(filepath.Base(file), ".txt")] == nil {
				t.Errorf("no screen is in %s", file)
			}
		}
	})
}

// TestNothingIsLeftInEnglish draws all screens in languages with other scripts. In these languages, only names, and words that the language
// itself writes in Latin letters, may be in Latin letters.
func TestNothingIsLeftInEnglish(t *testing.T) {
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	usual := map[string]bool{"Discord": true, "ID": true, "UTC": true, "GIF": true, "PNG": true, "bot": true, "XO": true, "False": true, "false": true, "vs": true, "minimax": true}
	given := regexp.MustCompile("«[^»]*»|“[^”]*”|@\\w+|`/[^`]*`|\\[[^\\]]*\\]|[0-9]+x[0-9]+x[0-9]+[+a-z]*|#\\w+|https?://\\S+")
	words := regexp.MustCompile("[A-Za-z]{2,}")
	var endonyms []string
	for _, l := range slices.Backward(view.Languages()) {
		endonyms = append(endonyms, l.Name, "")
	}
	without := strings.NewReplacer(endonyms...)
	screens := gallery.Screens(t)
	for _, language := range []string{"bg", "el", "hi", "ja", "ko", "ru", "th", "uk", "zh-CN", "zh-TW"} {
		in := book.In(language)
		for name, shot := range screens {
			for _, said := range textsOf(shot.Screen) {
				text := in.Say(said, gallery.Style{})
				for _, word := range words.FindAllString(given.ReplaceAllString(without.Replace(text), ""), -1) {
					if !usual[word] {
						t.Errorf("%s in %s: %q in %s", name, language, word, text)
					}
				}
			}
		}
	}
}

// textsOf returns all texts of a screen.
func textsOf(s view.Screen) []view.Text {
	all := slices.Concat(s.Lines, s.Notes)
	for _, c := range s.Cells {
		if s.Labels {
			all = append(all, s.Label(c))
		}
	}
	if s.Picture != nil {
		all = append(all, s.Picture.Alt)
	}
	for _, menu := range s.Selects {
		all = append(all, menu.Hint)
		for _, o := range menu.Options {
			all = append(all, o.Label)
		}
	}
	if s.Beside != nil {
		all = append(all, s.Beside.Label)
	}
	for _, b := range s.Buttons {
		all = append(all, b.Label)
		if b.Heading.Key != "" {
			all = append(all, b.Heading)
		}
	}
	return all
}

// TestEveryScreenAndTextHasAGolden reads the source, and tests that each function that makes a screen, and each text that it can use, occurs
// in a golden.
func TestEveryScreenAndTextHasAGolden(t *testing.T) {
	makers, keys := source(t)
	of, used := map[string]bool{}, map[string]bool{}
	for _, shot := range gallery.Screens(t) {
		of[shot.Of] = true
		s := shot.Screen.InWords()
		for _, text := range slices.Concat(s.Lines, s.Paste, s.Notes) {
			collect(text, used)
		}
		for _, c := range s.Cells {
			if s.Labels {
				collect(s.Label(c), used)
			}
		}
		if s.Beside != nil {
			collect(s.Beside.Label, used)
		}
		for _, a := range s.Buttons {
			collect(a.Label, used)
			collect(a.Heading, used)
		}
		for _, choice := range s.Selects {
			collect(choice.Hint, used)
			for _, o := range choice.Options {
				collect(o.Label, used)
			}
		}
	}
	title, question := view.AskErase(user.Held{Open: 1, Roles: 1, Bars: 1})
	for _, text := range append(question, title) { // these texts are not on a screen, and have a golden in package commands
		collect(text, used)
	}
	// The question before resigning is not a screen; TestAskResign tests it.
	for _, key := range []string{
		"resign.title", "resign.question", "resign.abort.title", "resign.abort.question", "resign.series.title", "resign.series.question",
		"crowd.stop.title", "crowd.stop.question",
	} {
		used[key] = true
	}
	// The gallery has no screen with these texts.
	for _, key := range []string{
		"privacy.puzzles", "privacy.lessons",
		"lesson.reason.stacks", "lesson.reason.stopsfork", "lesson.reason.only", "why.wins", "why.stacks", "why.strands",
	} {
		used[key] = true
	}
	for name := range makers {
		if !of[name] {
			t.Errorf("no golden shows a screen of %s", name)
		}
	}
	for _, key := range keys {
		if !used[key] {
			t.Errorf("no golden shows %q", key)
		}
	}
	if len(makers) < 8 || len(keys) < 50 {
		t.Errorf("only %d functions and %d texts found: the source is read wrongly", len(makers), len(keys))
	}
}

// collect notes the keys of a text and of all texts inside it.
func collect(arg any, used map[string]bool) {
	switch arg := arg.(type) {
	case view.Text:
		used[arg.Key] = true
		for _, inner := range arg.Args {
			collect(inner, used)
		}
	case view.Link:
		collect(arg.Text, used)
	}
}

// source returns the exported functions that return a Screen, each with its file, and the string literals that are keys of texts.
func source(t *testing.T) (makers map[string]string, keys []string) {
	t.Helper()
	makers = map[string]string{}
	words := english(t)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv == nil && n.Name.IsExported() && n.Type.Results != nil {
					if result, ok := n.Type.Results.List[0].Type.(*ast.Ident); ok && result.Name == "Screen" {
						makers[n.Name.Name] = file
					}
				}
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && words.Wording(view.T(text, nil)) != text {
					keys = append(keys, text)
				}
			}
			return true
		})
	}
	return makers, keys
}

// TestEveryStateHasItsScreen tests that different states of a match have different screens.
func TestEveryStateHasItsScreen(t *testing.T) {
	words := english(t)
	seen := map[string]string{}
	for cause := match.Cause(0); cause <= match.ByAgreement; cause++ {
		m := gallery.Between(t, "a1 a2")
		m.Result = match.Result{Cause: cause}
		m.Proposer = game.X
		if m.Result.Counts() {
			m.Result.Outcome = game.XWins
		}
		unique(t, seen, cause.String(), gallery.Draw(view.OfMatch(m, gallery.Names, score.Running{}), words))
	}
	for state := match.NoRematch; state <= match.RematchStarted; state++ {
		m := gallery.Between(t, gallery.XWins)
		m.Rematch = match.Rematch{State: state, By: gallery.Bob, Deadline: gallery.Noon}
		unique(t, seen, fmt.Sprint("rematch ", state), gallery.Draw(view.OfMatch(m, gallery.Names, score.Running{}), words))
	}
	for status := match.Pending; status <= match.Expired; status++ {
		c := gallery.Challenge(t, match.Random, time.Minute)
		c.Status = status
		unique(t, seen, fmt.Sprint("challenge ", status), gallery.Draw(view.OfChallenge(c, gallery.Names, "easy", rating.NoStakes), words))
	}
	for stakes := rating.NoStakes; stakes <= rating.TooFarApart; stakes++ {
		c := gallery.Challenge(t, match.Random, time.Hour)
		unique(t, seen, fmt.Sprint("challenge for ", stakes), gallery.Draw(view.OfChallenge(c, gallery.Names, "easy", stakes), words))
		m := gallery.Between(t, "b2")
		m.Stakes = stakes
		unique(t, seen, fmt.Sprint("match for ", stakes), gallery.Draw(view.OfMatch(m, gallery.Names, score.Running{}), words))
	}
	if (match.ByAgreement + 1).String() != "none" {
		t.Error("this test does not know all causes")
	}
}

func unique(t *testing.T, seen map[string]string, name, got string) {
	t.Helper()
	if other, twice := seen[got]; twice {
		t.Errorf("the screens of %s and %s are the same", name, other)
	}
	seen[got] = name
}

func TestAskResign(t *testing.T) {
	words := english(t)
	crowd := gallery.Between(t, "a1")
	crowd.Seats[0] = match.CrowdSeat(match.Channel)
	if title, question := view.AskResign(crowd); title.Key != "crowd.stop.title" || question.Key != "crowd.stop.question" {
		t.Errorf("a crowd: %s, %s", title.Key, question.Key)
	}
	for _, tt := range []struct{ squares, title, question string }{
		{"", "resign.abort.title", "resign.abort.question"},
		{"a1", "resign.abort.title", "resign.abort.question"},
		{"a1 a2", "resign.title", "resign.question"},
	} {
		title, question := view.AskResign(gallery.Between(t, tt.squares))
		if title.Key != tt.title || question.Key != tt.question {
			t.Errorf("%q: %s, %s", tt.squares, title.Key, question.Key)
		}
		// Discord limits the title of a modal to 45 characters.
		if said := words.Say(title, gallery.Style{}); len(said) > 45 {
			t.Errorf("%q is too long for a title", said)
		}
	}
}

func TestTurnTime(t *testing.T) {
	words := english(t)
	for d, want := range map[time.Duration]string{
		time.Minute: "1 minute", 5 * time.Minute: "5 minutes", time.Hour: "1 hour", 24 * time.Hour: "24 hours", 90 * time.Minute: "90 minutes",
	} {
		if got := words.Say(view.TurnTime(d), gallery.Style{}); got != want {
			t.Errorf("%v: %s", d, got)
		}
	}
}

func TestABoardIsAGridOfItsMarks(t *testing.T) {
	t.Parallel()
	won := gallery.Between(t, gallery.XWins).Position()
	want := strings.Join([]string{"❌❌❌", "⭕⭕⬜", "⬜⬜⬜"}, "\n")
	if got := view.BoardGrid(won); got != want {
		t.Errorf("want\n%s\ngot\n%s", want, got)
	}
	wide := gallery.PlayedBy(t, "drop", gallery.Between(t, "").Seats, 0, "c4 c3").Position()
	want = strings.Join([]string{"⬜⬜⬜⬜⬜", "⬜⬜⬜⬜⬜", "⬜⬜⭕⬜⬜", "⬜⬜❌⬜⬜"}, "\n")
	if got := view.BoardGrid(wide); got != want {
		t.Errorf("want\n%s\ngot\n%s", want, got)
	}
}

func TestAHintIsNotOfferedWhereItWouldBeEmpty(t *testing.T) {
	seats := match.Seats{match.Computer("hard"), match.Human(gallery.Alice)}
	for squares, want := range map[string]bool{
		"b2":                   true,
		"a1 c1 b1 a2 c2 b2 a3": false, // two squares are left, and either leads to a draw
	} {
		offered := slices.ContainsFunc(view.OfMatch(gallery.PlayedBy(t, "classic", seats, time.Minute, squares), gallery.Names, score.Running{}).Buttons,
			func(b view.Button) bool { _, is := b.Do.(view.Hint); return is })
		if offered != want {
			t.Errorf("after %s a hint is offered: %v, want %v", squares, offered, want)
		}
	}
}

func TestTheDecidingMove(t *testing.T) {
	people := match.Seats{match.Human(gallery.Alice), match.Human(gallery.Bob)}
	for _, test := range []struct {
		name, squares string
		end           func(match.Match) match.Match
		want          int // 0 if there is none
	}{
		{"the only mistake", "a1 b2 c3 c1 a3 a2 b3", nil, 4},
		{"the last time that something was given away", "a1 b1 c1 a2 c3 b2 c2", nil, 4},
		{"nobody lost", "a1 b2 c3 b1 b3 a3 c1 c2 a2", nil, 0},
		{"given up without a mistake", "b2 a1", func(m match.Match) match.Match { return gallery.Resigned(t, m, gallery.Bob) }, 0},
		{"given up although it was won", "a1 b1 c1 b2", func(m match.Match) match.Match { return gallery.Resigned(t, m, gallery.Bob) }, 0},
		{"given up when it was lost", "a1 b2 c3 c1 a3", func(m match.Match) match.Match { return gallery.Resigned(t, m, gallery.Bob) }, 4},
		{"a draw that could have been won", "a1 c1 b1 b2 a3 a2 c2 b3 c3", nil, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := gallery.PlayedBy(t, "classic", people, time.Minute, test.squares)
			if test.end != nil {
				m = test.end(m)
			}
			if move := view.DecidingMove(m, gallery.Review(t, m)); move != test.want {
				t.Errorf("move %d; want %d", move, test.want)
			}
		})
	}
}

func TestFirstWins(t *testing.T) {
	for _, offer := range game.Offered() {
		if offer.Rules.Squares() > 9 {
			continue // a draw, as docs/proofs.md shows
		}
		solver, err := ai.NewSolver(offer.Rules)
		if err != nil {
			t.Fatal(err)
		}
		if wins := solver.Eval(game.Start(offer.Rules)).Value == ai.Win; score.FirstWins(offer.Rules.String()) != wins {
			t.Errorf("FirstWins(%s) is %v, want %v", offer.Name, !wins, wins)
		}
	}
	for _, begins := range []bool{true, false} {
		seats := match.Seats{match.Human(gallery.Alice), match.Computer("unbeatable")}
		if !begins {
			slices.Reverse(seats[:])
		}
		m := gallery.PlayedBy(t, "infinite", seats, time.Minute, "")
		s := view.AgainstComputer(view.OfMatch(m, gallery.Names, score.Running{}), m, view.NextLevels{Easier: "hard"})
		if told := slices.ContainsFunc(s.Notes, func(n view.Text) bool { return n.Key == "match.perfect.first" }); told != begins {
			t.Errorf("Alice begins: %v, and the screen says that she wins by force: %v", begins, told)
		}
	}
}

func TestAReviewWithoutMistakes(t *testing.T) {
	people := match.Seats{match.Human(gallery.Alice), match.Human(gallery.Bob)}
	keys := func(m match.Match) (keys []string) {
		for _, line := range view.OfReview(m, gallery.Review(t, m), gallery.Names, gallery.Bob).Lines {
			keys = append(keys, line.Key)
		}
		return keys
	}
	given := gallery.Resigned(t, gallery.PlayedBy(t, "classic", people, time.Minute, "b2 a1"), gallery.Bob)
	if got := keys(given); !slices.Contains(got, "review.forced.none") || slices.Contains(got, "review.flawless") {
		t.Errorf("about a resignation the review says %v", got)
	}
	drawn := gallery.PlayedBy(t, "classic", people, time.Minute, "a1 b2 c3 b1 b3 a3 c1 c2 a2")
	if got := keys(drawn); !slices.Contains(got, "review.flawless") {
		t.Errorf("about a draw the review says %v", got)
	}
	short := gallery.PlayedBy(t, "classic", people, time.Minute, "b2 b1 a1 c3 a3 c1 a2")
	if got := keys(short); strings.Count(fmt.Sprint(got), "review.accuracy") != 1 {
		t.Errorf("about several critical moves and about one the review says %v", got)
	}
	lost := gallery.PlayedBy(t, "misere", people, time.Minute, "a1 a2 b1 b2 c1")
	if got := keys(lost); strings.Count(fmt.Sprint(got), "review.accuracy") != 1 || !slices.Contains(got, "review.better") {
		t.Errorf("about an accuracy of 0 the review says %v", got)
	}
}

func TestTheBusiestBoardIsCharted(t *testing.T) {
	for want, rated := range map[string]view.Standings{
		"4x4x4": {"3x3x3": gallery.Standing(0, 0, 0, 0, score.Tally{Wins: 2}), "4x4x4": gallery.Standing(0, 0, 0, 0, score.Tally{Draws: 3})},
		"3x3x3": {"3x3x3": gallery.Standing(0, 0, 0, 0, score.Tally{Wins: 2}), "4x4x4": gallery.Standing(0, 0, 0, 0, score.Tally{Draws: 2})},
	} {
		if got, is := rated.Busiest(); !is || got.String() != want {
			t.Errorf("%v of %v, not %s", got, rated, want)
		}
	}
	if got, is := (view.Standings{}).Busiest(); is {
		t.Errorf("Busiest returned %v without any rating", got)
	}
}

func TestAProfileSaysThatARatingIsStale(t *testing.T) {
	row := gallery.Standing(0, 1500, 100, 2, score.Tally{Wins: 2})
	for _, stale := range []bool{false, true} {
		row.Stale = stale
		rated := view.Standings{"3x3x3": row}
		for name, screen := range map[string]view.Screen{
			"profile": view.OfProfile(view.Profile{Player: "alice", Standings: rated}, nil),
			"duel":    view.OfDuel(view.Duel{A: "alice", B: "bob", RatedB: rated}, nil),
		} {
			said := slices.ContainsFunc(screen.Notes, func(n view.Text) bool { return n.Key == "leaderboard.stale" })
			if said != stale {
				t.Errorf("%s: the screen says stale: %v, the ratings are stale: %v", name, said, stale)
			}
		}
	}
}

// TestTheEndOfASeriesAgreesWithItself draws the last board of a series for each end. The heading tells the end, and no line contradicts it.
func TestTheEndOfASeriesAgreesWithItself(t *testing.T) {
	won, late := gallery.Between(t, gallery.XWins), gallery.OutOfTime(t, gallery.Between(t, "a1"))
	left := gallery.Resigned(t, gallery.Between(t, "a1"), gallery.Bob)
	for name, tt := range map[string]struct {
		last match.Match
		of   match.Series
		want []string // the keys of the first lines
		tone view.Tone
	}{
		"won": {won, match.Series{Wins: [2]int{2, 0}, Number: 2, End: match.SeriesWon, Winner: game.X}, []string{"series.won", "result.line", "match.seats", "series.score"}, view.Won},
		"won in the play-off": {won, match.Series{Wins: [2]int{2, 1}, Drawn: 2, Number: 5, PlayOff: true, End: match.SeriesWon, Winner: game.X},
			[]string{"series.won", "result.line", "match.seats", "series.playoff"}, view.Won},
		"left before play":     {left, match.Series{Wins: [2]int{0, 1}, Number: 2, End: match.SeriesForfeited, Winner: game.X}, []string{"series.forfeit", "match.seats", "series.forfeited"}, view.Won},
		"left, and voided":     {gallery.Voided(t, left), match.Series{Wins: [2]int{0, 1}, Number: 2, End: match.SeriesForfeited, Winner: game.X}, []string{"series.forfeit", "result.void", "match.seats", "series.forfeited"}, view.Closed},
		"late twice":           {late, match.Series{Wins: [2]int{2, 1}, Number: 3, End: match.SeriesForfeited, Winner: game.X}, []string{"series.forfeit", "result.time", "match.seats", "series.forfeited"}, view.Won},
		"on time":              {won, match.Series{Wins: [2]int{1, 1}, Drawn: 3, Number: 5, PlayOff: true, End: match.SeriesOnTime, Winner: game.O}, []string{"series.time", "result.line", "match.seats", "series.playoff"}, view.Won},
		"level":                {won, match.Series{Wins: [2]int{1, 1}, Drawn: 3, Number: 5, PlayOff: true, End: match.SeriesLevel}, []string{"series.level", "result.line", "match.seats", "series.playoff"}, view.Won},
		"the first game left":  {left, match.Series{Number: 1, End: match.SeriesOff}, []string{"series.off", "result.aborted", "match.seats", "series.score"}, view.Closed},
		"voided twice":         {gallery.Voided(t, won), match.Series{Number: 2, End: match.SeriesOff}, []string{"series.off", "result.void", "match.seats", "series.score"}, view.Closed},
		"voided after the end": {gallery.Voided(t, won), match.Series{Wins: [2]int{1, 0}, Number: 2}, []string{"series.off", "result.void", "match.seats", "series.score"}, view.Closed},
	} {
		t.Run(name, func(t *testing.T) {
			tt.last.BestOf, tt.of.BestOf, tt.of.Seats = 3, 3, tt.last.Seats
			s := view.InSeries(view.OfMatch(tt.last, gallery.Names, score.Running{}), tt.last, tt.of, gallery.Names, false)
			var got []string
			for _, line := range s.Lines[:len(tt.want)] {
				got = append(got, line.Key)
			}
			if !slices.Equal(got, tt.want) || s.Tone != tt.tone {
				t.Errorf("the lines are %v, want %v, and the tone %v", got, tt.want, s.Tone)
			}
		})
	}
}
