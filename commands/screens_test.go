package commands_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/ai"
	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/commands"
	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/view"
)

// screens holds all answers to users, each by a function that makes it. They are sorted into areas; each area has a file of
// goldens, whose sections have the names of the screens.
var screens = map[string]map[string]func(*desk) bot.Reply{
	"challenge": {
		"challenge":            func(d *desk) bot.Reply { return d.challenge() },
		"challenge-menu":       func(d *desk) bot.Reply { return d.menu(alice, bob) },
		"challenge-with-terms": func(d *desk) bot.Reply { return d.challenge("first=them", "clock=24h") },
		"challenge-rated":      func(d *desk) bot.Reply { return d.challenge("rated=true") },
		"challenge-casual":     func(d *desk) bot.Reply { return d.challenge("rated=false") },
		"challenge-unrated":    func(d *desk) bot.Reply { d.opened(); d.turn(carol, "Turn ratings off"); return d.challenge() },
		"challenge-private":    func(d *desk) bot.Reply { d.place = inPrivate; return d.challenge() },
		"challenge-brought":    func(d *desk) bot.Reply { d.place = asGuest; return d.challenge() },
		"challenge-declined":   func(d *desk) bot.Reply { d.challenge(); return d.press(bob, "Decline") },
		"challenge-withdrawn":  func(d *desk) bot.Reply { d.challenge(); return d.press(alice, "Withdraw") },
		"challenge-expired": func(d *desk) bot.Reply {
			d.challenge()
			d.advance(match.ChallengeTime)
			return d.press(bob, "Accept")
		},
		"challenge-open":           func(d *desk) bot.Reply { return d.seeks() },
		"challenge-open-casual":    func(d *desk) bot.Reply { return d.seeks("board=drop", "first=them", "clock=5m", "rated=false") },
		"challenge-open-private":   func(d *desk) bot.Reply { d.place = inPrivate; return d.seeks() },
		"challenge-open-taken":     func(d *desk) bot.Reply { d.seeks("first=me"); return d.press(carol, "Play") },
		"challenge-open-told":      func(d *desk) bot.Reply { d.tells(); return d.seeks() },
		"challenge-open-told-soon": func(d *desk) bot.Reply { d.tells(); d.seeks(); d.press(alice, "Withdraw"); return d.seeks() },
		"challenge-open-quiet":     func(d *desk) bot.Reply { d.tells(); d.turn(carol, "Turn pings off"); return d.seeks() },
		"challenge-open-withdrawn": func(d *desk) bot.Reply { d.seeks(); return d.press(alice, "Withdraw") },
		"challenge-open-expired": func(d *desk) bot.Reply {
			d.seeks()
			d.advance(match.OpenChallengeTime)
			return d.press(carol, "Play")
		},
		"challenge-opened-after-a-refusal": func(d *desk) bot.Reply {
			d.challenge("board=5x5", "clock=1h", "rated=false")
			d.press(bob, "Decline")
			return d.press(alice, "Look for someone else")
		},
		"challenge-with-the-server's-clock": func(d *desk) bot.Reply {
			d.opened()
			d.pick("policy:clock", "5m")
			return d.challenge()
		},
		"challenge-menu-with-the-server's-clock": func(d *desk) bot.Reply {
			d.opened()
			d.pick("policy:clock", "24h")
			return d.menu(alice, bob)
		},
	},

	"crowd": {
		"crowd":          func(d *desk) bot.Reply { return d.run(alice, "crowd") },
		"crowd-on-drop":  func(d *desk) bot.Reply { return d.run(alice, "crowd", "board=drop", "level=hard", "seconds=45") },
		"crowd-infinite": func(d *desk) bot.Reply { return d.run(alice, "crowd", "board=infinite", "seconds=5") },
		"crowd-in-words": func(d *desk) bot.Reply { d.inWords(); d.run(alice, "crowd"); return d.press(bob, "b2") },
		"crowd-voted":    func(d *desk) bot.Reply { d.run(alice, "crowd"); d.press(bob, "c3"); return d.press(carol, "b2") },
		"crowd-changed": func(d *desk) bot.Reply {
			d.run(alice, "crowd")
			d.play("c3 b2 b2", bob, carol)
			return d.press(bob, "b2")
		},
		"crowd-moved":      func(d *desk) bot.Reply { return d.together() },
		"crowd-at-once":    func(d *desk) bot.Reply { d.together(); return d.play("c3 c3", bob, carol) },
		"crowd-again":      func(d *desk) bot.Reply { d.stopped(); return d.press(carol, "Play again") },
		"crowd-stop-asked": func(d *desk) bot.Reply { d.run(alice, "crowd"); return d.press(alice, "Stop") },
		"crowd-stopped":    func(d *desk) bot.Reply { return d.stopped() },
		"crowd-stopped-by-a-moderator": func(d *desk) bot.Reply {
			d.run(alice, "crowd")
			d.place.permissions = discordgo.PermissionManageGuild
			return d.stop(carol)
		},
		"crowd-of-nobody": func(d *desk) bot.Reply {
			d.run(alice, "crowd")
			d.advance(match.FirstVoteTime)
			return d.press(carol, "b2")
		},
		"crowd-teams":         func(d *desk) bot.Reply { return d.run(alice, "crowd", "level=teams") },
		"crowd-teams-voted":   func(d *desk) bot.Reply { d.run(alice, "crowd", "level=teams"); return d.play("c3 b2", bob, carol) },
		"crowd-other-team":    func(d *desk) bot.Reply { d.together("level=teams"); return d.press(bob, "a1") },
		"crowd-teams-stopped": func(d *desk) bot.Reply { d.together("level=teams"); return d.stop(alice) },
		"crowd-too-late": func(d *desk) bot.Reply {
			d.run(alice, "crowd")
			d.press(bob, "b2")
			d.advance(match.DefaultVoteTime)
			return d.press(carol, "c3")
		},
		"crowd-typed":      func(d *desk) bot.Reply { d.run(alice, "crowd"); return d.run(bob, "move", "square=b2") },
		"crowd-typed-last": func(d *desk) bot.Reply { d.together(); d.press(carol, "c3"); return d.run(bob, "move", "square=c3") },
		"crowd-suggested":  func(d *desk) bot.Reply { d.run(alice, "crowd"); return d.suggest(bob, "square=b") },
		"crowd-listed":     func(d *desk) bot.Reply { d.run(alice, "crowd"); return d.suggest(bob, "match=") },
		"crowd-review":     func(d *desk) bot.Reply { d.beaten(); return d.press(carol, "Review") },
		"crowd-beaten":     func(d *desk) bot.Reply { return d.beaten() },
		"crowd-shown": func(d *desk) bot.Reply {
			d.run(alice, "crowd")
			d.flush()
			d.run(carol, "crowd")
			return d.turn(carol, "Show it here")
		},
		"crowd-playing":     func(d *desk) bot.Reply { d.run(alice, "crowd"); d.flush(); return d.run(bob, "crowd") },
		"crowd-others-stop": func(d *desk) bot.Reply { d.run(alice, "crowd"); return d.press(bob, "Stop") },
		"crowd-alone":       func(d *desk) bot.Reply { d.place = inBotDM; return d.run(alice, "crowd") },
		"crowd-external":    func(d *desk) bot.Reply { d.place = asGuest; d.place.permissions = 1; return d.run(alice, "crowd") },
		"crowd-off":         func(d *desk) bot.Reply { d.opened(); d.pick("policy:features"); return d.run(alice, "crowd") },
		"crowd-again-off": func(d *desk) bot.Reply {
			d.stopped()
			board := d.board
			d.opened()
			d.pick("policy:features")
			d.board = board
			return d.press(bob, "Play again")
		},
		"crowd-level-withheld": func(d *desk) bot.Reply { d.opened(); d.pick("policy:levels", "teacher"); return d.run(alice, "crowd") },
		"crowd-level-by-hand":  func(d *desk) bot.Reply { return d.run(alice, "crowd", "level=teacher") },
	},

	"series": {
		"series":      func(d *desk) bot.Reply { return d.challenge("games=7", "board=drop") },
		"series-open": func(d *desk) bot.Reply { return d.seeks("games=3") },
		"series-next": func(d *desk) bot.Reply {
			d.started("games=3")
			return d.play("a1 b1 a2 b2 a3", alice, bob)
		},
		"series-left": func(d *desk) bot.Reply {
			d.place = asGuest
			d.started("games=3")
			d.play("a1 b1 a2 b2 a3", alice, bob)
			d.press(alice, "Next game")
			return d.press(bob, "Resign")
		},
		"series-next-brought-up": func(d *desk) bot.Reply {
			d.place = asGuest
			d.started("games=3")
			d.play("a1 b1 a2 b2 a3", alice, bob)
			return d.press(alice, "Next game")
		},
		"series-next-by-a-stranger": func(d *desk) bot.Reply {
			d.place = asGuest
			d.started("games=3")
			d.play("a1 b1 a2 b2 a3", alice, bob)
			return d.press(carol, "Next game")
		},
		"series-next-by-hand": func(d *desk) bot.Reply { // from a forged button: no series
			d.started()
			return d.click(alice, "next:"+string(d.id()))
		},
		"refused-series-with-the-computer": func(d *desk) bot.Reply { return d.run(alice, "challenge", "opponent="+self, "games=3") },
	},

	"learn": {
		"learn":             func(d *desk) bot.Reply { return d.run(alice, "learn") },
		"learn-task":        func(d *desk) bot.Reply { d.run(alice, "learn"); return d.turn(alice, "Start") },
		"learn-picked":      func(d *desk) bot.Reply { d.run(carol, "learn"); return d.pick("lesson", "infinite") },
		"learn-picked-none": func(d *desk) bot.Reply { d.run(carol, "learn"); return d.pick("lesson", "none") },
		"learn-wrong": func(d *desk) bot.Reply {
			d.run(alice, "learn")
			d.turn(alice, "Start")
			return d.clickOn(alice, d.line, "learn:line:a3")
		},
		"learn-right": func(d *desk) bot.Reply {
			d.run(alice, "learn")
			d.turn(alice, "Start")
			return d.clickOn(alice, d.line, "learn:line:c1")
		},
		"learn-taken": func(d *desk) bot.Reply {
			d.run(alice, "learn")
			d.turn(alice, "Start")
			return d.clickOn(alice, d.line, "learn:line:a1")
		},
		"learn-ticked": func(d *desk) bot.Reply {
			d.run(alice, "learn")
			d.turn(alice, "Start")
			d.clickOn(alice, d.line, "learn:line:c1")
			return d.turn(alice, "All lessons")
		},
		"learn-by-hand": func(d *desk) bot.Reply {
			d.run(alice, "learn")
			d.turn(alice, "Start")
			return d.clickOn(alice, d.line, "learn:nothing")
		},
		"hint": func(d *desk) bot.Reply { d.run(alice, "ai", "first=me"); return d.press(alice, "Hint") },
		"hint-again": func(d *desk) bot.Reply {
			d.run(alice, "ai", "first=me")
			d.press(alice, "Hint")
			return d.press(alice, "Hint")
		},
		"hint-empty": func(d *desk) bot.Reply { // from a forged button: the board has no hint
			d.run(alice, "ai", "first=me")
			d.play("b1 a2 b2 a3", alice)
			return d.click(alice, "hint:"+string(d.id())+":8")
		},
		"hint-for-others":     func(d *desk) bot.Reply { d.run(alice, "ai", "first=me"); return d.press(bob, "Hint") },
		"hint-between-people": func(d *desk) bot.Reply { d.started(); return d.click(alice, "hint:"+string(d.id())+":0") },
		"hint-stale": func(d *desk) bot.Reply {
			d.run(alice, "ai", "first=me")
			hint := d.button(d.board.components, "Hint")
			d.play("b2", alice)
			return d.click(alice, hint)
		},
		"learn-off": func(d *desk) bot.Reply { d.opened(); d.pick("policy:features"); return d.run(alice, "learn") },
		"hint-off": func(d *desk) bot.Reply {
			d.run(alice, "ai", "first=me")
			hint := d.button(d.board.components, "Hint")
			d.opened()
			d.pick("policy:features")
			d.place = inServer
			return d.click(alice, hint)
		},
		"wrong": func(d *desk) bot.Reply { d.won(); d.press(bob, "Review"); return d.turn(bob, "What went wrong") },
		"wrong-without-a-mistake": func(d *desk) bot.Reply {
			d.started()
			d.play("b2 a1", alice, bob)
			d.resign(bob)
			return d.clickOn(bob, d.board, "wrong:"+string(d.id()))
		},
	},

	"match": {
		"match":          func(d *desk) bot.Reply { return d.started() },
		"match-casual":   func(d *desk) bot.Reply { return d.started("rated=false") },
		"match-slow":     func(d *desk) bot.Reply { return d.started("clock=1h") },
		"match-middle":   func(d *desk) bot.Reply { d.started(); return d.play("b2 a1 c3", alice, bob) },
		"match-won":      func(d *desk) bot.Reply { return d.won() },
		"match-drawn":    func(d *desk) bot.Reply { d.started(); return d.play("a1 b1 c1 b2 a2 c2 b3 a3 c3", alice, bob) },
		"match-resigned": func(d *desk) bot.Reply { d.started(); d.play("b2 a1", alice, bob); return d.resign(bob) },
		"match-aborted":  func(d *desk) bot.Reply { d.started(); return d.resign(alice) },
		"match-lost-on-time": func(d *desk) bot.Reply {
			d.started()
			d.play("b2", alice)
			d.advance(time.Minute)
			return d.press(alice, "a1")
		},
		"match-no-show": func(d *desk) bot.Reply {
			d.started()
			d.advance(time.Minute)
			return d.press(bob, "b2")
		},
		"draw-offered":    func(d *desk) bot.Reply { return d.wish(bob, "Offer draw") },
		"draw-declined":   func(d *desk) bot.Reply { d.wish(bob, "Offer draw"); return d.press(alice, "Decline") },
		"draw-agreed":     func(d *desk) bot.Reply { d.wish(bob, "Offer draw"); return d.press(alice, "Accept draw") },
		"back-asked":      func(d *desk) bot.Reply { return d.wish(alice, "Take back") },
		"back-asked-text": func(d *desk) bot.Reply { d.inWords(); return d.wish(alice, "Take back") },
		"taken-back":      func(d *desk) bot.Reply { d.wish(alice, "Take back"); return d.press(bob, "Allow") },
		"wish-dropped":    func(d *desk) bot.Reply { d.wish(bob, "Offer draw"); return d.play("c3", alice) },
		"taken-back-stale": func(d *desk) bot.Reply {
			d.wish(bob, "Take back")
			old := d.button(d.board.components, "c3")
			d.press(alice, "Allow")
			return d.click(bob, old)
		},
		"resign-asked":   func(d *desk) bot.Reply { d.started(); d.play("b2 a1", alice, bob); return d.press(bob, "Resign") },
		"call-off-asked": func(d *desk) bot.Reply { d.started(); return d.press(bob, "Resign") },
		"made-by-hand":   func(d *desk) bot.Reply { d.started(); return d.click(carol, "board:players:1") },
		"made-by-hand-for-another-match": func(d *desk) bot.Reply {
			d.started()
			theirs := d.board
			d.run(carol, "ai", "first=me")
			own := d.button(d.board.components, "b2")
			d.board = theirs
			return d.click(carol, own)
		},
		"show": func(d *desk) bot.Reply { d.started(); return d.show(alice) },
		"show-gone": func(d *desk) bot.Reply {
			d.board = &message{id: "9001", components: []discordgo.MessageComponent{discordgo.Button{CustomID: "show:v"}}}
			return d.click(alice, "show:v")
		},
		"moved": func(d *desk) bot.Reply {
			d.started()
			old := *d.board
			d.show(alice)
			d.flush()
			return d.clickOn(alice, &old, d.button(old.components, "b2"))
		},
		"mentions-off":        func(d *desk) bot.Reply { d.started(); return d.click(alice, "mentions:off:"+alice) },
		"mentions-of-another": func(d *desk) bot.Reply { d.started(); return d.click(bob, "mentions:off:"+alice) },
		"mentions-on":         func(d *desk) bot.Reply { d.started(); return d.click(alice, "mentions:on:"+alice) },
		"gone": func(d *desk) bot.Reply {
			d.board = &message{id: "9001", components: []discordgo.MessageComponent{discordgo.Button{CustomID: "play:v:0:b2"}}}
			return d.click(alice, "play:v:0:b2")
		},
		"match-drawn-by-moderator": func(d *desk) bot.Reply {
			d.started()
			d.picked()
			d.turn(carol, "End as a draw")
			d.place = inServer
			return d.press(alice, "b2")
		},
		"match-voided": func(d *desk) bot.Reply {
			d.started()
			d.picked()
			d.turn(carol, "Void")
			d.place = inServer
			return d.press(alice, "b2")
		},
		"match-of-one-who-left": func(d *desk) bot.Reply {
			d.started()
			d.play("b2 a1", alice, bob)
			d.run(alice, "privacy")
			d.confirmErasure(alice, "delete")
			return d.press(bob, "c3")
		},
	},

	"rematch": {
		"rematch-proposed": func(d *desk) bot.Reply { d.won(); return d.press(bob, "Rematch") },
		"rematch-started":  func(d *desk) bot.Reply { return d.rematched() },
		"rematch-declined": func(d *desk) bot.Reply { d.won(); d.press(bob, "Rematch"); return d.press(alice, "No rematch") },
		"rematch-expired": func(d *desk) bot.Reply {
			d.won()
			d.press(bob, "Rematch")
			d.advance(match.RematchTime)
			return d.press(alice, "Accept rematch")
		},
		"rematch-old-board": func(d *desk) bot.Reply {
			d.won()
			old := d.board
			id := d.button(old.components, "Rematch")
			d.press(bob, "Rematch")
			d.press(alice, "Accept rematch")
			d.flush() // the id of the new message is now known
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
	},

	"computer": {
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
			return d.press(alice, "Play again")
		},
		"computer-easier": func(d *desk) bot.Reply { d.run(alice, "ai", "first=them"); return d.press(alice, "Easier") },
		"computer-harder": func(d *desk) bot.Reply {
			d.run(alice, "ai", "first=me", "level=random", "board=4x4")
			d.resign(alice)
			return d.press(alice, "Harder")
		},
		"computer-beaten-at-my-level": func(d *desk) bot.Reply {
			d.run(alice, "ai", "first=me", "level=fair")
			return d.play("a2 b2 c2", alice)
		},
		"computer-without-an-easier-one": func(d *desk) bot.Reply {
			d.opened()
			d.pick("policy:levels", "unbeatable")
			return d.run(alice, "ai", "first=me")
		},
		"computer-instead": func(d *desk) bot.Reply {
			d.challenge()
			d.press(bob, "Decline")
			return d.press(alice, "Play the computer")
		},
		"computer-of-the-server's-levels": func(d *desk) bot.Reply {
			d.opened()
			d.pick("policy:levels", "easy", "hard")
			return d.run(alice, "ai", "first=me")
		},
		"computer-instead-of-the-server's-levels": func(d *desk) bot.Reply {
			d.opened()
			d.pick("policy:levels", "easy")
			d.challenge()
			d.press(bob, "Decline")
			return d.press(alice, "Play the computer")
		},
	},

	"share": {
		"share":         func(d *desk) bot.Reply { d.won(); return d.press(carol, "Share") },
		"share-picture": func(d *desk) bot.Reply { d.won(); d.press(carol, "Share"); return d.turn(carol, "Picture") },
		"share-text":    func(d *desk) bot.Reply { d.won(); d.press(carol, "Share"); return d.turn(carol, "Text") },
		"share-in-dm": func(d *desk) bot.Reply {
			d.place = inBotDM
			d.run(alice, "ai", "first=me")
			d.press(alice, "b2")
			d.resign(alice)
			return d.press(alice, "Share")
		},
		"share-linked": func(d *desk) bot.Reply {
			d.commands.Look.Page = "https://example.com/game/"
			d.won()
			return d.press(carol, "Share")
		},
		"share-without-files": func(d *desk) bot.Reply { d.won(); d.noFiles = true; return d.press(carol, "Share") },
		"share-refused":       func(d *desk) bot.Reply { d.won(); return inWords(d.press(carol, "Share")) },
		"share-off": func(d *desk) bot.Reply {
			d.won()
			d.opened()
			d.pick("policy:features")
			d.place = inServer
			return d.press(carol, "Share")
		},
		"share-running":  func(d *desk) bot.Reply { d.started(); return d.click(carol, "share:"+string(d.id())+":gif") },
		"posted":         func(d *desk) bot.Reply { d.won(); d.press(carol, "Share"); return d.turn(carol, "Post here") },
		"posted-picture": func(d *desk) bot.Reply { d.won(); return d.click(carol, "post:"+string(d.id())+":png") },
		"posted-text":    func(d *desk) bot.Reply { d.won(); return d.click(carol, "post:"+string(d.id())+":text") },
		"posted-without-files": func(d *desk) bot.Reply {
			d.won()
			d.noFiles = true
			return d.click(carol, "post:"+string(d.id())+":gif")
		},
		"posted-where-one-may-not-write": func(d *desk) bot.Reply {
			d.won()
			d.place = unheard
			return d.click(carol, "post:"+string(d.id())+":gif")
		},
		"posted-where-nobody-would-see": func(d *desk) bot.Reply {
			d.won()
			d.place = asSilent
			return d.click(carol, "post:"+string(d.id())+":gif")
		},
		"posted-where-no-match-may-begin": func(d *desk) bot.Reply {
			d.won()
			d.opened()
			d.pick("policy:places", "5009")
			d.place = inServer
			return d.click(carol, "post:"+string(d.id())+":gif")
		},
		"posted-in-another-server": func(d *desk) bot.Reply {
			d.won()
			id := string(d.id())
			d.place.guild, d.place.channel = "2002", "5010"
			d.board = &message{id: "9002", private: true, components: []discordgo.MessageComponent{discordgo.Button{CustomID: "post:" + id + ":gif"}}}
			return d.click(alice, "post:"+id+":gif")
		},
		"posted-in-another-chat": func(d *desk) bot.Reply {
			d.place = inBotDM
			d.run(alice, "ai", "first=me")
			d.press(alice, "b2")
			d.resign(alice)
			id := string(d.id())
			d.place = inPrivate
			d.board = &message{id: "9002", private: true, components: []discordgo.MessageComponent{discordgo.Button{CustomID: "post:" + id + ":text"}}}
			return d.click(alice, "post:"+id+":text")
		},
		"posted-running": func(d *desk) bot.Reply { d.started(); return d.click(carol, "post:"+string(d.id())+":gif") },
	},

	"review": {
		"review":      func(d *desk) bot.Reply { d.won(); return d.press(carol, "Review") },
		"review-move": func(d *desk) bot.Reply { d.won(); d.press(carol, "Review"); return d.turn(carol, "Move by move") },
		"review-last": func(d *desk) bot.Reply {
			d.won()
			d.press(carol, "Review")
			return d.clickOn(carol, d.line, "review:"+string(d.id())+":5")
		},
		"review-mistake": func(d *desk) bot.Reply { d.won(); d.press(carol, "Review"); return d.turn(carol, "Move 4: b2") },
		"review-whole": func(d *desk) bot.Reply {
			d.won()
			d.press(carol, "Review")
			for _, label := range []string{"Move by move", "Next", "Last", "Back", "First"} {
				d.turn(carol, label)
			}
			return d.turn(carol, "Full review")
		},
		"review-start": func(d *desk) bot.Reply { d.walking(); return d.turn(carol, "First") },
		"review-end":   func(d *desk) bot.Reply { d.walking(); return d.turn(carol, "Last") },
		"walk-beyond":  func(d *desk) bot.Reply { d.won(); return d.click(carol, "walk:"+string(d.id())+":99:next") },
		"walk-gone": func(d *desk) bot.Reply {
			d.board = &message{id: "9001", components: []discordgo.MessageComponent{discordgo.Button{CustomID: "walk:v:1:next"}}}
			return d.click(alice, "walk:v:1:next")
		},
		// The custom_id is forged: in a running match nobody gets help.
		"walk-running": func(d *desk) bot.Reply {
			d.started()
			d.play("a1 a2", alice, bob)
			return d.click(alice, "walk:"+string(d.id())+":2:last")
		},
		"walk-aborted": func(d *desk) bot.Reply {
			d.started()
			d.resign(alice)
			return d.click(alice, "walk:"+string(d.id())+":0:first")
		},
		// The custom_ids are forged: they are not on the board, or name a move beyond the end. The board stays unchanged.
		"review-beyond":           func(d *desk) bot.Reply { d.won(); return d.click(carol, "review:"+string(d.id())+":99") },
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
				d.save(match.Save{Names: []match.Name{{Player: match.User(by), Name: strings.Repeat("*", 31) + "@"}}})
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
		"review-own":         func(d *desk) bot.Reply { d.won(); return d.press(bob, "Review") },
		"review-own-mistake": func(d *desk) bot.Reply { d.won(); d.press(bob, "Review"); return d.turn(bob, "Move 4: b2") },
	},

	"practice": {
		"practice":       func(d *desk) bot.Reply { return d.practising("") },
		"practice-move":  func(d *desk) bot.Reply { return d.practising("e") },
		"practice-won":   func(d *desk) bot.Reply { return d.practising("ecg") },
		"practice-drawn": func(d *desk) bot.Reply { return d.practising("cdhi") },
		"practice-lost":  func(d *desk) bot.Reply { return d.practising("fce") },
		"practice-again": func(d *desk) bot.Reply { d.practising("e"); return d.turn(bob, "Try again") },
		"practice-back":  func(d *desk) bot.Reply { d.practising("e"); return d.turn(bob, "Back to the review") },
		"practice-infinite": func(d *desk) bot.Reply {
			d.started("board=infinite")
			d.play("a1 b2 b1 a2 c1", alice, bob)
			d.press(bob, "Review")
			d.turn(bob, "Try again from move 4")
			return d.practise("ch")
		},
		"practice-drop": func(d *desk) bot.Reply { // with gravity the mark falls
			d.started("board=drop")
			d.play("c1 c1 a1 c1 b1 c1 d1", alice, bob)
			d.press(bob, "Review")
			d.turn(bob, "Try again from move 6")
			return d.practise("d")
		},
		"practice-over":  func(d *desk) bot.Reply { return d.practising("ecgg") }, // presses a square of the winning line
		"practice-taken": func(d *desk) bot.Reply { d.practising(""); return d.practise("a") },
		// The custom_ids are forged: for a running match, a move that was not made, and illegal moves.
		"practice-running": func(d *desk) bot.Reply { d.started(); return d.click(alice, "practice:"+string(d.id())+":0:win") },
		"practice-beyond":  func(d *desk) bot.Reply { d.won(); return d.click(alice, "practice:"+string(d.id())+":5:win") },
		"practice-illegal": func(d *desk) bot.Reply { d.won(); return d.click(alice, "practice:"+string(d.id())+":1:win:ey") },
		"practice-long": func(d *desk) bot.Reply {
			d.won()
			return d.click(alice, "practice:"+string(d.id())+":1:win:"+strings.Repeat("e", 33))
		},
		"practice-gone": func(d *desk) bot.Reply {
			d.board = &message{id: "9001", components: []discordgo.MessageComponent{discordgo.Button{CustomID: "review:v"}}}
			return d.click(alice, "practice:v:1:win")
		},
	},

	"leaderboard": {
		"leaderboard-empty":          func(d *desk) bot.Reply { return d.run(alice, "leaderboard") },
		"leaderboard-computer-empty": func(d *desk) bot.Reply { return d.run(alice, "leaderboard", "of=computer") },
		"leaderboard-after-a-flood":  func(d *desk) bot.Reply { d.flooded(); return d.run(alice, "leaderboard") },
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
		"leaderboard-computer": func(d *desk) bot.Reply {
			d.run(alice, "ai", "first=them", "level=easy")
			d.play("c3 b3", alice)
			d.run(alice, "ai", "first=them")
			d.play("c3 b3", alice)
			return d.run(alice, "leaderboard", "of=computer")
		},
		"leaderboard-found":  func(d *desk) bot.Reply { d.scores(12); d.won(); return d.run(bob, "leaderboard", "player=9210") },
		"leaderboard-missed": func(d *desk) bot.Reply { d.scores(3); return d.run(alice, "leaderboard", "player="+carol) },
		"leaderboard-my-page": func(d *desk) bot.Reply {
			d.scores(12)
			d.won()
			d.run(bob, "leaderboard")
			return d.press(bob, "My rank")
		},
		"leaderboard-ranking-picked": func(d *desk) bot.Reply {
			d.won()
			d.run(alice, "leaderboard", "of=rating", "board=4x4")
			return d.handle(d.clicking(alice, d.board, "ranking:rating:4x4", "moves"))
		},
		"leaderboard-board-picked": func(d *desk) bot.Reply {
			d.won()
			d.run(alice, "leaderboard")
			return d.handle(d.clicking(alice, d.board, "rankedon:players", "classic"))
		},
		"leaderboard-all-boards-picked": func(d *desk) bot.Reply {
			d.won()
			d.run(alice, "leaderboard", "of=players", "board=classic")
			return d.handle(d.clicking(alice, d.board, "rankedon:players:classic", "all"))
		},
		"leaderboard-levels":        func(d *desk) bot.Reply { return d.run(alice, "leaderboard", "of=levels") },
		"leaderboard-draws":         func(d *desk) bot.Reply { return d.run(alice, "leaderboard", "of=draws", "board=misere") },
		"leaderboard-moves":         func(d *desk) bot.Reply { return d.run(alice, "leaderboard", "of=moves") },
		"leaderboard-ratings-empty": func(d *desk) bot.Reply { return d.run(alice, "leaderboard", "of=rating", "board=4x4") },
		"leaderboard-ratings":       func(d *desk) bot.Reply { d.ratings(); return d.run(carol, "leaderboard", "of=rating") },
		"leaderboard-ratings-next": func(d *desk) bot.Reply {
			d.ratings()
			d.run(alice, "leaderboard", "board=classic")
			return d.press(alice, "Next")
		},
		"leaderboard-ratings-found": func(d *desk) bot.Reply { d.ratings(); return d.run(alice, "leaderboard", "of=rating", "player=9211") },
		"leaderboard-ratings-my-page": func(d *desk) bot.Reply {
			d.ratings()
			d.run("9211", "leaderboard", "of=rating")
			return d.press("9211", "My rank")
		},
		"leaderboard-in-dm": func(d *desk) bot.Reply { d.won(); d.place = inBotDM; return d.run(alice, "leaderboard") },
	},

	"find": {
		"find":             func(d *desk) bot.Reply { return d.found(alice) },
		"find-anywhere":    func(d *desk) bot.Reply { d.won(); d.place = inBotDM; return d.find(bob) },
		"find-of-others":   func(d *desk) bot.Reply { return d.found(carol) },
		"find-in-a-thread": func(d *desk) bot.Reply { d.won(); d.place = inThread; return d.find(carol) },
		"find-first":       func(d *desk) bot.Reply { d.found(alice); return d.turn(alice, "First") },
		"find-running":     func(d *desk) bot.Reply { d.started(); d.play("a1 a2", alice, bob); return d.find(alice) },
		"find-unmoved":     func(d *desk) bot.Reply { d.started(); d.resign(alice); return d.find(bob) },
		"find-voided":      func(d *desk) bot.Reply { d.won(); d.ruled("Void"); return d.find(alice) },
		"find-by-the-link": func(d *desk) bot.Reply { d.won(); d.flush(); return d.run(alice, "show", "match="+d.link()) },
		"find-with-a-letter": func(d *desk) bot.Reply {
			d.won()
			return d.run(alice, "show", "match= `"+strings.ToUpper(string(d.id()))+"`")
		},
		"refused-find-elsewhere": func(d *desk) bot.Reply {
			d.won()
			d.place.channel = "5009"
			return d.find(carol)
		},
		"refused-find-beside-the-thread": func(d *desk) bot.Reply {
			d.place = inThread
			d.won()
			d.place = inServer
			return d.find(carol)
		},
		"refused-find-off": func(d *desk) bot.Reply {
			d.won()
			d.opened()
			d.pick("policy:features")
			d.place = inServer
			return d.find(alice)
		},
		"refused-find-unknown":   func(d *desk) bot.Reply { return d.run(alice, "show", "match=v") },
		"refused-find-malformed": func(d *desk) bot.Reply { return d.run(alice, "show", "match=the last one") },
		"refused-find-by-the-link-of-others": func(d *desk) bot.Reply {
			d.won()
			d.flush()
			return d.run(carol, "show", "match="+d.link())
		},
		"suggest-played":              func(d *desk) bot.Reply { d.season(); d.started(); return d.suggestFor(alice, "show", "match=") },
		"suggest-played-by-words":     func(d *desk) bot.Reply { d.season(); return d.suggestFor(alice, "show", "match=4X4 bob") },
		"suggest-played-by-id":        func(d *desk) bot.Reply { d.won(); return d.suggestFor(bob, "show", "match="+string(d.id())[:2]) },
		"suggest-played-of-what-was":  func(d *desk) bot.Reply { d.won(); d.ruled("Void"); return d.suggestFor(bob, "show", "match=") },
		"suggest-played-called-off":   func(d *desk) bot.Reply { d.started(); d.resign(alice); return d.suggestFor(bob, "show", "match=") },
		"suggest-played-of-nobody":    func(d *desk) bot.Reply { d.won(); return d.suggestFor(carol, "show", "match=") },
		"suggest-played-without-such": func(d *desk) bot.Reply { d.won(); return d.suggestFor(alice, "show", "match=zebra") },
	},

	"best": {
		"best": func(d *desk) bot.Reply { d.judged(); return d.run(carol, "best") },
		"best-month": func(d *desk) bot.Reply {
			d.judged()
			d.advance(20 * 24 * time.Hour)
			return d.run(carol, "best", "since=month")
		},
		"best-none":   func(d *desk) bot.Reply { d.judged(); d.advance(20 * 24 * time.Hour); return d.run(carol, "best") },
		"best-hidden": func(d *desk) bot.Reply { d.judged(); d.hides(bob); return d.run(carol, "best") },
		"best-in-dm":  func(d *desk) bot.Reply { d.place = inBotDM; return d.run(alice, "best") },
		"best-off":    func(d *desk) bot.Reply { d.opened(); d.pick("policy:features", "replays"); return d.run(alice, "best") },
		"best-unwatched": func(d *desk) bot.Reply {
			d.judged()
			d.opened()
			d.pick("policy:features", "best")
			return d.run(alice, "best")
		},
		"best-watched": func(d *desk) bot.Reply { return d.watched("m6001") },
		"best-watched-elsewhere": func(d *desk) bot.Reply {
			d.judged()
			d.place.channel = "5009"
			d.run(carol, "best")
			return d.pick("replay", "m6001")
		},
		"refused-best-watched-hidden": func(d *desk) bot.Reply {
			d.judged()
			d.run(carol, "best")
			list := d.line
			d.hides(alice)
			d.line = list
			return d.pick("replay", "m6001")
		},
		"refused-best-watched-computer": func(d *desk) bot.Reply { return d.watched("m6008") },
		"refused-best-watched-unknown":  func(d *desk) bot.Reply { return d.watched("zebra") },
		"refused-best-watched-of-another-server": func(d *desk) bot.Reply {
			d.judged()
			d.place.guild = "4002"
			d.run(carol, "best")
			return d.pick("replay", "m6001")
		},
		"refused-best-watched-running": func(d *desk) bot.Reply { d.started(); return d.watched(string(d.id())) },
	},

	"profile": {
		"profile-none":  func(d *desk) bot.Reply { return d.run(alice, "profile") },
		"profile":       func(d *desk) bot.Reply { d.season(); return d.run(alice, "profile") },
		"profile-other": func(d *desk) bot.Reply { d.season(); return d.run(carol, "profile", "player="+bob) },
		"profile-new-season": func(d *desk) bot.Reply {
			d.season()
			d.begins("Spring", "")
			return d.run(bob, "profile", "player="+alice)
		},
		"profile-versus-new-season": func(d *desk) bot.Reply {
			d.season()
			d.begins("Spring", "")
			return d.run(alice, "profile", "versus="+bob)
		},
		"profile-of-a-board": func(d *desk) bot.Reply {
			d.season()
			return d.run(alice, "profile", "board=4x4")
		},
		"profile-reviewed":          func(d *desk) bot.Reply { d.judged(); return d.run(alice, "profile") },
		"profile-reviewed-on-board": func(d *desk) bot.Reply { d.judged(); return d.run(alice, "profile", "board=classic") },
		"profile-versus-reviewed":   func(d *desk) bot.Reply { d.judged(); return d.run(alice, "profile", "versus="+bob) },
		"profile-in-words":          func(d *desk) bot.Reply { d.season(); d.noFiles = true; return d.run(alice, "profile") },
		"profile-refused":           func(d *desk) bot.Reply { d.season(); return inWords(d.run(alice, "profile")) },
		"profile-menu":              func(d *desk) bot.Reply { d.season(); return d.menuOf(carol, "Tic-Tac-Toe profile", bob) },
		"profile-in-dm":             func(d *desk) bot.Reply { d.season(); d.place = inBotDM; return d.run(alice, "profile") },
		"profile-where-no-match-may-begin": func(d *desk) bot.Reply {
			d.season()
			d.opened()
			d.pick("policy:places", "5009")
			d.place = inServer
			return d.run(alice, "profile")
		},
		"profile-hidden-own":      func(d *desk) bot.Reply { d.season(); d.hides(alice); return d.run(alice, "profile") },
		"profile-hidden":          func(d *desk) bot.Reply { d.season(); d.hides(alice); return d.run(bob, "profile", "player="+alice) },
		"profile-hidden-opponent": func(d *desk) bot.Reply { d.season(); d.hides(alice); return d.run(carol, "profile", "player="+bob) },
		"profile-hidden-duel":     func(d *desk) bot.Reply { d.season(); d.hides(alice); return d.run(bob, "profile", "versus="+alice) },
		"profile-versus":          func(d *desk) bot.Reply { d.season(); return d.run(alice, "profile", "versus="+bob) },
		"profile-versus-two":      func(d *desk) bot.Reply { d.season(); return d.run(carol, "profile", "player="+bob, "versus="+alice) },
		"profile-versus-on-a-board": func(d *desk) bot.Reply {
			d.season()
			return d.run(alice, "profile", "versus="+bob, "board=drop")
		},
		"profile-versus-hidden-own": func(d *desk) bot.Reply { d.season(); d.hides(alice); return d.run(alice, "profile", "versus="+bob) },
		"profile-versus-oneself":    func(d *desk) bot.Reply { return d.run(alice, "profile", "versus="+alice) },
		"profile-of-a-bot":          func(d *desk) bot.Reply { return d.run(alice, "profile", "player="+robot) },
		"profile-of-this-bot":       func(d *desk) bot.Reply { return d.menuOf(alice, "Tic-Tac-Toe profile", self) },
		"profile-of-another-in-dm":  func(d *desk) bot.Reply { d.place = inPrivate; return d.run(alice, "profile", "player="+bob) },
		"profile-off": func(d *desk) bot.Reply {
			d.opened()
			d.pick("policy:features")
			return d.run(alice, "profile")
		},
		"leaderboard-found-hidden": func(d *desk) bot.Reply { d.season(); d.hides(alice); return d.run(bob, "leaderboard", "player="+alice) },
		"leaderboard-rating-of-hidden": func(d *desk) bot.Reply {
			d.season()
			d.hides(alice)
			return d.run(bob, "leaderboard", "of=rating", "player="+alice)
		},
		"leaderboard-of-one-who-hides": func(d *desk) bot.Reply { d.season(); d.hides(alice); return d.run(alice, "leaderboard", "of=rating") },
		"leaderboard-press-of-a-hidden": func(d *desk) bot.Reply {
			d.scores(12)
			d.won()
			d.hides(alice)
			d.run(bob, "leaderboard")
			return d.press(alice, "My rank")
		},
		"leaderboard-hidden": func(d *desk) bot.Reply { d.season(); d.hides(alice); return d.run(bob, "leaderboard") },
	},

	"move": {
		"move": func(d *desk) bot.Reply { d.started(); d.flush(); return d.run(alice, "move", "square=b2") },
		"move-against-the-computer": func(d *desk) bot.Reply {
			d.run(alice, "ai", "first=me", "board=infinite")
			d.play("a1 b2", alice)
			return d.run(alice, "move", "square= C2 ")
		},
		"move-that-wins": func(d *desk) bot.Reply {
			d.started()
			d.play("b2 a1 b1 a2", alice, bob)
			return d.run(alice, "move", "square=b3")
		},
		"move-with-the-board-deleted": func(d *desk) bot.Reply {
			d.started()
			d.flush()
			if err := d.store.SaveDeleted(d.t.Context(), d.id(), d.board.id); err != nil {
				d.t.Fatal(err)
			}
			return d.run(alice, "move", "square=b2")
		},
		"move-with-the-board-out-of-reach": func(d *desk) bot.Reply {
			d.place = asGuest
			d.started("clock=24h")
			d.flush()
			d.advance(messages.TokenLife)
			return d.run(alice, "move", "square=b2")
		},
		"suggest-squares":         func(d *desk) bot.Reply { d.started(); d.press(alice, "b2"); return d.suggest(bob, "square=") },
		"suggest-squares-by-name": func(d *desk) bot.Reply { d.started(); return d.suggest(alice, "square= B") },
		"suggest-squares-by-word": func(d *desk) bot.Reply { d.started(); return d.suggest(alice, "square=corner") },
		"suggest-squares-of-another-match": func(d *desk) bot.Reply {
			d.started()
			d.run(alice, "ai", "first=me", "board=drop")
			return d.suggest(alice, "match="+string(d.id()), "square=")
		},
		"suggest-squares-of-the-opponent's-turn": func(d *desk) bot.Reply { d.started(); return d.suggest(bob, "square=") },
		"suggest-squares-of-5x5":                 func(d *desk) bot.Reply { d.started("board=5x5"); return d.suggest(alice, "square=") },
		"suggest-matches": func(d *desk) bot.Reply {
			d.started()
			d.press(alice, "a1")
			d.place.channel = "5004"
			d.run(alice, "ai", "first=me", "board=5x5", "level=easy")
			d.place.channel = "5005"
			d.run(alice, "ai", "first=me", "board=misere")
			return d.suggest(alice, "square=b2", "match=")
		},
		"suggest-matches-by-name": func(d *desk) bot.Reply {
			d.started()
			d.run(alice, "ai", "first=me")
			return d.suggest(alice, "match=BOB")
		},
		"suggest-matches-of-nobody": func(d *desk) bot.Reply { d.started(); return d.suggest(carol, "match=") },
	},

	"games": {
		"games-none": func(d *desk) bot.Reply { return d.run(alice, "games") },
		"games":      func(d *desk) bot.Reply { d.busyDay(); return d.run(alice, "games") },
		"games-lost": func(d *desk) bot.Reply {
			d.started()
			closed := d.id()
			d.run(alice, "ai", "first=me")
			d.flush()
			d.refused(closed)
			if err := d.store.SaveDeleted(d.t.Context(), d.id(), d.board.id); err != nil {
				d.t.Fatal(err)
			}
			return d.run(alice, "games")
		},
		"games-unreadable": func(d *desk) bot.Reply {
			d.started()
			d.commands.Matches = unreadable{d.store}
			return d.run(alice, "games")
		},
		"games-mentions-off": func(d *desk) bot.Reply {
			r := d.run(alice, "games")
			list := &message{id: "9001", components: r.Components, private: true}
			return d.clickOn(alice, list, d.button(r.Components, "Turn pings off"))
		},
		"games-mentions-on": func(d *desk) bot.Reply {
			r := d.run(alice, "games")
			list := &message{id: "9001", components: r.Components, private: true}
			d.clickOn(alice, list, "mentions:off")
			return d.clickOn(alice, list, "mentions:on")
		},
	},

	"settings": {
		"settings":        func(d *desk) bot.Reply { return d.run(alice, "settings") },
		"settings-closed": func(d *desk) bot.Reply { d.run(alice, "settings"); return d.turn(alice, "Turn challenges off") },
		"settings-open":   func(d *desk) bot.Reply { d.closed(alice); return d.turn(alice, "Turn challenges on") },
		"settings-quiet":  func(d *desk) bot.Reply { d.run(alice, "settings"); return d.turn(alice, "Turn pings off") },
		"settings-text":   func(d *desk) bot.Reply { d.run(alice, "settings"); return d.turn(alice, "Use text boards") },
		"settings-hidden": func(d *desk) bot.Reply { return d.hides(alice) },
		"settings-shown":  func(d *desk) bot.Reply { d.hides(alice); return d.turn(alice, "Show my profile") },
		"settings-pictures": func(d *desk) bot.Reply {
			d.run(alice, "settings")
			d.turn(alice, "Use text boards")
			return d.turn(alice, "Use picture boards")
		},
		"settings-blocking": func(d *desk) bot.Reply { return d.blocked(alice, bob, carol) },
		"settings-unblocked": func(d *desk) bot.Reply {
			d.blocked(alice, bob)
			return d.choose(alice)
		},
		"settings-hashed": func(d *desk) bot.Reply {
			d.blocked(alice, bob, carol)
			d.erased(bob)
			return d.run(alice, "settings")
		},
		"settings-language":        func(d *desk) bot.Reply { d.run(alice, "settings"); return d.turn(alice, "🌐 Language") },
		"settings-language-chosen": func(d *desk) bot.Reply { return d.speaks(alice, "en-GB") },
		"settings-language-left": func(d *desk) bot.Reply {
			d.speaks(alice, "en-GB")
			return d.clickedWith(alice, "settings:language", "auto")
		},
		"settings-language-back": func(d *desk) bot.Reply { d.speaks(alice, "en-GB"); return d.turn(alice, "Back") },
		// The custom_id is forged on a public message: it changes the settings of the user who pressed it, and the message stays
		// unchanged.
		"settings-made-by-hand": func(d *desk) bot.Reply { d.started(); return d.click(carol, "settings:nobody") },
	},

	"privacy": {
		"privacy-none": func(d *desk) bot.Reply { return d.run(alice, "privacy") },
		"privacy":      func(d *desk) bot.Reply { d.known(); return d.run(alice, "privacy") },
		"privacy-linked": func(d *desk) bot.Reply {
			d.commands.People.Pages = view.Pages{Privacy: "https://example.com/privacy", Terms: "https://example.com/terms"}
			d.known()
			return d.run(alice, "privacy")
		},
		"privacy-export": func(d *desk) bot.Reply { d.known(); d.run(alice, "privacy"); return d.turn(alice, "Export") },
		"privacy-export-where-no-files-may-be": func(d *desk) bot.Reply {
			d.known()
			d.run(alice, "privacy")
			d.noFiles = true
			return d.turn(alice, "Export")
		},
		"privacy-export-refused": func(d *desk) bot.Reply {
			d.known()
			d.run(alice, "privacy")
			return inWords(d.turn(alice, "Export"))
		},
		"privacy-asked":  func(d *desk) bot.Reply { d.known(); d.run(alice, "privacy"); return d.turn(alice, "Delete everything") },
		"privacy-erased": func(d *desk) bot.Reply { d.known(); return d.erased(alice) },
	},

	// The test makes this screen itself, because it tests how the encoder writes a picture.
	"picture": {
		"picture":          func(d *desk) bot.Reply { return d.pictured() },
		"picture-refused":  func(d *desk) bot.Reply { return inWords(d.pictured()) },
		"picture-in-words": func(d *desk) bot.Reply { d.noFiles = true; return d.pictured() },
	},

	"arena": {
		"arena-form":       func(d *desk) bot.Reply { return d.asksForArena() },
		"arena-form-rated": func(d *desk) bot.Reply { return d.asksForArena("rated=true") },
		"arena-form-boards": func(d *desk) bot.Reply {
			d.opened()
			d.pick("policy:boards", "classic", "4x4")
			return d.asksForArena()
		},
		"arena-form-no-board": func(d *desk) bot.Reply {
			d.opened()
			d.pick("policy:boards", "4x4")
			return d.asksForArena()
		},
		"arena-by-a-player":  func(d *desk) bot.Reply { return d.run(alice, "arena") },
		"arena-in-dm":        func(d *desk) bot.Reply { d.place = inBotDM; return d.run(alice, "arena") },
		"arena-switched-off": func(d *desk) bot.Reply { d.opened(); d.pick("policy:features"); return d.asksForArena() },
		"arena":              func(d *desk) bot.Reply { return d.announces() },
		"arena-starts-wrong": func(d *desk) bot.Reply { return d.announces("starts", "tomorrow") },
		"arena-starts-again": func(d *desk) bot.Reply { d.announces("starts", "31"); return d.turn(carol, "Try again") },
		"arena-starts-right": func(d *desk) bot.Reply {
			d.announces("starts", "31")
			d.turn(carol, "Try again")
			d.routes["modal newarena"] = true
			in := d.interaction(carol, discordgo.InteractionModalSubmit, discordgo.ModalSubmitInteractionData{CustomID: "newarena:casual"})
			in.Inputs = map[string]string{"board": "drop", "lasts": "20m0s", "clock": "30s", "starts": "30", "name": "Friday"}
			d.line.clicked(d, in)
			return d.handle(in)
		},
		"arena-lasts-wrong":    func(d *desk) bot.Reply { return d.announces("lasts", "9m") },
		"arena-taken":          func(d *desk) bot.Reply { d.announces(); return d.announces() },
		"arena-open":           func(d *desk) bot.Reply { d.announced(); return d.run(bob, "arena") },
		"arena-join":           func(d *desk) bot.Reply { d.announced(); return d.press(alice, "Join") },
		"arena-leave":          func(d *desk) bot.Reply { d.announced(); d.press(alice, "Join"); return d.press(alice, "Leave") },
		"arena-leave-stranger": func(d *desk) bot.Reply { d.announced(); return d.press(alice, "Leave") },
		"arena-pause": func(d *desk) bot.Reply {
			d.announced()
			d.press(alice, "Join")
			return d.click(alice, "arena:"+string(d.arena().ID)+":pause")
		},
		"arena-resume": func(d *desk) bot.Reply {
			d.announced()
			d.press(alice, "Join")
			d.turn(alice, "Leave")
			return d.turn(alice, "Join")
		},
		"arena-standings": func(d *desk) bot.Reply { d.announced(); d.press(alice, "Join"); return d.press(alice, "Standings") },
		"arena-off-ask": func(d *desk) bot.Reply {
			d.announces()
			d.press(carol, "Standings")
			return d.turn(carol, "Call it off")
		},
		"arena-off": func(d *desk) bot.Reply { d.announces(); return d.callsOff(carol) },
		"arena-closed": func(d *desk) bot.Reply {
			d.announces()
			shown := d.board
			d.callsOff(carol)
			d.place = inServer
			return d.clickOn(alice, shown, d.button(shown.components, "Join"))
		},
		"arena-full": func(d *desk) bot.Reply {
			d.announced()
			for i := range arena.MaxEntrants {
				d.press(fmt.Sprint(2000+i), "Join")
			}
			return d.press(alice, "Join")
		},
		"arena-unknown": func(d *desk) bot.Reply { d.announced(); return d.clickOn(alice, d.board, "arena:0:join") },
		"arena-banned": func(d *desk) bot.Reply {
			d.arenaRuled()
			d.removes(bob)
			d.place = inServer
			return d.press(bob, "Join")
		},
		"arenas":      func(d *desk) bot.Reply { d.announced(); d.opened(); return d.turn(carol, "Arenas") },
		"arenas-none": func(d *desk) bot.Reply { d.opened(); return d.turn(carol, "Arenas") },
		"arenas-by-everyone": func(d *desk) bot.Reply {
			d.opened()
			d.turn(carol, "Arenas")
			return d.turn(carol, "Let anyone start arenas")
		},
		"arenas-by-moderators": func(d *desk) bot.Reply {
			d.opened()
			d.turn(carol, "Arenas")
			d.turn(carol, "Let anyone start arenas")
			return d.turn(carol, "Arenas: moderators only")
		},
		"arena-ruling":         func(d *desk) bot.Reply { return d.arenaRuled() },
		"arena-ruling-unknown": func(d *desk) bot.Reply { d.opened(); return d.pick("pickarena", "0") },
		"arena-remove":         func(d *desk) bot.Reply { d.arenaRuled(); return d.removes(bob) },
		"arena-remove-other":   func(d *desk) bot.Reply { d.arenaRuled(); return d.removes(carol) },
	},
	"admin": {
		"admin":        func(d *desk) bot.Reply { return d.opened() },
		"admin-places": func(d *desk) bot.Reply { d.opened(); return d.pick("policy:places", "5001", "5009") },
		"admin-anywhere": func(d *desk) bot.Reply {
			d.opened()
			d.pick("policy:places", "5001")
			return d.pick("policy:places")
		},
		"admin-clock":   func(d *desk) bot.Reply { d.opened(); return d.pick("policy:clock", "1h") },
		"admin-levels":  func(d *desk) bot.Reply { d.opened(); return d.pick("policy:levels", "hard", "easy") },
		"admin-told":    func(d *desk) bot.Reply { return d.tells() },
		"admin-untold":  func(d *desk) bot.Reply { d.tells(); return d.pick("policy:told") },
		"admin-quiet":   func(d *desk) bot.Reply { d.opened(); return d.turn(carol, "Turn pings off") },
		"admin-unrated": func(d *desk) bot.Reply { d.opened(); return d.turn(carol, "Turn ratings off") },
		"admin-rated": func(d *desk) bot.Reply {
			d.opened()
			d.turn(carol, "Turn ratings off")
			return d.turn(carol, "Turn ratings on")
		},
		"admin-loud": func(d *desk) bot.Reply {
			d.opened()
			d.turn(carol, "Turn pings off")
			return d.turn(carol, "Turn pings on")
		},
		"admin-features-off": func(d *desk) bot.Reply { d.opened(); return d.pick("policy:features") },
		"admin-features-on": func(d *desk) bot.Reply {
			d.opened()
			d.pick("policy:features")
			return d.pick("policy:features", "profiles")
		},
		"admin-running-none": func(d *desk) bot.Reply { d.opened(); return d.turn(carol, "Matches in progress") },
		"admin-running": func(d *desk) bot.Reply {
			d.started()
			d.run(bob, "ai", "first=me")
			d.flush()
			d.opened()
			return d.turn(carol, "Matches in progress")
		},
		"admin-running-next": func(d *desk) bot.Reply {
			d.open(alice, 23)
			d.opened()
			d.turn(carol, "Matches in progress")
			return d.turn(carol, "Next")
		},
		"admin-ended": func(d *desk) bot.Reply { d.won(); d.flush(); d.opened(); return d.turn(carol, "Finished matches") },
		"admin-match": func(d *desk) bot.Reply { d.started(); d.opened(); return d.pick("pick", string(d.id())) },
		"admin-match-ended": func(d *desk) bot.Reply {
			d.won()
			d.opened()
			return d.pick("pick", string(d.id()))
		},
		"admin-draw": func(d *desk) bot.Reply { d.started(); d.picked(); return d.turn(carol, "End as a draw") },
		"admin-void": func(d *desk) bot.Reply { d.won(); d.picked(); return d.turn(carol, "Void") },
		"admin-void-twice": func(d *desk) bot.Reply {
			d.won()
			d.picked()
			again := d.line
			d.turn(carol, "Void")
			return d.clickOn(carol, again, "rule:void:"+string(d.id()))
		},
		"admin-audit-log-none": func(d *desk) bot.Reply { d.opened(); return d.turn(carol, "Recent actions") },
		"admin-audit-log":      func(d *desk) bot.Reply { return d.entries() },
		"admin-audit-log-next": func(d *desk) bot.Reply { d.entries(); return d.turn(carol, "Next") },
		"admin-reset-asked": func(d *desk) bot.Reply {
			d.opened()
			return d.turn(carol, "Reset leaderboards")
		},
		"admin-reset":       func(d *desk) bot.Reply { d.won(); d.opened(); return d.reset() },
		"admin-undo-void":   func(d *desk) bot.Reply { d.won(); d.picked(); d.turn(carol, "Void"); return d.turn(carol, "Undo") },
		"admin-undo-reset":  func(d *desk) bot.Reply { d.won(); d.opened(); d.reset(); return d.turn(carol, "Undo") },
		"admin-undo-season": func(d *desk) bot.Reply { d.begins("Winter", ""); return d.turn(carol, "Undo") },
		"admin-undo-setting": func(d *desk) bot.Reply {
			d.opened()
			d.turn(carol, "Turn pings off")
			return d.undoLatest()
		},
		"admin-undo-from-the-log": func(d *desk) bot.Reply {
			d.won()
			d.picked()
			d.turn(carol, "Void")
			d.opened()
			d.reset()
			d.flush()
			d.undoLatest()
			return d.turn(carol, "Recent actions")
		},
		"admin-reset-back": func(d *desk) bot.Reply {
			d.opened()
			d.reset()
			return d.turn(carol, "Settings")
		},
		"admin-language":        func(d *desk) bot.Reply { d.opened(); return d.turn(carol, "🌐 Language") },
		"admin-language-chosen": func(d *desk) bot.Reply { return d.serverSpeaks("en-GB") },
		"admin-language-left":   func(d *desk) bot.Reply { d.serverSpeaks("en-GB"); return d.pick("policy:language", "auto") },
		"admin-language-none":   func(d *desk) bot.Reply { return d.serverSpeaks("tlh") },
		"admin-language-deeds": func(d *desk) bot.Reply {
			d.serverSpeaks("en-GB")
			d.turn(carol, "Settings")
			return d.turn(carol, "Recent actions")
		},
		"admin-ranks-none": func(d *desk) bot.Reply { d.opened(); return d.turn(carol, "Roles for ranks") },
		"admin-rank":       func(d *desk) bot.Reply { return d.ranks(toldRole) },
		"admin-rank-board": func(d *desk) bot.Reply { d.ranks(toldRole); return d.pick("rank:board:7001:classic", "drop") },
		"admin-rank-set":   func(d *desk) bot.Reply { d.ranks(toldRole); return d.pick("rank:merit:7001:drop", "top3") },
		"admin-rank-moved": func(d *desk) bot.Reply {
			d.ranks(toldRole)
			d.pick("rank:merit:7001:classic", "rated1600")
			return d.pick("rank:board:7001:classic", "4x4")
		},
		"admin-rank-stopped": func(d *desk) bot.Reply {
			d.ranks(toldRole)
			d.pick("rank:merit:7001:classic", "top1")
			return d.turn(carol, "Stop giving it")
		},
		"admin-rank-too-high": func(d *desk) bot.Reply { d.ranks(highRole); return d.pick("rank:merit:7004:classic", "champion") },
		"admin-ranks": func(d *desk) bot.Reply {
			d.ranks(highRole)
			d.pick("rank:merit:7004:classic", "champion")
			d.turn(carol, "Back")
			d.pick("rank:role", toldRole)
			d.pick("rank:merit:7001:classic", "top10")
			return d.turn(carol, "Back")
		},
		"admin-ranks-unknown": func(d *desk) bot.Reply {
			d.ranks(toldRole)
			d.pick("rank:merit:7001:classic", "top1")
			d.roles.err = errors.New("HTTP 503")
			return d.turn(carol, "Back")
		},
		"admin-ranks-deleted": func(d *desk) bot.Reply { d.deletesRankRole(); return d.turn(carol, "Back") },
		"admin-ranks-deleted-stopped": func(d *desk) bot.Reply {
			d.deletesRankRole()
			d.turn(carol, "Back")
			return d.turn(carol, "Remove the deleted role")
		},
		"admin-rank-deeds": func(d *desk) bot.Reply {
			d.ranks(toldRole)
			d.pick("rank:merit:7001:classic", "top3")
			d.pick("rank:merit:7001:classic", "top3")
			d.turn(carol, "Stop giving it")
			d.turn(carol, "Back")
			d.turn(carol, "Settings")
			return d.turn(carol, "Recent actions")
		},
		"admin-people":                   func(d *desk) bot.Reply { d.opened(); return d.turn(carol, "People") },
		"admin-person":                   func(d *desk) bot.Reply { return d.looksAt(bob) },
		"admin-person-asked":             func(d *desk) bot.Reply { d.looksAt(bob); return d.turn(carol, "Bar…") },
		"admin-person-barred":            func(d *desk) bot.Reply { d.started(); return d.bars(bob, "2027-01-31", "void") },
		"admin-person-barred-for-a-week": func(d *desk) bot.Reply { d.started(); d.bars(bob, "", "goon"); return d.barsFor("7", bob, " ", "goon") },
		"admin-person-barred-again":      func(d *desk) bot.Reply { d.bars(bob, "", "void"); return d.bars(bob, "", "void") },
		"admin-person-unbarred": func(d *desk) bot.Reply {
			d.bars(bob, "", "goon")
			return d.turn(carol, "Lift the bar")
		},
		"admin-person-unbarred-twice": func(d *desk) bot.Reply {
			d.bars(bob, "", "goon")
			d.turn(carol, "Lift the bar")
			d.clickOn(carol, d.line, "person:unbar:"+bob)
			d.opened()
			return d.turn(carol, "Recent actions")
		},
		"admin-person-off": func(d *desk) bot.Reply { d.won(); d.looksAt(alice); return d.turn(carol, "Take off leaderboards") },
		"admin-person-on": func(d *desk) bot.Reply {
			d.looksAt(alice)
			d.turn(carol, "Take off leaderboards")
			return d.turn(carol, "Put back on leaderboards")
		},
		"admin-people-listed": func(d *desk) bot.Reply {
			d.bars(bob, "2027-01-31", "void")
			d.looksAt(alice)
			d.turn(carol, "Take off leaderboards")
			return d.turn(carol, "Back")
		},
		"admin-person-deeds": func(d *desk) bot.Reply {
			d.started()
			d.bars(bob, "2027-01-31", "void")
			d.turn(carol, "Lift the bar")
			d.turn(carol, "Back")
			d.turn(carol, "Settings")
			return d.turn(carol, "Recent actions")
		},
		// The custom_id of a moderator's button is forged on a public message, so the message stays unchanged.
		"admin-on-a-board": func(d *desk) bot.Reply { d.started(); d.place = inCharge; return d.click(carol, "admin:policy:1") },
	},

	"puzzle": {
		"puzzle":               func(d *desk) bot.Reply { return d.asks() },
		"puzzle-in-dm":         func(d *desk) bot.Reply { d.place = inBotDM; return d.asks() },
		"puzzle-brought-along": func(d *desk) bot.Reply { d.place = asGuest; return d.asks() },
		"puzzle-of-labels": func(d *desk) bot.Reply {
			d.run(alice, "settings")
			d.turn(alice, "Use text boards")
			return d.asks()
		},
		"puzzle-right":    func(d *desk) bot.Reply { return d.tries("a3") },
		"puzzle-wrong":    func(d *desk) bot.Reply { return d.tries("a2") },
		"puzzle-last-try": func(d *desk) bot.Reply { return d.tries("a2", "a1") },
		"puzzle-taken":    func(d *desk) bot.Reply { return d.tries("c1") },
		"puzzle-solved":   func(d *desk) bot.Reply { return d.tries("a3", "a1") },
		"puzzle-solved-late": func(d *desk) bot.Reply {
			d.tries("a2", "a3")
			d.advance(20 * time.Hour)
			return d.clickOn(alice, d.line, d.square("a1"))
		},
		"puzzle-of-yesterday": func(d *desk) bot.Reply {
			d.tries("a3")
			d.advance(20 * time.Hour)
			d.asks()
			return d.turn(alice, "Finish yesterday's")
		},
		"puzzle-after-an-unfinished-one": func(d *desk) bot.Reply {
			d.tries("a3")
			d.advance(20 * time.Hour)
			return d.asks()
		},
		"puzzle-failed": func(d *desk) bot.Reply { return d.tries("a2", "a1", "a3", "a2") },
		"puzzle-shared": func(d *desk) bot.Reply { d.tries("a2", "a3", "a1"); return d.turn(alice, "Share") },
		"puzzle-posted": func(d *desk) bot.Reply {
			d.tries("a2", "a3", "a1")
			d.turn(alice, "Share")
			return d.turn(alice, "Post here")
		},
		"puzzle-posted-failed": func(d *desk) bot.Reply {
			d.tries("a2", "a1", "a3", "a2")
			d.turn(alice, "Share")
			return d.turn(alice, "Post here")
		},
		"puzzle-shared-too-early": func(d *desk) bot.Reply {
			d.asks()
			return d.clickOn(alice, d.line, "puzzle:share:2026-11-23")
		},
		"puzzle-solvers-none": func(d *desk) bot.Reply { d.asks(); return d.turn(alice, "Who solved it") },
		"puzzle-solvers": func(d *desk) bot.Reply {
			d.tries("a2", "a3", "a1")
			d.advance(time.Minute)
			return d.turn(alice, "List me here")
		},
		"puzzle-solvers-elsewhere": func(d *desk) bot.Reply {
			d.place = inBotDM
			d.asks()
			return d.clickOn(alice, d.line, "puzzle:solvers:2026-11-23")
		},
		"puzzle-listed-in-settings": func(d *desk) bot.Reply { d.run(alice, "settings"); return d.turn(alice, "List me here") },
		"puzzle-off":                func(d *desk) bot.Reply { d.opened(); d.pick("policy:features"); return d.asks() },
		"puzzle-admin-off": func(d *desk) bot.Reply {
			d.choosesPost()
			d.pick("policy:features")
			return d.turn(carol, "Daily puzzle")
		},
		"puzzle-post": func(d *desk) bot.Reply { return d.posts() },
		"puzzle-post-pressed": func(d *desk) bot.Reply {
			d.board = &message{id: "9001", components: d.posts().Components}
			return d.press(bob, "Solve")
		},
		"puzzle-post-of-yesterday-pressed": func(d *desk) bot.Reply {
			d.board = &message{id: "9001", components: d.posts().Components}
			d.advance(24 * time.Hour)
			return d.press(bob, "Solve")
		},
		"puzzle-admin":         func(d *desk) bot.Reply { d.opened(); return d.turn(carol, "Daily puzzle") },
		"puzzle-admin-chosen":  func(d *desk) bot.Reply { return d.choosesPost() },
		"puzzle-admin-stopped": func(d *desk) bot.Reply { d.choosesPost(); return d.turn(carol, "Stop posting it") },
		"puzzle-admin-closed": func(d *desk) bot.Reply {
			d.choosesPost()
			d.closePost()
			d.opened()
			return d.turn(carol, "Daily puzzle")
		},
		"puzzle-admin-opened": func(d *desk) bot.Reply {
			d.choosesPost()
			d.closePost()
			return d.choosesPost()
		},
		"calendar-admin-closed": func(d *desk) bot.Reply {
			d.shut = "5001"
			return d.choosesLeaderboardPost()
		},
		"calendar-admin":        func(d *desk) bot.Reply { d.opened(); return d.turn(carol, "Leaderboard posts") },
		"calendar-admin-chosen": func(d *desk) bot.Reply { return d.choosesLeaderboardPost() },
		"calendar-admin-monthly": func(d *desk) bot.Reply {
			d.choosesLeaderboardPost()
			d.pick("policy:postsboard", "rating drop")
			d.turn(carol, "Always edit the same post")
			return d.pick("policy:postsevery", "month")
		},
		"calendar-admin-anew": func(d *desk) bot.Reply {
			d.choosesLeaderboardPost()
			d.turn(carol, "Always edit the same post")
			return d.turn(carol, "Make a new post each time")
		},
		"calendar-admin-stopped": func(d *desk) bot.Reply { d.choosesLeaderboardPost(); return d.turn(carol, "Stop posting it") },
		"calendar-admin-stopped-meanwhile": func(d *desk) bot.Reply {
			d.choosesLeaderboardPost()
			d.turn(carol, "Stop posting it")
			return d.pick("policy:postsevery", "month")
		},
		"calendar-admin-forged":       func(d *desk) bot.Reply { d.choosesLeaderboardPost(); return d.pick("policy:posts", "@everyone") },
		"calendar-admin-forged-every": func(d *desk) bot.Reply { d.choosesLeaderboardPost(); return d.pick("policy:postsevery", "day") },
		"calendar-admin-forged-board": func(d *desk) bot.Reply { d.choosesLeaderboardPost(); return d.pick("policy:postsboard", "rating 6x6") },
		"calendar-in-the-audit-log": func(d *desk) bot.Reply {
			d.choosesLeaderboardPost()
			d.pick("policy:postsboard", "rating drop")
			d.turn(carol, "Stop posting it")
			d.choosesPost()
			d.closePost()
			d.opened()
			return d.turn(carol, "Recent actions")
		},
		"calendar-post-people": func(d *desk) bot.Reply { d.won(); return d.posted("players") },
		"calendar-post-pressed": func(d *desk) bot.Reply {
			d.won()
			d.board = &message{id: "9001", components: d.posted("players").Components}
			return d.press(bob, "Whole leaderboard")
		},
		"puzzle-admin-forged": func(d *desk) bot.Reply { d.choosesPost(); return d.pick("policy:puzzles", "@everyone") },
		"puzzle-in-the-audit-log": func(d *desk) bot.Reply {
			d.choosesPost()
			d.turn(carol, "Stop posting it")
			d.opened()
			return d.turn(carol, "Recent actions")
		},
	},

	"season": {
		"season-none":       func(d *desk) bot.Reply { d.opened(); return d.turn(carol, "Season") },
		"season-asked":      func(d *desk) bot.Reply { return d.asksForSeason() },
		"season-begun":      func(d *desk) bot.Reply { return d.begins("Winter", "2026-03-01") },
		"season-endless":    func(d *desk) bot.Reply { return d.begins(" The *long*\n@everyone one ", " ") },
		"season-in-silence": func(d *desk) bot.Reply { d.noPosts = true; return d.begins("Winter", "") },
		"season-brought-along": func(d *desk) bot.Reply {
			asked := d.asksForSeason()
			d.place.installed = false
			return d.fillIn(carol, asked.Modal.CustomID, "name", "Winter", "date", "")
		},
		"season-now": func(d *desk) bot.Reply {
			d.begins("Winter", "2026-03-01")
			d.turn(carol, "Settings")
			return d.turn(carol, "Season")
		},
		"season-next": func(d *desk) bot.Reply {
			d.begins("Winter", "2026-03-01")
			d.advance(time.Hour)
			return d.begins("Winter again", "")
		},
		"season-champions": func(d *desk) bot.Reply { d.wonSeason(); return d.champions() },
		"season-champions-shown": func(d *desk) bot.Reply {
			d.wonSeason()
			d.board = &message{id: "9001", components: d.champions().Components}
			return d.press(bob, "Final leaderboards")
		},
		"season-of-a-name":    func(d *desk) bot.Reply { d.wonSeason(); return d.run(alice, "leaderboard", "season=winter *ONE*") },
		"season-of-a-number":  func(d *desk) bot.Reply { d.wonSeason(); return d.run(alice, "leaderboard", "season=0", "of=rating") },
		"season-that-goes-on": func(d *desk) bot.Reply { d.wonSeason(); return d.run(alice, "leaderboard", "season=2") },
		"season-picked": func(d *desk) bot.Reply {
			d.wonSeason()
			d.run(alice, "leaderboard", "of=rating", "board=infinite")
			return d.handle(d.clicking(bob, d.board, "seasons:rating:infinite", "1"))
		},
		"season-and-another-board": func(d *desk) bot.Reply {
			d.wonSeason()
			d.run(alice, "leaderboard", "season=1")
			return d.handle(d.clicking(bob, d.board, "ranking:players:all:1", "rating"))
		},
		"season-suggested":           func(d *desk) bot.Reply { d.wonSeason(); return d.suggestFor(alice, "leaderboard", "season=") },
		"season-suggested-by-name":   func(d *desk) bot.Reply { d.wonSeason(); return d.suggestFor(alice, "leaderboard", "season=WINT") },
		"season-suggested-by-number": func(d *desk) bot.Reply { d.wonSeason(); return d.suggestFor(alice, "leaderboard", "season=2") },
		"season-suggested-in-vain":   func(d *desk) bot.Reply { return d.suggestFor(alice, "leaderboard", "season=") },
		"season-suggested-elsewhere": func(d *desk) bot.Reply { d.place = inBotDM; return d.suggestFor(alice, "leaderboard", "season=") },
		"season-in-the-audit-log": func(d *desk) bot.Reply {
			d.begins("Winter *one*", "")
			return d.turn(carol, "Recent actions")
		},
	},

	"help": {
		"help":            func(d *desk) bot.Reply { return d.run(alice, "help") },
		"help-topic":      func(d *desk) bot.Reply { d.run(carol, "help"); return d.pick("topic", "boards") },
		"help-topic-none": func(d *desk) bot.Reply { d.run(carol, "help"); return d.pick("topic", "none") },
	},

	"refused": {
		"refused-move-nonsense": func(d *desk) bot.Reply { d.started(); return d.run(alice, "move", "square=@everyone") },
		"refused-move-taken": func(d *desk) bot.Reply {
			d.started("board=drop")
			d.press(alice, "c4")
			return d.run(bob, "move", "square=c4")
		},
		"refused-move-out-of-turn":     func(d *desk) bot.Reply { d.started(); return d.run(bob, "move", "square=b2") },
		"refused-move-without-a-match": func(d *desk) bot.Reply { return d.run(alice, "move", "square=b2") },
		"refused-move-of-several": func(d *desk) bot.Reply {
			d.started()
			d.run(alice, "ai", "first=me")
			return d.run(alice, "move", "square=b2")
		},
		"refused-move-waiting": func(d *desk) bot.Reply {
			for range 2 {
				d.started()
				d.press(alice, "b2")
			}
			return d.run(alice, "move", "square=a1")
		},
		"refused-move-in-a-match-of-others": func(d *desk) bot.Reply {
			d.started()
			return d.run(carol, "move", "square=b2", "match="+string(d.id()))
		},
		"refused-move-late": func(d *desk) bot.Reply {
			d.started()
			d.advance(time.Minute)
			return d.run(alice, "move", "square=b2")
		},
		"refused-review":         func(d *desk) bot.Reply { d.started(); return d.click(alice, "review:"+string(d.id())) },
		"refused-review-aborted": func(d *desk) bot.Reply { d.started(); d.resign(alice); return d.click(alice, "review:"+string(d.id())) },
		"refused-review-of-another": func(d *desk) bot.Reply {
			d.won()
			other := string(d.id())
			d.started()
			return d.click(carol, "review:"+other)
		},
		"refused-review-unmoved": func(d *desk) bot.Reply {
			d.started()
			d.advance(time.Minute)
			d.press(bob, "b2") // no move was made in time
			return d.click(alice, "review:"+string(d.id()))
		},
		"refused-show-elsewhere": func(d *desk) bot.Reply { d.started(); d.place.guild = "4002"; return d.show(alice) },
		"refused-show-stranger":  func(d *desk) bot.Reply { d.started(); return d.click(carol, "show:"+string(d.id())) },
		"refused-show-finished":  func(d *desk) bot.Reply { d.won(); return d.click(alice, "show:"+string(d.id())) },
		"refused-stranger":       func(d *desk) bot.Reply { d.started(); return d.press(carol, "b2") },
		"refused-turn":           func(d *desk) bot.Reply { d.started(); return d.press(bob, "b2") },
		"refused-taken":          func(d *desk) bot.Reply { d.started(); d.play("b2", alice); return d.press(bob, "b2") },
		"refused-square": func(d *desk) bot.Reply {
			d.started()
			return d.click(alice, strings.Replace(d.button(d.board.components, "b2"), "b2", "e5", 1))
		},
		"refused-stranger-who-plays": func(d *desk) bot.Reply {
			d.started()
			theirs := d.board
			d.run(carol, "ai", "first=me")
			return d.clickOn(carol, theirs, d.button(theirs.components, "b2"))
		},
		"refused-stranger-in-arena": func(d *desk) bot.Reply {
			d.announced()
			d.press(carol, "Join")
			m := d.pairs(alice, bob)
			d.commands.Redraw.Enqueue(m.ID)
			d.flush()
			return d.clickOn(carol, &message{id: d.shown(m.ID).Message}, "play:"+string(m.ID)+":0:b2")
		},
		"refused-stranger-resigns": func(d *desk) bot.Reply { d.started(); return d.press(carol, "Resign") },
		"refused-stranger-rematch": func(d *desk) bot.Reply { d.won(); return d.press(carol, "Rematch") },
		"refused-own-rematch":      func(d *desk) bot.Reply { d.won(); d.press(bob, "Rematch"); return d.press(bob, "Accept rematch") },
		"refused-own-challenge":    func(d *desk) bot.Reply { d.challenge(); return d.press(alice, "Accept") },
		"refused-third-person":     func(d *desk) bot.Reply { d.challenge(); return d.press(carol, "Accept") },
		"refused-withdraw":         func(d *desk) bot.Reply { d.challenge(); return d.press(bob, "Withdraw") },
		"refused-withdraw-third":   func(d *desk) bot.Reply { d.challenge(); return d.press(carol, "Withdraw") },
		"refused-challenge-over":   func(d *desk) bot.Reply { d.started(); return d.click(carol, "accept:"+string(d.id())) },
		"refused-open-own":         func(d *desk) bot.Reply { d.seeks(); return d.press(alice, "Play") },
		"refused-open-taken": func(d *desk) bot.Reply {
			d.seeks()
			id := d.id()
			d.press(bob, "Play")
			return d.click(carol, "accept:"+string(id))
		},
		"refused-open-blocked": func(d *desk) bot.Reply {
			d.seeks()
			d.blocked(alice, bob)
			return d.press(bob, "Play")
		},
		"refused-open-pending":  func(d *desk) bot.Reply { d.seeks(); d.flush(); return d.seeks("board=5x5") },
		"refused-open-dm":       func(d *desk) bot.Reply { d.place = inBotDM; return d.seeks() },
		"refused-open-external": func(d *desk) bot.Reply { d.place = asSilent; return d.seeks() },
		"refused-open-off": func(d *desk) bot.Reply {
			d.opened()
			d.pick("policy:features", "profiles")
			d.place = inServer
			return d.seeks()
		},
		"refused-missed": func(d *desk) bot.Reply {
			for range 3 {
				d.started()
				d.advance(time.Minute)
				d.press(bob, "b2")
			}
			return d.run(alice, "challenge", "opponent="+carol)
		},
		"refused-self": func(d *desk) bot.Reply { return d.run(alice, "challenge", "opponent="+alice) },
		"refused-bot":  func(d *desk) bot.Reply { return d.run(alice, "challenge", "opponent="+robot) },
		"refused-absent": func(d *desk) bot.Reply {
			in := d.typed(alice, "challenge", "opponent="+bob)
			delete(in.ApplicationCommandData().Resolved.Members, bob)
			return d.handle(in)
		},
		"refused-unseen": func(d *desk) bot.Reply {
			in := d.typed(alice, "challenge", "opponent="+bob)
			in.ApplicationCommandData().Resolved.Members[bob].Permissions = discordgo.PermissionSendMessages
			return d.handle(in)
		},
		"refused-timed-out": func(d *desk) bot.Reply {
			in := d.typed(alice, "challenge", "opponent="+bob)
			later := in.Received.Add(time.Minute)
			in.ApplicationCommandData().Resolved.Members[bob].CommunicationDisabledUntil = &later
			return d.handle(in)
		},
		"refused-dm":       func(d *desk) bot.Reply { d.place = inBotDM; return d.challenge() },
		"refused-external": func(d *desk) bot.Reply { d.place = asSilent; return d.challenge() },
		"refused-pending": func(d *desk) bot.Reply {
			d.challenge()
			return d.challenge()
		},
		"refused-pending-received": func(d *desk) bot.Reply {
			d.challenge()
			return d.run(bob, "challenge", "opponent="+alice)
		},
		"refused-limit-yours":  func(d *desk) bot.Reply { d.open(alice, 5); return d.challenge() },
		"refused-limit-theirs": func(d *desk) bot.Reply { d.open(bob, 5); return d.challenge() },
		"refused-limit-theirs-accept": func(d *desk) bot.Reply {
			d.challenge()
			d.open(alice, 5)
			return d.press(bob, "Accept")
		},
		"refused-limit-posts":   func(d *desk) bot.Reply { d.flooded(); return d.challenge() },
		"refused-limit-pair":    func(d *desk) bot.Reply { d.started(); d.started(); return d.challenge() },
		"refused-admin-unknown": func(d *desk) bot.Reply { d.place = inSilence; return d.run(carol, "admin") },
		"refused-level":         func(d *desk) bot.Reply { return d.run(alice, "ai", "level=godlike") },
		"refused-level-button":  func(d *desk) bot.Reply { d.started(); return d.click(alice, "computer:godlike") },
		"refused-malformed":     func(d *desk) bot.Reply { d.started(); return d.click(alice, "play:::") },
		"refused-verb":          func(d *desk) bot.Reply { d.started(); return d.click(alice, "explode:1") },
		"refused-command":       func(d *desk) bot.Reply { return d.run(alice, "tournament") },
		"refused-admin":         func(d *desk) bot.Reply { return d.run(alice, "admin") },
		"refused-admin-dm":      func(d *desk) bot.Reply { d.place = inBotDM; return d.run(alice, "admin") },
		"refused-admin-demoted": func(d *desk) bot.Reply { d.opened(); d.place = inServer; return d.turn(carol, "Turn pings off") },
		"refused-admin-page":    func(d *desk) bot.Reply { d.opened(); return d.clickOn(carol, d.line, "admin:backdoor:1") },
		"refused-admin-ruling": func(d *desk) bot.Reply {
			d.started()
			d.picked()
			return d.clickOn(carol, d.line, "rule:burn:"+string(d.id()))
		},
		"refused-admin-no-places": func(d *desk) bot.Reply { d.opened(); return d.pick("policy:places", "general") },
		"refused-admin-everyone":  func(d *desk) bot.Reply { d.opened(); return d.pick("policy:told", guild) },
		"refused-admin-bot-role":  func(d *desk) bot.Reply { d.opened(); return d.pick("policy:told", botRole) },
		"refused-barred":          func(d *desk) bot.Reply { d.bars(bob, "", "goon"); d.place = inServer; return d.run(bob, "ai") },
		"refused-barred-until": func(d *desk) bot.Reply {
			d.bars(bob, "2027-01-31", "goon")
			d.place = inServer
			return d.run(bob, "leaderboard")
		},
		"refused-barred-opponent": func(d *desk) bot.Reply { d.bars(bob, "", "goon"); d.place = inServer; return d.challenge() },
		"refused-barred-button": func(d *desk) bot.Reply {
			d.started()
			d.play("a1 a2 b1 b2 c1", alice, bob)
			d.bars(bob, "", "goon")
			d.place = inServer
			return d.click(bob, "rematch:"+string(d.id())+":7")
		},
		"refused-barred-profile": func(d *desk) bot.Reply {
			d.bars(bob, "", "goon")
			d.place = inServer
			return d.run(bob, "profile", "player=alice")
		},
		"refused-barred-server": func(d *desk) bot.Reply { d.closes(); return d.run(carol, "admin") },
		"refused-bar-oneself":   func(d *desk) bot.Reply { d.looksAt(carol); return d.turn(carol, "Bar…") },
		"refused-bar-bot":       func(d *desk) bot.Reply { return d.looksAt(robot) },
		"refused-bar-date":      func(d *desk) bot.Reply { return d.bars(bob, "2020-01-31", "goon") },
		"refused-bar-words":     func(d *desk) bot.Reply { return d.bars(bob, "7 days", "void") },
		"refused-bar-length":    func(d *desk) bot.Reply { return d.barsFor("8", bob, "", "goon") },
		"refused-bar-choice":    func(d *desk) bot.Reply { return d.bars(bob, "", "burn") },
		"refused-rank": func(d *desk) bot.Reply {
			d.opened()
			d.turn(carol, "Roles for ranks")
			return d.pick("rank:role", toldRole)
		},
		"refused-rank-powerful": func(d *desk) bot.Reply { return d.ranks(staffRole) },
		"refused-rank-managed":  func(d *desk) bot.Reply { return d.ranks(botRole) },
		"refused-rank-missing":  func(d *desk) bot.Reply { return d.ranks("7009") },
		"refused-rank-merit":    func(d *desk) bot.Reply { d.ranks(toldRole); return d.pick("rank:merit:7001:classic", "top2") },
		"refused-rank-board":    func(d *desk) bot.Reply { d.ranks(toldRole); return d.pick("rank:board:7001:classic", "6x6") },
		"refused-rank-full": func(d *desk) bot.Reply {
			for i := range rankrole.MaxRules {
				role := fmt.Sprint(8000 + i)
				d.roles.server.Roles[role] = rankrole.Role{Below: true}
				d.ranks(role)
				d.pick("rank:merit:"+role+":classic", "top1")
			}
			return d.ranks(toldRole)
		},
		"refused-admin-roles":     func(d *desk) bot.Reply { d.opened(); return d.pick("policy:told", toldRole, "7003") },
		"refused-admin-no-role":   func(d *desk) bot.Reply { d.opened(); return d.pick("policy:told", "players") },
		"refused-admin-clock":     func(d *desk) bot.Reply { d.opened(); return d.pick("policy:clock", "7y") },
		"refused-admin-levels":    func(d *desk) bot.Reply { d.opened(); return d.pick("policy:levels", "godlike") },
		"refused-admin-no-levels": func(d *desk) bot.Reply { d.opened(); return d.pick("policy:levels") },
		"refused-admin-nothing":   func(d *desk) bot.Reply { d.opened(); return d.pick("policy:wallpaper", "red") },
		"refused-admin-pick":      func(d *desk) bot.Reply { d.opened(); return d.pick("pick", "'; DROP TABLE matches") },
		"refused-admin-pick-gone": func(d *desk) bot.Reply { d.opened(); return d.pick("pick", "v") },
		"refused-undo-twice": func(d *desk) bot.Reply {
			d.opened()
			d.reset()
			d.undoLatest()
			return d.pick("undo", string(d.done(1).ID))
		},
		"refused-undo-late": func(d *desk) bot.Reply {
			d.opened()
			d.reset()
			d.advance(policy.UndoTime)
			return d.turn(carol, "Undo")
		},
		"refused-undo-of-a-match-that-went-on": func(d *desk) bot.Reply {
			d.started()
			d.picked()
			d.turn(carol, "Void")
			return d.undoLatest()
		},
		"refused-undo-of-a-setting-that-was-changed-since": func(d *desk) bot.Reply {
			d.opened()
			d.turn(carol, "Turn ratings off")
			off := d.done(0).ID
			d.turn(carol, "Turn ratings on")
			return d.pick("undo", string(off))
		},
		"refused-undo-of-a-season-that-another-followed": func(d *desk) bot.Reply {
			d.begins("Winter", "")
			winter := d.done(0).ID
			d.advance(time.Hour)
			d.begins("Spring", "")
			return d.pick("undo", string(winter))
		},
		"refused-undo-of-nothing": func(d *desk) bot.Reply { d.opened(); return d.pick("undo", "vvvvvvvvvvvvv") },
		"refused-season-name":     func(d *desk) bot.Reply { return d.begins(" \u200b ", "") },
		"refused-season-unknown":  func(d *desk) bot.Reply { d.wonSeason(); return d.run(alice, "leaderboard", "season=Autumn") },
		"refused-season-none":     func(d *desk) bot.Reply { return d.run(alice, "leaderboard", "season=1") },
		"refused-season-gone": func(d *desk) bot.Reply {
			d.wonSeason()
			d.board = &message{id: "9001", components: d.champions().Components}
			d.opened()
			d.reset()
			d.place = inServer
			return d.press(bob, "Final leaderboards")
		},
		"refused-season-date": func(d *desk) bot.Reply { return d.begins("Winter", "31.12.2026 `*`") },
		"refused-season-far":  func(d *desk) bot.Reply { return d.begins("Winter", "9999-12-31") },
		"refused-season-past": func(d *desk) bot.Reply { return d.begins("Winter", "2026-01-01") },
		"refused-season-number": func(d *desk) bot.Reply {
			asked := d.asksForSeason()
			d.begins("Winter", "")
			d.advance(time.Minute)
			return d.fillIn(carol, asked.Modal.CustomID, "name", "Another winter", "date", "")
		},
		"refused-season-demoted": func(d *desk) bot.Reply {
			asked := d.asksForSeason()
			d.place = inServer
			return d.fillIn(carol, asked.Modal.CustomID, "name", "Winter", "date", "")
		},
		"refused-privacy-word": func(d *desk) bot.Reply {
			d.known()
			d.run(alice, "privacy")
			return d.confirmErasure(alice, "delet")
		},
		"refused-admin-reset-late": func(d *desk) bot.Reply { d.opened(); d.place = inServer; return d.resetBy(inServer) },
		"refused-admin-elsewhere": func(d *desk) bot.Reply {
			d.won()
			d.place = place{guild: "4002", channel: "5009", installed: true, permissions: discordgo.PermissionAdministrator}
			d.run(carol, "admin")
			return d.pick("pick", string(d.id()))
		},
		"refused-place": func(d *desk) bot.Reply {
			d.opened()
			d.pick("policy:places", "5009", "5010")
			d.place = inServer
			return d.challenge()
		},
		"refused-place-computer": func(d *desk) bot.Reply {
			d.opened()
			d.pick("policy:places", "5009", "5010", "5011", "5012", "5013")
			d.place = inServer
			return d.run(alice, "ai")
		},
		"refused-level-withheld": func(d *desk) bot.Reply {
			d.opened()
			d.pick("policy:levels", "easy", "hard")
			d.place = inServer
			return d.run(alice, "ai", "level=unbeatable")
		},
		"refused-board-withheld": func(d *desk) bot.Reply {
			d.opened()
			d.pick("policy:boards", "5x5", "4x4")
			d.place = inServer
			return d.run(alice, "challenge", "opponent="+bob, "board=classic")
		},
		"refused-wish-own": func(d *desk) bot.Reply { d.wish(bob, "Offer draw"); return d.press(bob, "Accept draw") },
		"refused-wish-asked": func(d *desk) bot.Reply {
			d.wish(bob, "Offer draw")
			d.play("c3", alice)
			return d.press(bob, "Offer draw")
		},
		"refused-wish-stranger": func(d *desk) bot.Reply { d.wish(bob, "Offer draw"); return d.press(carol, "Accept draw") },
		"refused-rematch-withheld": func(d *desk) bot.Reply {
			d.run(alice, "ai", "first=them")
			d.play("c3 b3", alice)
			d.opened()
			d.pick("policy:levels", "easy")
			d.place = inServer
			return d.press(alice, "Play again")
		},
		"refused-setting": func(d *desk) bot.Reply { d.run(alice, "settings"); return d.clickOn(alice, d.line, "settings:admin") },
		"refused-setting-as-button": func(d *desk) bot.Reply {
			d.run(alice, "settings")
			return d.clickOn(alice, d.line, "settings:blocked")
		},
		"refused-setting-of-nobody": func(d *desk) bot.Reply { d.run(alice, "settings"); return d.choose(alice, "veiled:x") },
		"refused-data":              func(d *desk) bot.Reply { d.run(alice, "privacy"); return d.clickOn(alice, d.line, "privacy:all") },
		"refused-data-in-a-form": func(d *desk) bot.Reply {
			d.run(alice, "privacy")
			return d.fillIn(alice, "privacy:export", "word", "delete")
		},
		"refused-closed":          func(d *desk) bot.Reply { d.closed(bob); return d.challenge() },
		"refused-blocked":         func(d *desk) bot.Reply { d.blocked(bob, alice); return d.challenge() },
		"refused-blocking":        func(d *desk) bot.Reply { d.blocked(alice, bob); return d.challenge() },
		"refused-blocked-rematch": func(d *desk) bot.Reply { d.won(); d.blocked(bob, alice); return d.press(alice, "Rematch") },
		"refused-blocked-accept": func(d *desk) bot.Reply {
			d.challenge()
			d.blocked(alice, bob)
			return d.press(bob, "Accept")
		},
		"refused-soon": func(d *desk) bot.Reply {
			d.challenge()
			d.press(bob, "Decline")
			return d.challenge()
		},
		"refused-left": func(d *desk) bot.Reply {
			d.won()
			id := d.button(d.board.components, "Rematch")
			d.erased(alice)
			return d.click(bob, id)
		},
	},

	"apology": {
		"busy": func(d *desk) bot.Reply { return d.commands.Apology(d.interaction(alice, 2, nil), "", bot.ErrBusy) },
		"apology": func(d *desk) bot.Reply {
			return d.commands.Apology(d.interaction(alice, 2, nil), "6001", errors.New("disk on fire"))
		},
		"apology-unshown": func(d *desk) bot.Reply {
			in := d.interaction(alice, 2, nil)
			in.Saved = true
			return d.commands.Apology(in, "6001", errors.New("disk on fire"))
		},
		"apology-archived": func(d *desk) bot.Reply {
			in := d.interaction(alice, 2, nil)
			in.Saved = true
			return d.commands.Apology(in, "6001", fmt.Errorf("update: %w", rest.ErrArchived))
		},
		"apology-unsaved": func(d *desk) bot.Reply {
			return d.commands.Apology(d.interaction(alice, 2, nil), "6001", fmt.Errorf("save: %w", match.ErrUnsaved))
		},
		"apology-busy": func(d *desk) bot.Reply {
			return d.commands.Apology(d.interaction(alice, 2, nil), "6001", fmt.Errorf("save: %w", match.ErrBusy))
		},
		"rate-limited": func(d *desk) bot.Reply {
			return d.commands.Apology(d.interaction(alice, 2, nil), "", bot.ErrRateLimited)
		},
	},
}

