package commands_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/commands"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/show/emoji"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// listener is a player who hears a board with a screen reader and does not see it: the texts, and the label or the name of the
// emoji of each button. The listener knows only the part of a match that was heard.
type listener struct {
	record game.Record
	said   string            // the texts
	heard  map[string]string // by square, the words after its name: "X last", or "" for an empty square
	labels bool              // the board has words on its squares
	open   []string          // the empty squares that can be pressed
}

// square matches the square of a move in a text, and the mark that vanished with the move.
const square = `([a-e][1-5])(?:, and ([a-e][1-5]) vanished)?`

var (
	playedWhere = regexp.MustCompile(`(?m)^.* played ` + square + `(?:(?:, and|;) the computer answered with ` + square + `)?$`)
	squareSaid  = regexp.MustCompile(`^([a-e][1-5])(?: (?:(x|o)(?: (last|leaves|wins|loses))?|empty))?$`)
)

// hear reads a message as a screen reader does.
func (l *listener) hear(components []discordgo.MessageComponent) error {
	l.said, l.heard, l.open = text(components), map[string]string{}, nil
	rules := l.record.Position().Rules()
	for i, b := range buttons(components) {
		said := b.Label
		if b.Emoji != nil {
			said = b.Emoji.Name
		}
		if l.labels = l.labels || i == 0 && b.Emoji == nil; rules.Width() > 4 && i < rules.Squares() && (said == "X" || said == "O") {
			said = rules.Name(game.Square(i)) + " " + said // adds the square's place in the row
		}
		found := squareSaid.FindStringSubmatch(strings.ToLower(strings.ReplaceAll(said, "_", " ")))
		if found == nil {
			continue
		}
		l.heard[found[1]] = strings.TrimSpace(strings.ToUpper(found[2]) + " " + found[3])
		if found[2] == "" && !b.Disabled {
			l.open = append(l.open, found[1])
		}
	}
	if squares := rules.Squares(); len(l.heard) != squares {
		return fmt.Errorf("%d squares have a name, want %d", len(l.heard), squares)
	}
	return nil
}

// follow replays the moves that were heard.
func (l *listener) follow() error {
	found := playedWhere.FindAllStringSubmatch(l.said, -1)
	if len(found) != 1 {
		return fmt.Errorf("%d lines name the last moves, want 1", len(found))
	}
	for move := range slices.Chunk(found[0][1:], 2) {
		if move[0] == "" {
			break // the computer has not answered
		}
		square, err := l.record.Position().Rules().ParseSquare(move[0])
		if err != nil {
			return err
		}
		next, err := l.record.Play(square)
		if err != nil {
			return err
		}
		vanished := ""
		for left := range l.record.Position().Vanishing().All() {
			vanished = next.Position().Rules().Name(left)
		}
		if move[1] != vanished {
			return fmt.Errorf("the text says that %q has vanished, want %q", move[1], vanished)
		}
		l.record = next
	}
	return nil
}

// agrees returns an error unless the squares that were heard show the position after the moves that were heard, with the last move,
// the line and the mark that vanishes next.
func (l *listener) agrees() error {
	p, moves := l.record.Position(), l.record.Len()
	over := l.record.Outcome() != game.InProgress
	for i := range p.Rules().Squares() {
		sq, want := game.Square(i), ""
		if p.At(sq) != game.None {
			want = p.At(sq).String()
			switch {
			case l.labels && p.Rules().Width() > 3, l.labels && over && (moves == 0 || l.record.Square(moves-1) != sq):
				// A label has no room for more; the line is in the text below.
			case l.labels && over:
				want += " last"
			case p.Line().Has(sq) && p.Rules().Misere():
				want += " loses"
			case p.Line().Has(sq):
				want += " wins"
			case !over && p.Vanishing().Has(sq):
				want += " leaves"
			case moves > 0 && l.record.Square(moves-1) == sq:
				want += " last"
			}
		}
		if got := l.heard[p.Rules().Name(sq)]; got != want {
			return fmt.Errorf("%s reads as %q, want %q", p.Rules().Name(sq), got, want)
		}
	}
	return l.told(p)
}

// told returns an error unless the notes of a board with words say what its labels have no room for: the line and, in wide rows,
// where the marks are.
func (l *listener) told(p game.Position) error {
	if !l.labels {
		return nil
	}
	sets := map[game.Bitboard]string{p.Line(): "In a row: "}
	if p.Rules().Width() > 4 {
		sets[p.Marks(game.X)], sets[p.Marks(game.O)] = ": ", ": "
	}
	for squares, before := range sets {
		var names []string
		for square := range squares.All() {
			names = append(names, p.Rules().Name(square))
		}
		if want := before + strings.Join(names, ", ") + "\n"; len(names) > 0 && !strings.Contains(l.said+"\n", want) {
			return fmt.Errorf("no note says %q", want)
		}
	}
	return nil
}

// toMove reports whether the text says that the named player is to move.
func (l *listener) toMove(name string) bool {
	return regexp.MustCompile(`(?m)^(?:❌|⭕|<:mark_[xo]:\d+>) \*\*` + name + `\*\* to move`).MatchString(l.said)
}

