package soak

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"time"

	"tictactoe/internal/discordsim"
)

// person is one of those who play. It knows nothing but what it was shown.
type person struct {
	name    string // also the one that is displayed
	channel string
	shard   int // of the server that the channel is in
	others  []string
	user    *discordsim.User
	sim     *discordsim.Sim
	random  *rand.Rand
	world   *world
	record  *recorder
	pace    time.Duration // between two deeds, on average
	now     func() time.Time
}

// live does one thing after the other until ctx ends.
func (p *person) live(ctx context.Context) {
	for {
		pause := time.NewTimer(time.Duration(p.random.ExpFloat64() * float64(p.pace)))
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return
		}
		// What is under way is waited for: it is settled in 13 seconds at most.
		p.act(context.WithoutCancel(ctx))
	}
}

// act does one thing, likely a move.
func (p *person) act(ctx context.Context) {
	for try, share := p.random.IntN(100), 0; ; {
		for _, deed := range []struct {
			share int
			do    func(context.Context) bool
		}{
			{56, p.move}, {10, p.answerChallenge}, {6, p.begin}, {4, p.rematch}, {3, p.rematchTwice}, {3, p.resign},
			{4, p.meddle}, {3, p.pressTaken}, {3, p.pressStale}, {2, p.withdraw}, {4, p.look}, {2, p.forge},
		} {
			if share += deed.share; try >= share {
				continue
			}
			if deed.do(ctx) {
				return
			}
		}
		p.begin(ctx)
		return
	}
}

// asleep tells whether both players let the time of that match run out: one in five.
func asleep(match string) bool {
	h := fnv.New32a()
	h.Write([]byte(match))
	return h.Sum32()%5 == 0
}

// mine are the boards on which it is this one's turn. Where a match is let run out, only about when its time is up.
func (p *person) mine() []seen {
	return p.world.where(func(s seen) bool {
		if s.mover != p.name || len(s.free) == 0 {
			return false
		}
		left := time.Unix(s.deadline, 0).Sub(p.now())
		return !asleep(s.match) || s.ply < 2 || left < time.Second && left > -2*time.Second || left > time.Hour
	})
}

// one picks any of several.
func one[T any](p *person, of []T) (T, bool) {
	if len(of) == 0 {
		var none T
		return none, false
	}
	return of[p.random.IntN(len(of))], true
}

// move plays, now and then by pressing twice, or two squares at once.
func (p *person) move(ctx context.Context) bool {
	on, ok := one(p, p.mine())
	if !ok {
		return false
	}
	square, _ := one(p, on.free)
	if p.random.IntN(8) > 0 {
		p.press(ctx, on.message, square)
		return true
	}
	other := square
	if p.random.IntN(2) == 0 {
		other, _ = one(p, on.free)
	}
	p.pressAtOnce(ctx, [2]string{on.message, square}, [2]string{on.message, other})
	return true
}

func (p *person) answerChallenge(ctx context.Context) bool {
	on, ok := one(p, p.world.where(func(s seen) bool { return s.to == p.name }))
	if !ok {
		return false
	}
	verb := "accept"
	if p.random.IntN(6) == 0 {
		verb = "decline"
	}
	p.press(ctx, on.message, on.button(verb))
	return true
}

func (p *person) withdraw(ctx context.Context) bool {
	on, ok := one(p, p.world.where(func(s seen) bool { return s.from == p.name }))
	if ok {
		p.press(ctx, on.message, on.button("withdraw"))
	}
	return ok
}

// begin challenges somebody, or the computer.
func (p *person) begin(ctx context.Context) bool {
	options := map[string]any{}
	boards := []string{"classic", "classic", "classic", "4x4", "5x5", "infinite", "drop", "misere"}
	options["board"], _ = one(p, boards)
	options["first"], _ = one(p, []string{"random", "me", "them"})
	name := "tictactoe ai"
	if p.random.IntN(5) < 3 {
		name = "tictactoe challenge"
		options["opponent"], _ = one(p, p.others)
		options["clock"] = "1m"
	} else {
		options["level"], _ = one(p, []string{"random", "easy", "unbeatable"})
	}
	p.command(ctx, name, options)
	return true
}

// over are the ended matches of this one on which a rematch can still be asked for.
func (p *person) over() []seen {
	return p.world.where(func(s seen) bool { return s.seat(p.name) && s.cause != "" && s.button("rematch") != "" })
}

