package commands_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bwmarrin/discordgo"

	"tictactoe/ai"
	"tictactoe/bot"
	"tictactoe/commands"
	"tictactoe/game"
	"tictactoe/internal/board"
	"tictactoe/internal/discordsim/check"
	"tictactoe/internal/match"
)

var update = flag.Bool("update", false, "write the goldens anew")

// replies are the answers to people, each by what leads to it. The names are those of the goldens.
var replies = map[string]func(*desk) bot.Reply{
	"challenge":            func(d *desk) bot.Reply { return d.run(alice, "challenge", "opponent="+bob) },
	"challenge-menu":       func(d *desk) bot.Reply { return d.menu(alice, bob) },
	"challenge-with-terms": func(d *desk) bot.Reply { return d.run(alice, "challenge", "opponent="+bob, "first=them", "clock=24h") },
	"challenge-private":    func(d *desk) bot.Reply { d.place = inPrivate; return d.run(alice, "challenge", "opponent="+bob) },
	"challenge-brought":    func(d *desk) bot.Reply { d.place = asGuest; return d.run(alice, "challenge", "opponent="+bob) },
	"challenge-declined":   func(d *desk) bot.Reply { d.run(alice, "challenge", "opponent="+bob); return d.press(bob, "Decline") },
	"challenge-withdrawn":  func(d *desk) bot.Reply { d.run(alice, "challenge", "opponent="+bob); return d.press(alice, "Withdraw") },
	"challenge-expired": func(d *desk) bot.Reply {
		d.run(alice, "challenge", "opponent="+bob)
		d.now = d.now.Add(match.ChallengeTime)
		return d.press(bob, "Accept")
	},

	"match":          func(d *desk) bot.Reply { return d.started() },
	"match-slow":     func(d *desk) bot.Reply { return d.started("clock=1h") },
	"match-middle":   func(d *desk) bot.Reply { d.started(); return d.play("b2 a1 c3", alice, bob) },
	"match-won":      func(d *desk) bot.Reply { return d.won() },
	"match-drawn":    func(d *desk) bot.Reply { d.started(); return d.play("a1 b1 c1 b2 a2 c2 b3 a3 c3", alice, bob) },
	"match-resigned": func(d *desk) bot.Reply { d.started(); d.play("b2 a1", alice, bob); return d.resign(bob) },
	"match-aborted":  func(d *desk) bot.Reply { d.started(); return d.resign(alice) },
	"match-lost-on-time": func(d *desk) bot.Reply {
		d.started()
		d.now = d.now.Add(time.Minute)
		return d.press(bob, "b2")
	},
	"resign-asked":   func(d *desk) bot.Reply { d.started(); d.play("b2 a1", alice, bob); return d.press(bob, "Resign") },
	"call-off-asked": func(d *desk) bot.Reply { d.started(); return d.press(bob, "Resign") },

	"rematch-proposed": func(d *desk) bot.Reply { d.won(); return d.press(bob, "Rematch") },
	"rematch-started":  func(d *desk) bot.Reply { return d.rematched() },
	"rematch-declined": func(d *desk) bot.Reply { d.won(); d.press(bob, "Rematch"); return d.press(alice, "No rematch") },
	"rematch-expired": func(d *desk) bot.Reply {
		d.won()
		d.press(bob, "Rematch")
		d.now = d.now.Add(match.RematchTime)
		return d.press(alice, "Accept rematch")
	},
	"rematch-old-board": func(d *desk) bot.Reply {
		d.won()
		old := d.board
		id := d.button(old.components, "Rematch")
		d.press(bob, "Rematch")
		d.press(alice, "Accept rematch")
		d.flush() // the new message has told its id
		return d.clickOn(alice, old, id)
	},
	"rematch-running-score": func(d *desk) bot.Reply {
		d.rematched()
		d.play("b2 a1 b1 a2 b3", bob, alice)
		d.press(bob, "Rematch")
		return d.press(alice, "Accept rematch")
	},
	"rematch-running-score-with-draws": func(d *desk) bot.Reply {
		d.rematched()
		return d.play("a1 b1 c1 b2 a2 c2 b3 a3 c3", bob, alice)
	},

	"computer":           func(d *desk) bot.Reply { return d.run(alice, "ai", "first=me") },
	"computer-begins":    func(d *desk) bot.Reply { return d.run(alice, "ai", "first=them", "level=easy") },
	"computer-answers":   func(d *desk) bot.Reply { d.run(alice, "ai", "first=me"); return d.press(alice, "b2") },
	"computer-wins":      func(d *desk) bot.Reply { d.run(alice, "ai", "first=them"); return d.play("c3 b3", alice) },
	"computer-in-dm":     func(d *desk) bot.Reply { d.place = inBotDM; return d.run(alice, "ai") },
	"computer-challenge": func(d *desk) bot.Reply { return d.run(alice, "challenge", "opponent="+self, "first=them") },
	"computer-menu":      func(d *desk) bot.Reply { return d.menu(alice, self) },
	"computer-rematch": func(d *desk) bot.Reply {
		d.run(alice, "ai", "first=them")
		d.play("c3 b3", alice)
		return d.press(alice, "Rematch")
	},
	"computer-instead": func(d *desk) bot.Reply {
		d.run(alice, "challenge", "opponent="+bob)
		d.press(bob, "Decline")
		return d.press(alice, "Play the computer")
	},

	"review":      func(d *desk) bot.Reply { d.won(); return d.press(carol, "Review") },
	"review-move": func(d *desk) bot.Reply { d.won(); d.press(carol, "Review"); return d.turn(carol, "Move by move") },
	"review-last": func(d *desk) bot.Reply {
		d.won()
		d.press(carol, "Review")
		return d.clickOn(carol, d.line, "review:"+d.id()+":5")
	},
	"review-mistake": func(d *desk) bot.Reply { d.won(); d.press(carol, "Review"); return d.turn(carol, "2: ⭕ a2") },
	"review-whole": func(d *desk) bot.Reply {
		d.won()
		d.press(carol, "Review")
		for _, label := range []string{"Move by move", "▶", "▶", "◀"} {
			d.turn(carol, label)
		}
		return d.turn(carol, "Whole review")
	},
	// Made by hand: not on the board, and beyond the end. The board stays.
	"review-beyond":           func(d *desk) bot.Reply { d.won(); return d.click(carol, "review:"+d.id()+":99") },
	"review-4x4":              func(d *desk) bot.Reply { return d.reviewed("4x4", "b2 a1 b3 a2 b1 a3 b4") },
	"review-5x5":              func(d *desk) bot.Reply { return d.reviewed("5x5", "b2 e5 b3 d5 b4 c5 b5") },
	"review-drop":             func(d *desk) bot.Reply { return d.reviewed("drop", "c1 c1 a1 c1 b1 c1 d1") },
	"review-drop-5x5":         func(d *desk) bot.Reply { return d.reviewed("drop-5x5", "a1 a1 b1 b1 c1 c1 d1") },
	"review-misere":           func(d *desk) bot.Reply { return d.reviewed("misere", "a1 a2 b1 b2 c1") },
	"review-infinite":         func(d *desk) bot.Reply { return d.reviewed("infinite", "a1 b2 b1 a2 c1") },
	"review-infinite-endless": func(d *desk) bot.Reply { return d.reviewed("infinite", sixtyPlies) },
	"review-of-hostile-names": func(d *desk) bot.Reply {
		r := d.reviewed("infinite", sixtyPlies)
		for _, by := range []string{alice, bob} {
			d.save(match.Name{Player: match.User(by), Name: strings.Repeat("*", 31) + "@"})
		}
		if r = d.press(carol, "Review"); len([]rune(text(r.Components))) > 4000 {
			d.t.Errorf("%d characters", len([]rune(text(r.Components))))
		}
		return r
	},
	"review-declined": func(d *desk) bot.Reply {
		d.won()
		d.press(bob, "Rematch")
		d.press(alice, "No rematch")
		return d.press(alice, "Review")
	},
	"review-unjudged": func(d *desk) bot.Reply {
		d.won()
		ended, end := context.WithCancel(d.t.Context())
		end()
		in := d.commands.Review
		d.commands.Review = func(_ context.Context, record game.Record) (ai.Review, error) { return in(ended, record) }
		return d.press(alice, "Review")
	},
	"review-busy": func(d *desk) bot.Reply {
		d.won()
		d.commands.Review = func(context.Context, game.Record) (ai.Review, error) {
			return nil, fmt.Errorf("review: %w", match.ErrBusy)
		}
		return d.press(alice, "Review")
	},
	"review-gone": func(d *desk) bot.Reply {
		d.board = &message{id: "9001", components: []discordgo.MessageComponent{discordgo.Button{CustomID: "review:v"}}}
		return d.click(alice, "review:v")
	},
	"refused-review":         func(d *desk) bot.Reply { d.started(); return d.click(alice, "review:"+d.id()) },
	"refused-review-aborted": func(d *desk) bot.Reply { d.started(); d.resign(alice); return d.click(alice, "review:"+d.id()) },
	"refused-review-of-another": func(d *desk) bot.Reply {
		d.won()
		other := d.id()
		d.started()
		return d.click(carol, "review:"+other)
	},
	"refused-review-unmoved": func(d *desk) bot.Reply {
		d.started()
		d.now = d.now.Add(time.Minute)
		d.press(bob, "b2") // nobody has moved in time
		return d.click(alice, "review:"+d.id())
	},

	"leaderboard-empty":          func(d *desk) bot.Reply { return d.run(alice, "leaderboard") },
	"leaderboard-computer-empty": func(d *desk) bot.Reply { return d.run(alice, "leaderboard", "of=computer") },
	"leaderboard-first-page":     func(d *desk) bot.Reply { d.scores(12); return d.run(carol, "leaderboard") },
	"leaderboard-own-row": func(d *desk) bot.Reply {
		d.won()
		return d.run(bob, "leaderboard", "of=players")
	},
	"leaderboard-own-row-apart": func(d *desk) bot.Reply { d.scores(12); d.won(); return d.run(bob, "leaderboard") },
	"leaderboard-last-page":     func(d *desk) bot.Reply { d.scores(12); d.run(carol, "leaderboard"); return d.press(carol, "Next") },
	"leaderboard-back": func(d *desk) bot.Reply {
		d.scores(12)
		d.run(carol, "leaderboard")
		d.press(carol, "Next")
		return d.press(carol, "Back")
	},
	"leaderboard-page-beyond": func(d *desk) bot.Reply {
		d.scores(25)
		d.run(alice, "leaderboard")
		return d.click(alice, "board:players:99")
	},
	"made-by-hand": func(d *desk) bot.Reply { d.started(); return d.click(carol, "board:players:1") },
	"made-by-hand-for-another-match": func(d *desk) bot.Reply {
		d.started()
		theirs := d.board
		d.run(carol, "ai", "first=me")
		own := d.button(d.board.components, "b2")
		d.board = theirs
		return d.click(carol, own)
	},
	"leaderboard-computer": func(d *desk) bot.Reply {
		d.run(alice, "ai", "first=them", "level=easy")
		d.play("c3 b3", alice)
		d.run(alice, "ai", "first=them")
		d.play("c3 b3", alice)
		return d.run(alice, "leaderboard", "of=computer")
	},
	"leaderboard-in-dm": func(d *desk) bot.Reply { d.won(); d.place = inBotDM; return d.run(alice, "leaderboard") },

	"games-none": func(d *desk) bot.Reply { return d.run(alice, "games") },
	"games":      func(d *desk) bot.Reply { d.busyDay(); return d.run(alice, "games") },
	"games-lost": func(d *desk) bot.Reply {
		d.started()
		closed := match.ID(d.id())
		d.run(alice, "ai", "first=me")
		d.flush()
		d.save(board.Refused{ID: closed}, board.Lost{ID: match.ID(d.id()), Message: d.board.id})
		return d.run(alice, "games")
	},
	"games-unreadable": func(d *desk) bot.Reply {
		d.started()
		d.commands.Matches = unreadable{d.store}
		return d.run(alice, "games")
	},
	"show": func(d *desk) bot.Reply { d.started(); return d.show(alice) },
	"show-gone": func(d *desk) bot.Reply {
		d.board = &message{id: "9001", components: []discordgo.MessageComponent{discordgo.Button{CustomID: "show:v"}}}
		return d.click(alice, "show:v")
	},
	"refused-show-elsewhere": func(d *desk) bot.Reply { d.started(); d.place.guild = "4002"; return d.show(alice) },
	"refused-show-stranger":  func(d *desk) bot.Reply { d.started(); return d.click(carol, "show:"+d.id()) },
	"refused-show-finished":  func(d *desk) bot.Reply { d.won(); return d.click(alice, "show:"+d.id()) },
	"moved": func(d *desk) bot.Reply {
		d.started()
		old := *d.board
		d.show(alice)
		d.flush()
		return d.clickOn(alice, &old, d.button(old.components, "b2"))
	},
	"games-mentions-off": func(d *desk) bot.Reply {
		r := d.run(alice, "games")
		list := &message{id: "9001", components: r.Components, private: true}
		return d.clickOn(alice, list, d.button(r.Components, "Turn mentions off"))
	},
	"games-mentions-on": func(d *desk) bot.Reply {
		r := d.run(alice, "games")
		list := &message{id: "9001", components: r.Components, private: true}
		d.clickOn(alice, list, "mentions:off")
		return d.clickOn(alice, list, "mentions:on")
	},
	"mentions-off": func(d *desk) bot.Reply { d.started(); return d.click(alice, "mentions:off") },
	"mentions-on":  func(d *desk) bot.Reply { d.started(); return d.click(alice, "mentions:on") },
	"help":         func(d *desk) bot.Reply { return d.run(alice, "help") },
	"gone": func(d *desk) bot.Reply {
		d.board = &message{id: "9001", components: []discordgo.MessageComponent{discordgo.Button{CustomID: "play:v:0:b2"}}}
		return d.click(alice, "play:v:0:b2")
	},

	"refused-stranger": func(d *desk) bot.Reply { d.started(); return d.press(carol, "b2") },
	"refused-turn":     func(d *desk) bot.Reply { d.started(); return d.press(bob, "b2") },
	"refused-taken":    func(d *desk) bot.Reply { d.started(); d.play("b2", alice); return d.press(bob, "b2") },
	"refused-square": func(d *desk) bot.Reply {
		d.started()
		return d.click(alice, strings.Replace(d.button(d.board.components, "b2"), "b2", "e5", 1))
	},
	"refused-stranger-resigns": func(d *desk) bot.Reply { d.started(); return d.press(carol, "Resign") },
	"refused-stranger-rematch": func(d *desk) bot.Reply { d.won(); return d.press(carol, "Rematch") },
	"refused-own-rematch":      func(d *desk) bot.Reply { d.won(); d.press(bob, "Rematch"); return d.press(bob, "Accept rematch") },
	"refused-own-challenge":    func(d *desk) bot.Reply { d.run(alice, "challenge", "opponent="+bob); return d.press(alice, "Accept") },
	"refused-third-person":     func(d *desk) bot.Reply { d.run(alice, "challenge", "opponent="+bob); return d.press(carol, "Accept") },
	"refused-withdraw":         func(d *desk) bot.Reply { d.run(alice, "challenge", "opponent="+bob); return d.press(bob, "Withdraw") },
	"refused-withdraw-third":   func(d *desk) bot.Reply { d.run(alice, "challenge", "opponent="+bob); return d.press(carol, "Withdraw") },
	"refused-challenge-over":   func(d *desk) bot.Reply { d.started(); return d.click(carol, "accept:"+d.id()) },
	"refused-self":             func(d *desk) bot.Reply { return d.run(alice, "challenge", "opponent="+alice) },
	"refused-bot":              func(d *desk) bot.Reply { return d.run(alice, "challenge", "opponent="+robot) },
	"refused-dm":               func(d *desk) bot.Reply { d.place = inBotDM; return d.run(alice, "challenge", "opponent="+bob) },
	"refused-external":         func(d *desk) bot.Reply { d.place = asSilent; return d.run(alice, "challenge", "opponent="+bob) },
	"refused-pending": func(d *desk) bot.Reply {
		d.run(alice, "challenge", "opponent="+bob)
		return d.run(alice, "challenge", "opponent="+bob)
	},
	"refused-pending-received": func(d *desk) bot.Reply {
		d.run(alice, "challenge", "opponent="+bob)
		return d.run(bob, "challenge", "opponent="+alice)
	},
	"refused-limit-yours":  func(d *desk) bot.Reply { d.open(alice, 5); return d.run(alice, "challenge", "opponent="+bob) },
	"refused-limit-theirs": func(d *desk) bot.Reply { d.open(bob, 5); return d.run(alice, "challenge", "opponent="+bob) },
	"refused-limit-theirs-accept": func(d *desk) bot.Reply {
		d.run(alice, "challenge", "opponent="+bob)
		d.open(alice, 5)
		return d.press(bob, "Accept")
	},
	"refused-limit-pair":    func(d *desk) bot.Reply { d.started(); d.started(); return d.run(alice, "challenge", "opponent="+bob) },
	"refused-admin-unknown": func(d *desk) bot.Reply { d.place = inSilence; return d.run(carol, "admin") },
	"refused-level":         func(d *desk) bot.Reply { return d.run(alice, "ai", "level=godlike") },
	"refused-level-button":  func(d *desk) bot.Reply { d.started(); return d.click(alice, "computer:godlike") },
	"refused-malformed":     func(d *desk) bot.Reply { d.started(); return d.click(alice, "play:::") },
	"refused-verb":          func(d *desk) bot.Reply { d.started(); return d.click(alice, "explode:1") },
	"refused-command":       func(d *desk) bot.Reply { return d.run(alice, "tournament") },

	"confirmed": func(d *desk) bot.Reply {
		d.started()
		return d.messageless(alice, d.press(alice, "Resign").Modal.CustomID, true)
	},
	"busy": func(d *desk) bot.Reply { return d.commands.Busy(d.interaction(alice, 2, nil)) },
	"apology": func(d *desk) bot.Reply {
		return d.commands.Apology(d.interaction(alice, 2, nil), "6001", errors.New("disk on fire"))
	},
	"apology-unshown": func(d *desk) bot.Reply {
		in := d.interaction(alice, 2, nil)
		in.Saved = true
		return d.commands.Apology(in, "6001", errors.New("disk on fire"))
	},
	"apology-unsaved": func(d *desk) bot.Reply {
		return d.commands.Apology(d.interaction(alice, 2, nil), "6001", fmt.Errorf("save: %w", match.ErrUnsaved))
	},
	"apology-busy": func(d *desk) bot.Reply {
		return d.commands.Apology(d.interaction(alice, 2, nil), "6001", fmt.Errorf("save: %w", match.ErrBusy))
	},
}