// TestAListenerCanPlayEveryBoard plays matches in which one player knows only what a screen reader reads, as X and as O, against a
// person and against a computer, with every offered rule set, with the bot's own emoji and with text boards.
func TestAListenerCanPlayEveryBoard(t *testing.T) {
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	own := emoji.Drawn{}
	for i, e := range emoji.Set() {
		own[e.Name] = fmt.Sprint(9000 + i)
	}
	for _, board := range []struct {
		name  string
		drawn emoji.Drawn
		asked []match.User
	}{{"own emoji", own, nil}, {"text board", nil, []match.User{alice}}, {"text board with own emoji in texts", own, []match.User{alice}}} {
		for _, offer := range game.Offered() {
			for _, mark := range []game.Mark{game.X, game.O} {
				for _, opponent := range []match.Seat{match.Human(bob), match.Computer("easy")} {
					name := fmt.Sprintf("%s/%s/%s against %s%s", board.name, offer.Name, mark, opponent.Player, opponent.Level)
					t.Run(name, func(t *testing.T) {
						seats := match.Seats{match.Human(alice), opponent}
						if mark == game.O {
							seats = match.Seats{opponent, match.Human(alice)}
						}
						show := func(m match.Match) []discordgo.MessageComponent {
							screen := view.OfMatch(m, view.Names{alice: "Alice", bob: "Bob"}, score.Running{}, board.asked...)
							return commands.EncodeWith(screen, book, board.drawn)
						}
						for seed := range uint64(5) {
							listen(t, match.Start("m", "m", "", offer.Rules, seats, time.Hour, 1, noon), mark, rand.New(rand.NewPCG(seed, 1)), show)
						}
					})
				}
			}
		}
	}
}

// TestSquaresWithoutPicturesAreNamed tests boards whose emoji Discord does not have, or does not have yet.
func TestSquaresWithoutPicturesAreNamed(t *testing.T) {
	book, err := locale.NewBook()
	if err != nil {
		t.Fatal(err)
	}
	for _, offer := range game.Offered() {
		m := match.Start("m", "m", "", offer.Rules, match.Seats{match.Human(alice), match.Human(bob)}, time.Hour, 1, noon)
		for i, square := range []string{"", "b1", "c3"} {
			if square != "" {
				sq, _ := offer.Rules.ParseSquare(square)
				if m, err = m.Play(m.Turn().Player, m.Record.Len(), m.Position().Landing(sq), noon); err != nil {
					t.Fatal(err)
				}
			}
			shown := commands.EncodeWith(view.OfMatch(m, view.Names{alice: "Alice", bob: "Bob"}, score.Running{}), book, nil)
			for sq, b := range buttons(shown)[:offer.Rules.Squares()] {
				name, mark := offer.Rules.Name(game.Square(sq)), m.Position().At(game.Square(sq))
				wide, want := offer.Rules.Width() == 5, name
				if wide && mark != game.None {
					want = mark.String() // a row has no room for more
				}
				if b.Label != want || wide != (b.Emoji == nil) {
					t.Errorf("%s after %d moves: the button of %s has the label %q and the emoji %v", offer.Name, i, name, b.Label, b.Emoji)
				}
			}
		}
	}
}

// listen plays a match. The listener has the given mark and presses any square that reads as empty; the other side plays anywhere.
func listen(t *testing.T, m match.Match, mark game.Mark, random *rand.Rand, show func(match.Match) []discordgo.MessageComponent) {
	t.Helper()
	rules := m.Position().Rules()
	l := &listener{record: m.Record}
	move := func(square game.Square) {
		t.Helper()
		var err error
		if by := m.Turn(); by.IsComputer() {
			m, err = m.Answer(square, noon)
		} else {
			m, err = m.Play(by.Player, m.Record.Len(), square, noon)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	answer := func() {
		legal := slices.Collect(m.Position().Legal().All())
		move(legal[random.IntN(len(legal))])
	}
	for {
		if err := l.hear(show(m)); err != nil {
			t.Fatal(err)
		}
		if m.Record.Len() > 0 {
			if err := l.follow(); err != nil {
				t.Fatalf("%v:\n%s", err, l.said)
			}
		}
		if err := l.agrees(); err != nil {
			t.Fatalf("%v:\n%s", err, l.said)
		}
		if !l.record.Equal(m.Record) {
			t.Fatalf("the listener knows %v, want %v", l.record.Squares(), m.Record.Squares())
		}
		if m.Result.Over() {
			return
		}
		turn := m.Position().Turn()
		if l.toMove("Alice") != (turn == mark) {
			t.Fatalf("%s is to move:\n%s", turn, l.said)
		}
		if turn == mark {
			pressed, err := rules.ParseSquare(l.open[random.IntN(len(l.open))])
			if err != nil {
				t.Fatal(err)
			}
			landing := m.Position().Landing(pressed)
			if move(landing); m.Turn().IsComputer() && !m.Result.Over() { // the board is shown after the computer's answer
				answer()
			}
			continue
		}
		answer()
	}
}