// won plays a match that alice wins with a line.
func (d *desk) won() bot.Reply {
	d.t.Helper()
	d.started()
	return d.play("a1 a2 b1 b2 c1", alice, bob)
}

// sixtyPlies are the moves of a game that is drawn by repetition. A review comments on 58 of them.
const sixtyPlies = "c1 a3 b2 c3 b3 b1 a2 c1 a1 a3 b2 c3 b3 b1 a2 c1 a1 a3 b2 c3 b3 b1 c1 a1 a3 b2 c3 b3 b1 c1 " +
	"a1 a2 c2 b2 b3 b1 c1 c3 a2 c2 a3 a1 b2 c1 b1 b3 c2 a2 a3 c3 c1 b2 a1 b1 b3 c2 a3 c3 c1 b2"

// turn presses a button of the latest private message.
func (d *desk) turn(by, label string) bot.Reply {
	d.t.Helper()
	return d.clickOn(by, d.line, d.button(d.line.components, label))
}

// watched makes carol pick a match from the list of the best.
func (d *desk) watched(id string) bot.Reply {
	d.t.Helper()
	d.judged()
	d.run(carol, "best")
	return d.pick("replay", id)
}

// find makes a user ask for the match of the board.
func (d *desk) find(by string) bot.Reply {
	d.t.Helper()
	return d.run(by, "show", "match="+string(d.id()))
}