// everyReply are those to players and those to moderators.
func everyReply() map[string]func(*desk) bot.Reply {
	all := maps.Clone(replies)
	maps.Copy(all, moderation)
	return all
}

// won is a match that alice has won with a line.
func (d *desk) won() bot.Reply {
	d.t.Helper()
	d.started()
	return d.play("a1 a2 b1 b2 c1", alice, bob)
}

// sixtyPlies is a game that is drawn because it would not end. On 58 of its moves there is something to say.
const sixtyPlies = "c1 a3 b2 c3 b3 b1 a2 c1 a1 a3 b2 c3 b3 b1 a2 c1 a1 a3 b2 c3 b3 b1 c1 a1 a3 b2 c3 b3 b1 c1 " +
	"a1 a2 c2 b2 b3 b1 c1 c3 a2 c2 a3 a1 b2 c1 b1 b3 c2 a2 a3 c3 c1 b2 a1 b1 b3 c2 a3 c3 c1 b2"

// turn presses a button of the latest private message.
func (d *desk) turn(by, label string) bot.Reply {
	d.t.Helper()
	return d.clickOn(by, d.line, d.button(d.line.components, label))
}

// reviewed is what carol sees of a match that alice and bob have played on that board.
func (d *desk) reviewed(rules, squares string) bot.Reply {
	d.t.Helper()
	d.started("board=" + rules)
	d.play(squares, alice, bob)
	return d.press(carol, "Review")
}

