package soak

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"tictactoe/discordsim"
	"tictactoe/internal/match"
)

// player is a user who plays. A player knows only the messages that the bot has shown.
type player struct {
	name    string // both the username and the displayed name
	channel string
	shard   int // the shard of the channel's server
	others  []*player
	user    *discordsim.User
	sim     *discordsim.Sim
	random  *rand.Rand
	world   *world
	record  *recorder
	pace    time.Duration // average time between two actions
	types   bool          // the player moves by command, and never presses a square on its own turn
	now     func() time.Time

	moderates bool      // the player is an administrator of the server
	barred    *player   // whom the player, as a moderator, may have barred
	leaves    time.Time // from this time on no player challenges this one, who then leaves; zero means never
}

// live performs one action after another until ctx ends or the player leaves.
func (p *player) live(ctx context.Context) {
	for {
		if p.leaving() {
			time.Sleep(quietTime)
			for range eraseTries {
				if p.erase(context.WithoutCancel(ctx)) {
					break
				}
			}
			return
		}
		pause := time.NewTimer(time.Duration(p.random.ExpFloat64() * float64(p.pace)))
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return
		}
		// An action that is running at the end is completed, which takes at most 13 seconds.
		p.act(context.WithoutCancel(ctx))
	}
}

// act performs one action, most likely a move.
func (p *player) act(ctx context.Context) {
	if p.moderates && p.random.IntN(12) == 0 && p.bar(ctx) {
		return
	}
	try, share := p.random.IntN(100), 0
	for _, action := range []struct {
		share int
		do    func(context.Context) bool
	}{
		{35, p.move}, {5, p.wish}, {4, p.vote}, {1, p.gather}, {2, p.hint}, {1, p.learn}, {1, p.solve}, {10, p.answerChallenge}, {6, p.begin}, {4, p.rematch}, {3, p.rematchTwice}, {3, p.resign},
		{4, p.meddle}, {3, p.pressTaken}, {3, p.pressStale}, {2, p.withdraw}, {1, p.openAgain}, {2, p.void}, {1, p.beginSeason}, {3, p.look}, {1, p.comeBack}, {2, p.forge}, {1, p.changeBoards}, {2, p.enter},
	} {
		if share += action.share; try < share && action.do(ctx) {
			return
		}
	}
	p.begin(ctx)
}

// quietTime is how long a player does nothing before having all data deleted: after a kill the bot may replay events that it was handling
// when the erasure began, and events of an erased player store new data. eraseTries is how often a leaving player requests the erasure,
// because faults may keep the request from the bot.
const (
	quietTime  = answerTime
	eraseTries = 20
)

func (p *player) leaving() bool { return !p.leaves.IsZero() && time.Now().After(p.leaves) }

// other returns the name of another player who is not leaving, or the empty string if there is none.
func (p *player) other() string {
	if other, ok := pick(p, slices.DeleteFunc(slices.Clone(p.others), (*player).leaving)); ok {
		return other.name
	}
	return ""
}

// erase has the bot delete all data of the player, and reports whether the bot confirmed it.
func (p *player) erase(ctx context.Context) bool {
	held, shown := p.command(ctx, "tictactoe privacy", nil)
	if !shown || held.Message == nil || !held.Ephemeral {
		return false
	}
	form, asked := p.press(ctx, held.Message.ID, "privacy:erase")
	if !asked || form.Modal == nil {
		return false
	}
	answer, _ := p.settled(time.Now(), "submit "+form.Modal.CustomID, func() (discordsim.Result, error) {
		return p.user.Submit(ctx, form.Interaction, map[string]any{"word": "delete"})
	})
	if answer.Message == nil {
		return false
	}
	_, told := p.world.find(p.world.read(answer.Message).text, saidErased)
	return told
}

// comeBack occasionally has all data of the player deleted, after which the player goes on playing.
func (p *player) comeBack(ctx context.Context) bool {
	if p.random.IntN(4) > 0 {
		return false
	}
	time.Sleep(quietTime)
	return p.erase(ctx)
}

// asleep reports whether both players let their time run out in a match, as they do in one match of five.
func asleep(match string) bool {
	h := fnv.New32a()
	h.Write([]byte(match))
	return h.Sum32()%5 == 0
}

// mine returns the boards on which it is this player's turn. In a match in which the time should run out, the player moves only at
// the beginning and close to the deadline. A board against the computer shows no deadline.
func (p *player) mine() []shownMessage {
	return p.world.where(func(s shownMessage) bool {
		if s.mover != p.name || len(s.free) == 0 {
			return false
		}
		left := time.Unix(s.deadline, 0).Sub(p.now())
		return !asleep(s.match) || s.deadline == 0 || s.ply < 2 || left < time.Second && left > -2*time.Second || left > time.Hour
	})
}