// found plays a match that alice wins, and makes a user find it.
func (d *desk) found(by string) bot.Reply {
	d.won()
	return d.find(by)
}

// link returns the URL of the board's message.
func (d *desk) link() string {
	return fmt.Sprintf("https://discord.com/channels/%s/%s/%s", d.place.guild, d.place.channel, d.board.id)
}

// walking makes carol walk to the first move of a match that alice has won.
func (d *desk) walking() bot.Reply {
	d.won()
	d.press(carol, "Review")
	return d.turn(carol, "Move by move")
}

// reviewed makes carol open the review of a match that alice and bob have played with the given rules.
func (d *desk) reviewed(rules, squares string) bot.Reply {
	d.t.Helper()
	d.started("board=" + rules)
	d.play(squares, alice, bob)
	return d.press(carol, "Review")
}

// practising makes bob practise from his mistake in a match that alice has won, after the given moves.
func (d *desk) practising(moves string) bot.Reply {
	d.t.Helper()
	d.won()
	d.press(bob, "Review")
	r := d.turn(bob, "Try again from move 2")
	if moves != "" {
		r = d.practise(moves)
	}
	return r
}

// practise presses the squares with the given letters in bob's practice game, one after the other.
func (d *desk) practise(letters string) (r bot.Reply) {
	d.t.Helper()
	for _, letter := range letters {
		all := buttons(d.line.components)
		i := slices.IndexFunc(all, func(b discordgo.Button) bool {
			return len(b.Label) <= len("b2") && strings.HasSuffix(b.CustomID, string(letter))
		})
		r = d.clickOn(bob, d.line, all[i].CustomID)
	}
	return r
}