// rematched is its rematch, just begun.
func (d *desk) rematched() bot.Reply {
	d.t.Helper()
	d.won()
	d.press(bob, "Rematch")
	return d.press(alice, "Accept rematch")
}

// id is that of the match on the board.
func (d *desk) id() string {
	d.t.Helper()
	for _, b := range buttons(d.board.components) {
		if id, err := commands.ParseCustomID(b.CustomID); err == nil && id.ID != "" {
			return string(id.ID)
		}
	}
	d.t.Fatal("no match on the board")
	return ""
}

// save writes to the store directly.
func (d *desk) save(changes ...match.Change) {
	d.t.Helper()
	if err := d.store.Save(d.t.Context(), changes...); err != nil {
		d.t.Fatal(err)
	}
}

// open gives a player that many matches against others.
func (d *desk) open(player string, n int) {
	d.t.Helper()
	for i := range n {
		seats := match.Seats{match.Human(match.User(player)), match.Human(match.User(fmt.Sprint(9100 + i)))}
		id := match.ID(fmt.Sprint("o", player, i))
		d.save(match.CreateMatch{Match: match.Start(id, id, guild, game.Classic(), seats, time.Minute, 1, d.now)})
	}
}

// scores are finished matches of that many players, the first of whom has won most.
func (d *desk) scores(players int) {
	d.t.Helper()
	for i := range players {
		winner := match.User(fmt.Sprint(9200 + i))
		d.save(match.Name{Player: winner, Name: fmt.Sprint("Player ", i+1)})
		for n := range players - i {
			id := match.ID(fmt.Sprintf("s%02d%02d", i, n))
			m := match.Start(id, id, guild, game.Classic(), match.Seats{match.Human(winner), match.Computer("easy")}, time.Minute, 1, d.now)
			m.Seats[1] = match.Human(match.User(fmt.Sprint(9200 + players - 1)))
			if i == players-1 {
				m.Seats[1] = match.Human("9200")
			}
			m.Result, m.Ended, m.Deadline = match.Result{Outcome: game.XWins, Cause: match.ByTime}, d.now.Add(time.Duration(i)*time.Minute), time.Time{}
			d.save(match.CreateMatch{Match: m})
		}
	}
}