// pick returns a random element, and reports false if there are none.
func pick[T any](p *player, of []T) (T, bool) {
	if len(of) == 0 {
		var none T
		return none, false
	}
	return of[p.random.IntN(len(of))], true
}

// move plays a square. Sometimes it presses twice, or two squares at once. A player who types does the same with commands.
func (p *player) move(ctx context.Context) bool {
	on, ok := pick(p, p.mine())
	if !ok {
		return false
	}
	square, _ := pick(p, on.free)
	if p.types {
		p.typeMove(ctx, on.match, strings.Split(square, ":")[3])
		return true
	}
	if p.random.IntN(8) > 0 {
		p.press(ctx, on.message, square)
		return true
	}
	other := square
	if p.random.IntN(2) == 0 {
		other, _ = pick(p, on.free)
	}
	p.pressAtOnce(ctx, [2]string{on.message, square}, [2]string{on.message, other})
	return true
}

// gather starts a match of a crowd.
func (p *player) gather(ctx context.Context) bool {
	level, _ := pick(p, []string{"easy", "medium", "teams"})
	p.command(ctx, "tictactoe crowd", map[string]any{"level": level, "seconds": match.MinVoteTime.Seconds()})
	return true
}

// vote votes on the board of a crowd.
func (p *player) vote(ctx context.Context) bool {
	on, ok := pick(p, p.world.where(func(s shownMessage) bool { return s.crowd && len(s.free) > 0 }))
	if ok {
		square, _ := pick(p, on.free[:min(2, len(on.free))])
		p.press(ctx, on.message, square)
	}
	return ok
}

// answerChallenge answers a challenge to this player, or accepts an open challenge of another player.
func (p *player) answerChallenge(ctx context.Context) bool {
	on, ok := pick(p, p.world.where(func(s shownMessage) bool {
		return s.challenge != "" && (s.to == p.name || s.to == "" && s.from != p.name)
	}))
	if !ok {
		return false
	}
	verb := "accept"
	if on.to != "" && p.random.IntN(6) == 0 {
		verb = "decline"
	}
	p.press(ctx, on.message, on.button(verb))
	return true
}

func (p *player) withdraw(ctx context.Context) bool {
	on, ok := pick(p, p.world.where(func(s shownMessage) bool { return s.from == p.name }))
	if ok {
		p.press(ctx, on.message, on.button("withdraw"))
	}
	return ok
}

// openAgain presses the button under an unsuccessful challenge that makes a new challenge for anybody.
func (p *player) openAgain(ctx context.Context) bool {
	on, ok := pick(p, p.world.where(func(s shownMessage) bool { return s.button("open") != "" }))
	if ok {
		p.press(ctx, on.message, on.button("open"))
	}
	return ok
}

// begin challenges another player, anybody, or the computer.
func (p *player) begin(ctx context.Context) bool {
	options := map[string]any{}
	boards := []string{"classic", "classic", "classic", "4x4", "5x5", "infinite", "drop", "misere"}
	options["board"], _ = pick(p, boards)
	options["first"], _ = pick(p, []string{"random", "me", "them"})
	name := "tictactoe ai"
	if p.random.IntN(5) < 3 {
		name = "tictactoe challenge"
		if p.random.IntN(4) > 0 {
			options["opponent"] = p.other()
		}
		options["clock"] = "1m"
		if p.random.IntN(3) == 0 {
			options["games"], _ = pick(p, []string{"3", "3", "5"})
		}
		if p.random.IntN(2) == 0 { // moves are taken back only there
			options["rated"] = false
		}
	} else {
		options["level"], _ = pick(p, []string{"random", "easy", "unbeatable"})
	}
	p.command(ctx, name, options)
	return true
}

// over returns this player's ended matches that can still have a rematch.
func (p *player) over() []shownMessage {
	return p.world.where(func(s shownMessage) bool { return s.seat(p.name) && s.cause != "" && s.button("rematch") != "" })
}

func (p *player) rematch(ctx context.Context) bool {
	on, ok := pick(p, p.over())
	if !ok {
		return false
	}
	verb := "rematch"
	if no := on.button("norematch"); no != "" && p.random.IntN(3) == 0 {
		verb = "norematch"
	}
	p.press(ctx, on.message, on.button(verb))
	return true
}