// rematched begins the rematch of a match that alice has won.
func (d *desk) rematched() bot.Reply {
	d.t.Helper()
	d.won()
	d.press(bob, "Rematch")
	return d.press(alice, "Accept rematch")
}

// id returns the id of the match on the board.
func (d *desk) id() match.ID {
	d.t.Helper()
	for _, b := range buttons(d.board.components) {
		if id := (commands.Painter{}).About(b.CustomID); id != "" {
			return id
		}
	}
	d.t.Fatal("no match on the board")
	return ""
}

// save writes to the store directly.
func (d *desk) save(save match.Save) {
	d.t.Helper()
	if err := d.store.Save(d.t.Context(), save); err != nil {
		d.t.Fatal(err)
	}
}

// refused records a refusal by Discord to draw a board.
func (d *desk) refused(id match.ID) {
	d.t.Helper()
	if err := d.store.SaveRefused(d.t.Context(), id); err != nil {
		d.t.Fatal(err)
	}
}

// open begins the given number of matches of a player against others.
func (d *desk) open(player string, n int) {
	d.t.Helper()
	for i := range n {
		seats := match.Seats{match.Human(match.User(player)), match.Human(match.User(fmt.Sprint(9100 + i)))}
		id := match.ID(fmt.Sprint("o", player, i))
		d.save(match.Save{Matches: []match.MatchChange{{To: match.Start(id, id, guild, game.Classic(), seats, time.Minute, 1, d.now())}}})
	}
}