// busyDay fills every part of the list of alice's matches.
func (d *desk) busyDay() {
	d.t.Helper()
	d.won()
	d.rematched()
	d.run(carol, "challenge", "opponent="+alice)
	d.run(alice, "ai", "first=me")
	d.started("clock=24h")
	d.play("b2", alice)
	d.flush()
}

// specPath is where Discord's OpenAPI description would be.
func specPath() string {
	if path := os.Getenv("DISCORD_OPENAPI"); path != "" {
		return path
	}
	return filepath.Join("..", "..", "shared", "discord-openapi.json")
}

// checkers are those that every body has to pass: the hand rules, and Discord's own description where there is a file.
func checkers(t testing.TB) []*check.Checker {
	t.Helper()
	paths := []string{""}
	if _, err := os.Stat(specPath()); err == nil {
		paths = append(paths, specPath())
	} else if strings.Contains(os.Getenv("TICTACTOE_REQUIRE"), "openapi") {
		t.Fatalf("Discord's OpenAPI description is required: %v", err)
	}
	var all []*check.Checker
	for _, path := range paths {
		c, err := check.New(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

// accepted fails unless Discord would take the callback and understand all of it.
func accepted(t testing.TB, all []*check.Checker, body []byte) {
	t.Helper()
	for _, c := range all {
		if refusal := c.CallbackOn(body, true); refusal != nil {
			t.Errorf("Discord refuses it: %v", refusal)
		}
		if findings := c.Findings(check.Callback, body); len(findings) != 0 {
			t.Errorf("Discord ignores %q", findings)
		}
	}
}

// TestReplies also fails when a route leads to no golden, or a refusal or apology is said in none.
func TestReplies(t *testing.T) {
	all := checkers(t)
	routes, said := map[string]bool{}, map[string]bool{}
	replies := everyReply()
	for name, reply := range replies {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			r := reply(d)
			said[text(r.Components)] = true
			maps.Copy(routes, d.routes)
			body := callback(t, r)
			accepted(t, all, body)
			if strings.Contains(string(body), "no value") {
				t.Error("a text has a gap that nothing fills")
			}
			if strings.HasPrefix(name, "refused-") && (r.Kind != bot.Post || !r.Private || len(r.Ping) > 0) {
				t.Error("a refusal is not private")
			}
			golden(t, filepath.Join("replies", name+".json"), body)
		})
	}
	t.Run("every golden is of a reply", func(t *testing.T) {
		files, err := filepath.Glob("testdata/replies/*.json")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if _, ok := replies[strings.TrimSuffix(filepath.Base(file), ".json")]; !ok {
				t.Errorf("%s is of none", file)
			}
		}
	})
	t.Run("every route leads to one", func(t *testing.T) { everyRoute(t, routes) })
	t.Run("every refusal is said in one", func(t *testing.T) { everyRefusal(t, said) })
}