// rematchTwice requests a rematch on the board and, at the same moment, on a private review of the match, where the bot shows no such
// button. The clicks are on two messages, so their order is undefined.
func (p *player) rematchTwice(ctx context.Context) bool {
	on, ok := pick(p, p.over())
	if !ok || on.button("review") == "" {
		return false
	}
	review, shown := p.press(ctx, on.message, on.button("review"))
	if !shown || review.Message == nil || !review.Ephemeral {
		return true
	}
	p.pressAtOnce(ctx, [2]string{on.message, on.button("rematch")}, [2]string{review.Message.ID, on.button("rematch")})
	return true
}

// wish asks the other player for a draw or a take-back, or answers, except in a match in which the time should run out.
func (p *player) wish(ctx context.Context) bool {
	on, ok := pick(p, p.world.where(func(s shownMessage) bool { return s.seat(p.name) && s.button("wish") != "" && !asleep(s.match) }))
	if !ok {
		return false
	}
	id, _ := pick(p, slices.DeleteFunc(slices.Clone(on.buttons), func(id string) bool {
		return !strings.HasPrefix(id, "wish:") || strings.HasSuffix(id, ":decline") && p.random.IntN(4) > 0 || strings.HasSuffix(id, ":draw") && p.random.IntN(2) > 0
	}))
	if id == "" {
		return false
	}
	p.press(ctx, on.message, id)
	return true
}

// hint requests a hint on a board of a match against the computer.
func (p *player) hint(ctx context.Context) bool {
	on, ok := pick(p, p.world.where(func(s shownMessage) bool { return s.mover == p.name && s.button("hint") != "" && !asleep(s.match) }))
	if !ok {
		return false
	}
	p.press(ctx, on.message, on.button("hint"))
	return true
}

// learn opens the course and solves its first lesson, for the first time or again.
func (p *player) learn(ctx context.Context) bool {
	course, shown := p.command(ctx, "tictactoe learn", nil)
	if shown && course.Message != nil {
		if task, begun := p.press(ctx, course.Message.ID, "learn:line"); begun && task.Message != nil {
			p.press(ctx, task.Message.ID, "learn:line:c1")
		}
	}
	return true
}

// solvingTime is how long a player does nothing before the puzzles are opened, and again before they are solved. A player who acts without
// such a pause would nearly always exceed the rate limit with three actions at once.
const solvingTime = time.Second

// solve opens the daily puzzle three times and presses a square on each of the messages at once, which costs at most one try: the order
// of the clicks is undefined.
func (p *player) solve(ctx context.Context) bool {
	var presses [3][2]string
	time.Sleep(solvingTime)
	for i := range presses {
		opened, shown := p.command(ctx, "tictactoe daily", nil)
		if !shown || opened.Message == nil {
			return true
		}
		s := screen{words: p.world.words}
		s.walk(opened.Message.Components, new([]string))
		square, ok := pick(p, slices.DeleteFunc(s.buttons, func(id string) bool { return !strings.HasPrefix(id, "daily:") }))
		if !ok {
			return true
		}
		presses[i] = [2]string{opened.Message.ID, square}
	}
	time.Sleep(solvingTime)
	p.pressAtOnce(ctx, presses[:]...)
	return true
}

// resign presses the button to resign and submits the modal that opens, except in a match in which the time should run out.
func (p *player) resign(ctx context.Context) bool {
	on, ok := pick(p, p.world.where(func(s shownMessage) bool {
		return s.seat(p.name) && s.button("resign") != "" && !asleep(s.match)
	}))
	if !ok {
		return false
	}
	if question, asked := p.press(ctx, on.message, on.button("resign")); asked && question.Modal != nil {
		p.settled(time.Now(), "submit "+question.Modal.CustomID, func() (discordsim.Result, error) {
			return p.user.Submit(ctx, question.Interaction, nil)
		})
	}
	return true
}

// meddle presses a button on the board of two other players.
func (p *player) meddle(ctx context.Context) bool {
	on, ok := pick(p, p.world.where(func(s shownMessage) bool { return !s.seat(p.name) && len(s.buttons) > 0 }))
	if !ok {
		return false
	}
	id, _ := pick(p, on.buttons)
	if strings.HasPrefix(id, "computer:") || strings.HasPrefix(id, "open:") || strings.HasPrefix(id, "board:") {
		return false // these buttons are for all users
	}
	p.press(ctx, on.message, id)
	return true
}

// pressTaken presses any square, free or taken, on one of this player's boards, no matter whose turn it is.
func (p *player) pressTaken(ctx context.Context) bool {
	on, ok := pick(p, p.world.where(func(s shownMessage) bool { return s.seat(p.name) && s.mover != "" && !asleep(s.match) }))
	if !ok {
		return false
	}
	id, _ := pick(p, on.buttons)
	if !strings.HasPrefix(id, "play:") {
		return false
	}
	p.press(ctx, on.message, id)
	return true
}