// scores saves finished matches of the given number of players. The first player has won the most matches.
func (d *desk) scores(players int) {
	d.t.Helper()
	for i := range players {
		winner := match.User(fmt.Sprint(9200 + i))
		d.save(match.Save{Names: []match.Name{{Player: winner, Name: fmt.Sprint("Player ", i+1)}}})
		for n := range players - i {
			id := match.ID(fmt.Sprintf("s%02d%02d", i, n))
			m := match.Start(id, id, guild, game.Classic(), match.Seats{match.Human(winner), match.Computer("easy")}, time.Minute, 1, d.now())
			m.Seats[1] = match.Human(match.User(fmt.Sprint(9200 + players - 1)))
			if i == players-1 {
				m.Seats[1] = match.Human("9200")
			}
			m.Result, m.Ended, m.Deadline = match.Result{Outcome: game.XWins, Cause: match.ByTime}, d.now().Add(time.Duration(i)*time.Minute), time.Time{}
			d.save(match.Save{Matches: []match.MatchChange{{To: m}}})
		}
	}
}

// ratings lets six of twelve users play each other many times, so that they have a rank, and the others once.
func (d *desk) ratings() {
	d.t.Helper()
	const people, regulars, rounds = 12, 6, 8
	n := 0
	meet := func(x, o int) {
		n++
		id := match.ID(fmt.Sprintf("r%03d", n))
		m := match.Start(id, id, guild, game.Classic(), match.Seats{match.Human(match.User(fmt.Sprint(9200 + x))), match.Human(match.User(fmt.Sprint(9200 + o)))}, time.Minute, 1, d.now())
		m.Stakes = rating.Full
		d.save(match.Save{Matches: []match.MatchChange{{To: m}}})
		over := m
		over.Version++
		over.Result, over.Ended, over.Deadline = match.Result{Outcome: game.XWins, Cause: match.ByResignation}, d.now().Add(time.Duration(n)*time.Minute), time.Time{}
		if n%3 == 0 {
			over.Result.Outcome = game.OWins
		}
		d.save(match.Save{Matches: []match.MatchChange{{From: m, To: over}}})
	}
	for range rounds {
		for x := range regulars {
			for o := range x {
				meet(o, x)
			}
		}
	}
	for x := regulars; x < people; x++ {
		meet(x%regulars, x)
	}
	for x := range people {
		d.save(match.Save{Names: []match.Name{{Player: match.User(fmt.Sprint(9200 + x)), Name: fmt.Sprint("Player ", x+1)}}})
	}
}

// busyDay fills every part of alice's list of matches.
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

// together has alice begin the match of a crowd, in which bob and carol vote for b2, and the time to vote runs out.
func (d *desk) together(options ...string) bot.Reply {
	d.t.Helper()
	d.run(alice, "crowd", options...)
	d.play("b2 b2", bob, carol)
	d.advance(match.DefaultVoteTime)
	return d.press(alice, "a3")
}

// beaten is a match in which bob and carol beat the computer.
func (d *desk) beaten() bot.Reply {
	d.t.Helper()
	d.together()
	return d.play("c1 c1 a3 a3", bob, carol)
}

// stopped is the match of a crowd that alice stops.
func (d *desk) stopped() bot.Reply {
	d.t.Helper()
	d.run(alice, "crowd")
	return d.stop(alice)
}

// stop presses Stop and confirms it.
func (d *desk) stop(by string) bot.Reply {
	d.t.Helper()
	return d.submit(by, d.press(by, "Stop").Modal)
}