// everyRoute checks that each one has been taken.
func everyRoute(t *testing.T, routes map[string]bool) {
	t.Helper()
	router := bot.NewRouter()
	newDesk(t).commands.Route(router)
	for _, route := range router.Routes() {
		if !routes[route] {
			t.Errorf("no golden comes by %q", route)
		}
	}
}

// everyRefusal checks that each refusal and apology that has words has been said.
func everyRefusal(t *testing.T, said map[string]bool) {
	t.Helper()
	raw, err := os.ReadFile("../internal/locale/texts/en.json")
	if err != nil {
		t.Fatal(err)
	}
	var texts map[string]any
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	// On Discord the answer to these is the true board.
	silent := []string{"refusal.unknown", "refusal.stale", "refusal.finished", "refusal.time"}
	gap := regexp.MustCompile(`\\\{\\\{[^}]*\}\\\}`)
	for key, words := range texts {
		if !strings.HasPrefix(key, "refusal.") && !strings.HasPrefix(key, "error.") || slices.Contains(silent, key) {
			continue
		}
		pattern := regexp.MustCompile("^" + gap.ReplaceAllString(regexp.QuoteMeta(words.(string)), ".+") + "$")
		if !slices.ContainsFunc(slices.Collect(maps.Keys(said)), pattern.MatchString) {
			t.Errorf("no golden says %s", key)
		}
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	got = append(got, '\n')
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Error(d)
	}
}