func (p *person) rematch(ctx context.Context) bool {
	on, ok := one(p, p.over())
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

// rematchTwice asks for a rematch on the board and, at the same moment, under a private review of the match, where the
// button can only be forged: two messages, so that nothing puts the two clicks in an order.
func (p *person) rematchTwice(ctx context.Context) bool {
	on, ok := one(p, p.over())
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

// resign asks to give up, and goes through with it.
func (p *person) resign(ctx context.Context) bool {
	on, ok := one(p, p.world.where(func(s seen) bool { return s.seat(p.name) && s.button("resign") != "" }))
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

// meddle presses something on the board of others.
func (p *person) meddle(ctx context.Context) bool {
	on, ok := one(p, p.world.where(func(s seen) bool { return !s.seat(p.name) && len(s.buttons) > 0 }))
	if !ok {
		return false
	}
	id, _ := one(p, on.buttons)
	if strings.HasPrefix(id, "computer:") || strings.HasPrefix(id, "board:") {
		return false // those are for everybody
	}
	p.press(ctx, on.message, id)
	return true
}

// pressTaken presses any square of an own board, on whoever's turn.
func (p *person) pressTaken(ctx context.Context) bool {
	on, ok := one(p, p.world.where(func(s seen) bool { return s.seat(p.name) && s.mover != "" && !asleep(s.match) }))
	if !ok {
		return false
	}
	id, _ := one(p, on.buttons)
	if !strings.HasPrefix(id, "play:") {
		return false
	}
	p.press(ctx, on.message, id)
	return true
}

// pressStale presses a square of an own board as it was before.
func (p *person) pressStale(ctx context.Context) bool {
	on, ok := one(p, p.world.where(func(s seen) bool { return s.seat(p.name) && s.ply > 0 && len(s.free) > 0 }))
	if !ok {
		return false
	}
	square, _ := one(p, on.free)
	f := strings.Split(square, ":")
	p.press(ctx, on.message, fmt.Sprintf("play:%s:%d:%s", f[1], p.random.IntN(on.ply), f[3]))
	return true
}

// look opens a list.
func (p *person) look(ctx context.Context) bool {
	name, _ := one(p, []string{"tictactoe leaderboard", "tictactoe games", "tictactoe help"})
	p.command(ctx, name, nil)
	return true
}

// forge presses a button that nobody has made.
func (p *person) forge(ctx context.Context) bool {
	on, ok := one(p, p.world.where(func(s seen) bool { return s.match != "" }))
	if !ok {
		return false
	}
	id, _ := one(p, []string{
		"play", "play:::", "play:" + on.match + ":0:z9", "play:" + on.match + ":99999999999:a1", "accept:" + on.match,
		"rematch:" + on.match + ":0", "resign:0:0", "nonsense", "board:players:999999999",
	})
	p.press(ctx, on.message, id)
	return true
}

// command uses a slash command.
func (p *person) command(ctx context.Context, name string, options map[string]any) {
	did := name
	if other, named := options["opponent"]; named {
		did += " @" + other.(string)
	}
	p.settled(time.Now(), did, func() (discordsim.Result, error) { return p.user.Command(ctx, p.channel, name, options) })
}

// press presses a button, forged if need be. It reports false where that could not even be tried.
func (p *person) press(ctx context.Context, message, customID string) (discordsim.Result, bool) {
	return p.settled(time.Now(), customID, func() (discordsim.Result, error) {
		return p.user.Click(ctx, message, discordsim.Button{CustomID: customID, Forge: true})
	})
}

// pressAtOnce presses two buttons, of a message and a custom_id each, without waiting in between.
func (p *person) pressAtOnce(ctx context.Context, buttons ...[2]string) {
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

// settled records what was done at that time and what came of it. It reports false if no interaction came to be: the message
// or the command is not there.
func (p *person) settled(at time.Time, did string, act func() (discordsim.Result, error)) (discordsim.Result, bool) {
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
		s := read(result.Message)
		if result.Ephemeral {
			end.Text = strings.TrimSpace(s.text)
		} else if e, is := s.event(Shown); is {
			e.Player, e.Interaction = p.name, result.Interaction
			p.record.add(e)
		}
	}
	p.record.add(end)
	return result, true
}