// pressStale presses a square of an earlier state of one of this player's boards.
func (p *player) pressStale(ctx context.Context) bool {
	on, ok := pick(p, p.world.where(func(s shownMessage) bool { return s.seat(p.name) && s.ply > 0 && len(s.free) > 0 }))
	if !ok {
		return false
	}
	square, _ := pick(p, on.free)
	f := strings.Split(square, ":")
	p.press(ctx, on.message, fmt.Sprintf("play:%s:%d:%s", f[1], p.random.IntN(on.ply), f[3]))
	return true
}

// enter joins an arena, or pauses or leaves it.
func (p *player) enter(ctx context.Context) bool {
	on, ok := pick(p, p.world.where(func(s shownMessage) bool { return s.button("arena") != "" }))
	if !ok {
		return false
	}
	word, _ := pick(p, []string{"join", "join", "join", "pause", "leave", "standings"})
	p.press(ctx, on.message, "arena:"+strings.Split(on.button("arena"), ":")[1]+":"+word)
	return true
}

// changeBoards toggles this player's text boards. All boards of the player are redrawn.
func (p *player) changeBoards(ctx context.Context) bool {
	settings, shown := p.command(ctx, "tictactoe settings", nil)
	if !shown || settings.Message == nil || !settings.Ephemeral {
		return true
	}
	for _, id := range p.world.read(settings.Message).buttons {
		if strings.HasPrefix(id, "settings:text") {
			p.press(ctx, settings.Message.ID, id)
		}
	}
	return true
}

// void voids a finished match as a moderator, and in half of the cases presses the undo button.
func (p *player) void(ctx context.Context) bool {
	on, ok := pick(p, p.world.where(func(s shownMessage) bool { return s.cause != "" && s.cause != "voided" && s.button("review") != "" }))
	if !p.moderates || !ok {
		return false
	}
	answer, _ := p.press(ctx, on.message, "rule:void:"+on.match)
	if p.random.IntN(2) == 0 {
		p.undo(ctx, answer)
	}
	return true
}

// beginSeason begins a season as a moderator, and in half of the cases presses the undo button.
func (p *player) beginSeason(ctx context.Context) bool {
	if !p.moderates {
		return false
	}
	admin, shown := p.command(ctx, "tictactoe admin", nil)
	if !shown || admin.Message == nil || !admin.Ephemeral {
		return true
	}
	page, shown := p.press(ctx, admin.Message.ID, "admin:season:1")
	if !shown || page.Message == nil {
		return true
	}
	form, asked := p.press(ctx, page.Message.ID, p.world.read(page.Message).button("admin:begin"))
	if !asked || form.Modal == nil {
		return true
	}
	answer, _ := p.settled(time.Now(), "submit "+form.Modal.CustomID, func() (discordsim.Result, error) {
		return p.user.Submit(ctx, form.Interaction, map[string]any{"name": "A season of " + p.name})
	})
	if p.random.IntN(2) == 0 {
		p.undo(ctx, answer)
	}
	return true
}

// bar bars another player of the channel as a moderator, or lifts the last bar, until the bot confirms that. Moderators have a channel each, so no two
// bar the same player.
func (p *player) bar(ctx context.Context) bool {
	if p.barred != nil && p.barred.leaving() {
		p.barred = nil
	}
	who, ok := p.barred, true
	if who == nil {
		who, ok = pick(p, slices.DeleteFunc(slices.Clone(p.others), func(o *player) bool { return o.channel != p.channel || o.leaving() }))
	}
	if !ok || p.barred != nil && p.random.IntN(3) > 0 { // bars last for about half a minute
		return false
	}
	admin, shown := p.command(ctx, "tictactoe admin", nil)
	if !shown || admin.Message == nil || !admin.Ephemeral {
		return true
	}
	button := func(verb string) discordsim.Button {
		return discordsim.Button{CustomID: "person:" + verb + ":" + who.user.ID(), Forge: true}
	}
	if p.barred != nil {
		answer, _ := p.settled(time.Now(), "unbar @"+who.name, func() (discordsim.Result, error) {
			return p.user.Click(ctx, admin.Message.ID, button("unbar"))
		})
		if answer.Message != nil && p.world.read(answer.Message).button("person:bar") != "" {
			p.barred = nil
		}
		return true
	}
	form, asked := p.settled(time.Now(), "bar", func() (discordsim.Result, error) { return p.user.Click(ctx, admin.Message.ID, button("bar")) })
	if asked && form.Modal != nil {
		p.barred = who
		p.settled(time.Now(), "submit bar @"+who.name, func() (discordsim.Result, error) {
			return p.user.Submit(ctx, form.Interaction, map[string]any{"matches": "goon"})
		})
	}
	return true
}

// undo presses the undo button of an answer.
func (p *player) undo(ctx context.Context, answer discordsim.Result) {
	if answer.Message == nil || !answer.Ephemeral {
		return
	}
	if undo := p.world.read(answer.Message).button("undo"); undo != "" {
		p.press(ctx, answer.Message.ID, undo)
	}
}

// look opens a leaderboard, a profile, a list or the help.
func (p *player) look(ctx context.Context) bool {
	other := p.other()
	looks, _ := pick(p, []struct {
		name    string
		options map[string]any
	}{
		{"tictactoe leaderboard", nil},
		{"tictactoe leaderboard", map[string]any{"of": "rating"}},
		{"tictactoe leaderboard", map[string]any{"player": other}},
		{"tictactoe profile", nil},
		{"tictactoe profile", map[string]any{"player": other}},
		{"tictactoe profile", map[string]any{"player": other, "versus": p.name}},
		{"tictactoe games", nil},
		{"tictactoe help", nil},
	})
	p.command(ctx, looks.name, looks.options)
	return true
}

// forge presses a button that the bot has not made.
func (p *player) forge(ctx context.Context) bool {
	on, ok := pick(p, p.world.where(func(s shownMessage) bool { return s.match != "" }))
	if !ok {
		return false
	}
	id, _ := pick(p, []string{
		"play", "play:::", "play:" + on.match + ":0:z9", "play:" + on.match + ":99999999999:a1", "accept:" + on.match,
		"rematch:" + on.match + ":0", "resign:0:0", "nonsense", "board:players:999999999",
	})
	p.press(ctx, on.message, id)
	return true
}

// command uses a slash command. It reports false if that created no interaction.
func (p *player) command(ctx context.Context, name string, options map[string]any) (discordsim.Result, bool) {
	did := name
	if other, named := options["opponent"]; named {
		did += " @" + other.(string)
	}
	return p.settled(time.Now(), did, func() (discordsim.Result, error) { return p.user.Command(ctx, p.channel, name, options) })
}

// typeMove plays a square of a match by command. Unlike the button of a square, the command does not name the ply.
func (p *player) typeMove(ctx context.Context, match, square string) {
	p.settled(time.Now(), typedMove+match+" "+square, func() (discordsim.Result, error) {
		return p.user.Command(ctx, p.channel, "tictactoe move", map[string]any{"match": match, "square": square})
	})
}

// press presses a button, which need not be on the message. It reports false if that created no interaction.
func (p *player) press(ctx context.Context, message, customID string) (discordsim.Result, bool) {
	return p.settled(time.Now(), customID, func() (discordsim.Result, error) {
		return p.user.Click(ctx, message, discordsim.Button{CustomID: customID, Forge: true})
	})
}

// pressAtOnce presses buttons, each given by a message and a custom_id, without a pause.
func (p *player) pressAtOnce(ctx context.Context, buttons ...[2]string) {
	type pending struct {
		id, did string
		at      time.Time
	}
	var under []pending
	for _, b := range buttons {
		at := time.Now()
		held, err := p.user.Click(ctx, b[0], discordsim.Button{CustomID: b[1], Forge: true, Hold: true})
		if err == nil {
			under = append(under, pending{held.Interaction, b[1], at})
		}
	}
	for _, u := range under {
		p.settled(u.at, u.did, func() (discordsim.Result, error) { return p.sim.Await(ctx, u.id) })
	}
}

// settled performs an action, and records it and its result. It reports false if the action created no interaction, because the
// message or the command does not exist.
func (p *player) settled(at time.Time, did string, act func() (discordsim.Result, error)) (discordsim.Result, bool) {
	result, err := act()
	if err != nil {
		return result, false
	}
	p.record.add(Event{At: at, Kind: Sent, Interaction: result.Interaction, Player: p.name, Did: did, Shard: p.shard})
	end := Event{Kind: Settled, Interaction: result.Interaction, Player: p.name, Status: string(result.Status), Took: time.Since(at)}
	if result.Error != nil {
		end.Error = result.Error.Error()
	}
	if result.Message != nil && result.Status == discordsim.Answered {
		s := p.world.read(result.Message)
		if result.Ephemeral {
			end.Text = strings.TrimSpace(s.text)
			end.Said = p.world.told(end.Text)
		} else if e, is := s.event(Shown); is {
			e.Player, e.Interaction = p.name, result.Interaction
			p.record.add(e)
		}
	}
	p.record.add(end)
	return result, true
}
