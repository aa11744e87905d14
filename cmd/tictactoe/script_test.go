package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/discordsim"
	"tictactoe/internal/match"
)

// do runs one line of a script.
func (w *world) do(line string) error {
	words := split(line)
	for i := range words {
		if before, rest, ok := strings.Cut(words[i], "$"); ok { // "$board", or "review:$match:3"
			name, _, _ := strings.Cut(rest, ":")
			if w.named[name] == "" {
				return fmt.Errorf("nothing is named %q", name)
			}
			words[i] = before + w.named[name] + rest[len(name):]
		}
	}
	err := w.act(words)
	w.done = append(w.done, line+"\n"+indent(w.saw()))
	return err
}

// act executes a line: it sets up users and places, causes an event, checks an expectation, or performs a user's action.
func (w *world) act(words []string) error { return w.furnish(words[0], words[1:]) }

// furnish sets up users and places, and selects the current channel and message.
func (w *world) furnish(verb string, rest []string) error {
	switch verb {
	case "person":
		p := discordsim.Person{Username: rest[0]}
		if len(rest) > 1 {
			p.GlobalName = rest[1]
		}
		_, err := w.sim.AddUser(p)
		return err
	case "language":
		return w.sim.ChangeUser(rest[0], discordsim.PersonChange{Locale: &rest[1]})
	case "installer": // a user installs the bot
		_, err := w.sim.AddUser(discordsim.Person{Username: rest[0], Installs: true})
		return err
	case "server": // a server without the bot, where only users who have installed the bot for themselves can use it
		_, err := w.sim.AddServer(discordsim.Server{Name: rest[0], Channels: []string{rest[1]}, BotsAbsent: true})
		return err
	case "room": // a text channel, unless another kind is named
		kind := map[string]int{"voice": 2, "forum": 15}[strings.Join(rest[1:], "")]
		_, err := w.sim.AddChannel(discordsim.Room{Name: rest[0], Type: kind})
		return err
	case "post": // a post in a forum
		_, err := w.sim.User("alice").Send(rest[1], discordsim.Note{Title: rest[0], Content: "Hello!"})
		return err
	case "thread": // a thread in "general", unless another channel is named
		parent := "general"
		if len(rest) > 1 {
			parent = rest[1]
		}
		_, err := w.sim.AddChannel(discordsim.Room{Name: rest[0], Type: 11, Parent: parent})
		return err
	case "archive", "unarchive": // archives a thread, or reverses that
		archived := verb == "archive"
		return w.sim.ChangeChannel(rest[0], discordsim.RoomChange{Archived: &archived})
	case "channel":
		w.channel = rest[0]
		return nil
	case "manager": // makes a user a manager of the first server
		may, err := discordsim.ParsePermissions("MANAGE_GUILD")
		if err != nil {
			return err
		}
		return w.sim.SetMember("Playground", rest[0], discordsim.Membership{Permissions: may})
	case "member": // makes a user an ordinary member again
		return w.sim.SetMember("Playground", rest[0], discordsim.Membership{})
	case "role": // makes a role that anybody may mention, for these users
		id, err := w.sim.AddRole("Playground", discordsim.RoleSpec{Name: rest[0], Mentionable: true})
		w.named[id], w.named[rest[0]] = "@"+rest[0], id
		for _, name := range rest[1:] {
			err = errors.Join(err, w.sim.SetMember("Playground", name, discordsim.Membership{Roles: rest[:1]}))
		}
		return err
	case "unrole":
		return w.sim.DeleteRole("Playground", rest[0])
	case "bot":
		return w.permit(rest)
	case "leaves": // a user leaves the first server
		return w.sim.RemoveMember("Playground", rest[0])
	case "hide": // hides a channel from a user
		return w.sim.SetOverwrite(rest[0], rest[1], 0, discordsim.ViewChannel)
	case "remove": // removes the bot from the server of the channel
		err := w.sim.RemoveMember("Playground", "tictactoe")
		synctest.Wait()
		return err
	case "add": // adds the bot to the server again
		err := w.sim.SetMember("Playground", "tictactoe", discordsim.Membership{})
		synctest.Wait()
		return err
	case "delete": // deletes the current message, or a channel
		if len(rest) > 0 {
			return w.sim.DeleteChannel(rest[0])
		}
		return w.sim.DeleteMessage(w.here)
	case "call": // gives a name to the current message, to the "match" that it shows, or to one of its buttons
		if rest[0] == "it" {
			w.named[rest[1]] = w.here
			return nil
		}
		if rest[0] == "match" {
			return w.callMatch(rest[1])
		}
		if rest[0] == "suggestion" {
			return w.callSuggestion(rest[1], rest[2])
		}
		if rest[0] == "option" {
			return w.callOption(rest[1], rest[2])
		}
		b, err := w.button(rest[0])
		if err != nil {
			return err
		}
		w.named[rest[1]] = b.CustomID
		return nil
	case "look":
		w.here = rest[0]
		if rest[0] == "answer" { // a private answer; a public answer becomes the current message anyway
			w.here = w.last.Message.ID
		}
		return nil
	case "latest": // the newest public message becomes the current one
		messages, err := w.sim.User(w.people[0]).Messages(w.channel)
		if err != nil {
			return err
		}
		for _, m := range slices.Backward(messages) {
			if m.Flags&64 == 0 {
				w.here = m.ID
				return nil
			}
		}
		return errors.New("there is no public message")
	case "expect":
		w.expected[rest[0]] = true
		return nil
	default:
		return w.befall(verb, rest)
	}
}

// befall causes an event of the clock, the bot, its database or its connections.
func (w *world) befall(verb string, rest []string) error {
	switch verb {
	case "advance":
		d, err := time.ParseDuration(rest[0])
		if err != nil {
			return err
		}
		err = w.sim.Advance(context.Background(), d)
		synctest.Wait() // lets the daily jobs run
		return err
	case "wait":
		d, err := time.ParseDuration(rest[0])
		if err != nil {
			return err
		}
		<-time.After(d)
		synctest.Wait()
		return nil
	case "stop":
		return w.stop()
	case "start": // starts the bot after a while, or "at once"
		if len(rest) > 0 {
			w.startAtOnce()
		} else {
			w.start()
		}
		return nil
	case "restart":
		if err := w.stop(); err != nil {
			return err
		}
		w.start()
		return nil
	case "hold-people-to": // sets a user's rate limit, in interactions a second
		rate, err := strconv.ParseFloat(rest[0], 64)
		if err != nil {
			return err
		}
		w.rate = rate
		return w.act([]string{"restart"})
	case "lose":
		if err := w.stop(); err != nil {
			return err
		}
		files, _ := filepath.Glob(w.db + "*")
		for _, f := range files {
			if err := os.Remove(f); err != nil {
				return err
			}
		}
		w.start()
		return nil
	case "hold": // locks the database for a while
		d, err := time.ParseDuration(rest[1])
		if err != nil {
			return err
		}
		return w.holdDatabase(d)
	case "drop": // cuts the gateway connection
		w.sim.DropGateway()
		<-time.After(10 * time.Second)
		synctest.Wait()
		return nil
	case "silence": // drops all further data on the current gateway connections; neither side is told
		w.network.silence()
		return nil
	case "slow": // delays callbacks by the given duration
		d, err := time.ParseDuration(rest[0])
		w.sim.SetFaults(discordsim.Faults{BeforeCallback: func(ctx context.Context, _ string) {
			select {
			case <-time.After(d):
			case <-ctx.Done():
			}
		}})
		return err
	case "fail": // lets requests with the given method and path prefix fail, or ends all such failures
		if rest[0] == "nothing" {
			w.sim.SetFaults(discordsim.Faults{})
			return nil
		}
		status, err := strconv.Atoi(rest[2])
		if err != nil {
			return err
		}
		w.sim.SetFaults(discordsim.Faults{REST: func(r *http.Request) int {
			if r.Method == rest[0] && strings.HasPrefix(r.URL.Path, rest[1]) {
				return status
			}
			return 0
		}})
		return nil
	case "ranked": // gives these users a rank on the ladder of the classic board, in this order
		var players []match.User
		for _, name := range rest {
			players = append(players, match.User(w.sim.User(name).ID()))
		}
		return rank(w.running.store, match.Venue(w.serverState().ID), w.sim.Clock().Now(), players)
	case "twice":
		w.sim.SetFaults(discordsim.Faults{Duplicate: rest[0] == "on"})
		return nil
	case "answered": // waits for the answers to all clicks
		for _, id := range w.pressed {
			if err := w.took(w.sim.Await(context.Background(), id)); err != nil {
				return err
			}
		}
		w.pressed = nil
		return nil
	default:
		return w.see(verb, rest)
	}
}

// see checks an expectation.
func (w *world) see(verb string, rest []string) error {
	switch verb {
	case "answer":
		return w.wantAnswer(rest)
	case "says":
		return contains(textOf(w.last.Message), rest[0])
	case "suggests": // the choices are exactly these values, or none
		var values []string
		for _, c := range w.last.Choices {
			values = append(values, fmt.Sprint(c.Value))
		}
		if len(values) == 0 {
			values = []string{"nothing"}
		}
		return same(strings.Join(values, " "), strings.Join(rest, " "))
	case "silent":
		if said := textOf(w.last.Message); strings.Contains(said, rest[0]) {
			return fmt.Errorf("the bot answered %q", said)
		}
		return nil
	case "file": // the last answer has a file with the text
		return w.wantFile(rest[0])
	case "picture": // the last answer shows a picture with the description
		return w.wantPicture(rest[0])
	case "pings":
		return w.wantPings(w.last.Message, rest)
	case "text":
		return w.onBoard(func(m *discordsim.Message) error { return contains(textOf(m), rest[0]) })
	case "lacks":
		return w.onBoard(func(m *discordsim.Message) error {
			if said := textOf(m); strings.Contains(said, rest[0]) {
				return fmt.Errorf("the answer is %q", said)
			}
			return nil
		})
	case "board":
		return w.onBoard(func(m *discordsim.Message) error { return same(boardOf(m), rest[0]) })
	case "buttons":
		return w.onBoard(func(m *discordsim.Message) error {
			var labels []string
			for _, b := range buttonsOf(m) {
				if b.Label != "" && (b.Emoji == nil || onSquare(b) == "") && !b.Disabled {
					labels = append(labels, strings.ReplaceAll(b.Label, " ", "-"))
				}
			}
			return same(strings.Join(labels, " "), strings.Join(rest, " "))
		})
	case "winning":
		return w.onBoard(func(m *discordsim.Message) error {
			var squares []string
			for _, b := range buttonsOf(m) {
				if b.Style == 3 && onSquare(b) != "" {
					squares = append(squares, b.CustomID[strings.LastIndex(b.CustomID, ":")+1:])
				}
			}
			return same(strings.Join(squares, " "), strings.Join(rest, " "))
		})
	case "edits":
		return same(fmt.Sprint(w.edits()), rest[0])
	case "holds": // which people have the role
		return same(strings.Join(w.holders(rest[0]), " "), strings.Join(rest[1:], " "))
	case "refused":
		return same(fmt.Sprint(w.refused()), rest[0])
	case "scores":
		return w.rebuildScores()
	default:
		return w.person(verb, rest)
	}
}

// permit sets a permission of the bot: whether it sees a channel, may do something in a channel, or is in the server.
func (w *world) permit(words []string) error {
	const bot = "tictactoe"
	switch words[0] {
	case "loses":
		lost, err := discordsim.ParsePermissions(words[2:]...)
		if err != nil {
			return err
		}
		if lost == 0 {
			lost = discordsim.ViewChannel
		}
		return w.sim.SetOverwrite(words[1], bot, 0, lost)
	case "regains":
		return w.sim.SetOverwrite(words[1], bot, 0, 0)
	case "may": // gives the bot these permissions in the server, and no others beyond everybody's
		may, err := discordsim.ParsePermissions(words[1:]...)
		if err != nil {
			return err
		}
		return w.sim.SetMember("Playground", bot, discordsim.Membership{Permissions: may})
	case "leaves":
		return w.sim.RemoveMember("", bot)
	case "returns":
		if err := w.sim.SetMember("", bot, discordsim.Membership{}); err != nil || !w.overHTTP {
			return err
		}
		return w.act([]string{"restart"}) // over HTTP the bot asks for its servers only when it starts, and once a day
	}
	return fmt.Errorf("a bot cannot %q", words[0])
}

// person performs a user's action.
func (w *world) person(name string, words []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	u := w.sim.User(name)
	if u.ID() == "" {
		return fmt.Errorf("%q is neither a user nor a verb", name)
	}
	if !slices.Contains(w.people, name) {
		w.people = append(w.people, name)
	}
	switch {
	case strings.HasPrefix(words[0], "/"):
		path, options, _ := typed(words)
		return w.took(u.Command(ctx, w.channel, path, options))
	case words[0] == "types": // types a command up to the last option, which is still being typed
		path, options, last := typed(words[1:])
		return w.took(u.Autocomplete(ctx, w.channel, path, options, last))
	case words[0] == "menu":
		return w.took(u.UserCommand(ctx, w.channel, words[1], words[2]))
	case words[0] == "clicks":
		b, err := w.button(words[1])
		if err != nil {
			return err
		}
		return w.took(u.Click(ctx, w.here, discordsim.Button{CustomID: b.CustomID}))
	case words[0] == "presses": // presses a button without waiting for the answer
		b, err := w.button(words[1])
		if err != nil {
			return err
		}
		r, err := u.Click(ctx, w.here, discordsim.Button{CustomID: b.CustomID, Hold: true})
		w.pressed = append(w.pressed, r.Interaction)
		return err
	case words[0] == "forges":
		return w.took(u.Click(ctx, w.here, discordsim.Button{CustomID: words[1], Forge: true}))
	case words[0] == "double-clicks":
		b, err := w.button(words[1])
		if err != nil {
			return err
		}
		return w.both(ctx, u, b.CustomID, u, b.CustomID)
	case words[0] == "and": // for example, "alice and bob press Rematch"
		b, err := w.button(words[3])
		if err != nil {
			return err
		}
		return w.both(ctx, u, b.CustomID, w.sim.User(words[1]), b.CustomID)
	case words[0] == "picks": // for example, "alice picks policy:clock 5m"
		return w.took(u.Select(ctx, w.here, words[1], words[2:]...))
	case words[0] == "chooses": // selects users in the menu of the current message, replacing the earlier selection
		menu, err := w.menu()
		if err != nil {
			return err
		}
		return w.took(u.Select(ctx, w.here, menu, words[1:]...))
	case words[0] == "submits": // submits the modal with a text for its only input, or texts for inputs by name
		fields := map[string]any{}
		for _, typed := range words[1:] {
			field, text, named := strings.Cut(typed, ":")
			if !named {
				field, text = "word", typed
			}
			fields[field] = text
		}
		return w.took(u.Submit(ctx, w.last.Interaction, fields))
	case words[0] == "privately":
		return w.privately(u, words[1:])
	case words[0] == "sees":
		messages, err := u.Messages(w.channel)
		if err != nil {
			return err
		}
		var all []string
		for _, m := range messages {
			all = append(all, textOf(m))
		}
		return contains(strings.Join(all, "\n---\n"), words[1])
	}
	return fmt.Errorf("%s cannot %q", name, words[0])
}

// privately checks the private messages that a user has in the channel, and dismisses the latest one.
func (w *world) privately(u *discordsim.User, words []string) error {
	messages, err := u.Messages(w.channel)
	if err != nil {
		return err
	}
	own := slices.DeleteFunc(messages, func(m *discordsim.Message) bool { return !m.Ephemeral() })
	if words[0] == "has" {
		return same(fmt.Sprint(len(own)), words[1])
	}
	if len(own) == 0 {
		return errors.New("there is no private message")
	}
	latest := own[len(own)-1]
	switch words[0] {
	case "reads":
		return contains(textOf(latest), words[1])
	case "dismisses":
		return u.Dismiss(latest.ID)
	}
	return fmt.Errorf("nobody privately %q", words[0])
}

// typed parses a slash command: its path, its options, and the name of the last one.
func typed(words []string) (path string, options map[string]any, last string) {
	options = map[string]any{}
	for _, word := range words {
		if key, value, ok := strings.Cut(word, ":"); ok {
			options[key], last = value, key
			if on, err := strconv.ParseBool(value); err == nil && len(value) > 1 { // the option is a boolean, not a number
				options[key] = on
			}
			if seconds, err := strconv.ParseFloat(value, 64); err == nil && key == "seconds" {
				options[key] = seconds
			}
		} else {
			path = strings.TrimSpace(path + " " + strings.TrimPrefix(word, "/"))
		}
	}
	return path, options, last
}

// both delivers two clicks before the bot answers either of them.
func (w *world) both(ctx context.Context, a *discordsim.User, idA string, b *discordsim.User, idB string) error {
	release := make(chan struct{})
	w.sim.SetFaults(discordsim.Faults{BeforeCallback: func(ctx context.Context, _ string) {
		select {
		case <-release:
		case <-ctx.Done():
		}
	}})
	first, err := a.Click(ctx, w.here, discordsim.Button{CustomID: idA, Hold: true})
	if err != nil {
		return err
	}
	synctest.Wait() // over HTTP the clicks use different connections, and could overtake each other
	second, err := b.Click(ctx, w.here, discordsim.Button{CustomID: idB, Hold: true})
	if err != nil {
		return err
	}
	synctest.Wait()
	close(release)
	w.sim.SetFaults(discordsim.Faults{})
	if err := w.took(w.sim.Await(ctx, first.Interaction)); err != nil {
		return err
	}
	return w.took(w.sim.Await(ctx, second.Interaction))
}

// took checks how an interaction ended. Scripts require that every interaction is answered: without an answer or acknowledgement
// within three seconds, it ends as a timeout.
func (w *world) took(r discordsim.Result, err error) error {
	if err != nil {
		return err
	}
	w.last = r
	if r.Status != "answered" && !w.expected[string(r.Status)] {
		return fmt.Errorf("the interaction ended as %q: %v", r.Status, r.Error)
	}
	if r.Message != nil && !r.Ephemeral && len(buttonsOf(r.Message)) > 0 {
		w.here = r.Message.ID
	}
	synctest.Wait()
	return nil
}

func (w *world) wantAnswer(kinds []string) error {
	got := "public"
	switch {
	case w.last.Modal != nil:
		got = "modal"
	case w.last.Message == nil:
		got = "nothing"
	case w.last.Ephemeral:
		got = "private"
	}
	return same(got, kinds[0])
}

func (w *world) wantPings(m *discordsim.Message, names []string) error {
	var got []string
	if m != nil {
		for _, p := range m.Mentions {
			got = append(got, p.Username)
		}
		for _, role := range m.MentionRoles {
			got = append(got, w.named[role])
		}
	}
	if len(names) == 1 && names[0] == "nobody" {
		names = nil
	}
	return same(strings.Join(got, " "), strings.Join(names, " "))
}

func (w *world) onBoard(f func(*discordsim.Message) error) error {
	m, err := w.board()
	if err != nil {
		return err
	}
	return f(m)
}

// board returns the current message, as it is seen by the first of the users who can see it.
func (w *world) board() (*discordsim.Message, error) {
	for _, name := range w.people {
		messages, err := w.sim.User(name).Messages(w.channel)
		if err != nil {
			continue
		}
		for _, m := range messages {
			if m.ID == w.here {
				return m, nil
			}
		}
	}
	return nil, fmt.Errorf("there is no message %q here", w.here)
}

// button finds a button by its label, its square or its custom_id. In a script, a label of two words has a hyphen between them.
func (w *world) button(name string) (discordsim.Component, error) {
	m, err := w.board()
	if err != nil {
		return discordsim.Component{}, err
	}
	for _, b := range buttonsOf(m) {
		if strings.ReplaceAll(b.Label, " ", "-") == name || b.CustomID == name {
			return b, nil
		}
	}
	if b, ok := squareOf(m, name); ok {
		return b, nil
	}
	return discordsim.Component{}, fmt.Errorf("no button %q on:\n%s", name, textOf(m))
}

// menu returns the custom_id of the user menu on the current message.
func (w *world) menu() (id string, err error) {
	err = w.onBoard(func(m *discordsim.Message) error {
		walk(m.Components, func(c discordsim.Component) {
			if c.Type == 5 {
				id = c.CustomID
			}
		})
		if id == "" {
			return errors.New("there is no menu here")
		}
		return nil
	})
	return id, err
}

// callOption names the value of the option with that label in a menu of the current message.
func (w *world) callOption(label, name string) error {
	return w.onBoard(func(m *discordsim.Message) (err error) {
		err = fmt.Errorf("no menu has an option %q", label)
		walk(m.Components, func(c discordsim.Component) {
			for _, o := range c.Options {
				if strings.Contains(o.Label, label) {
					w.named[name], err = o.Value, nil
				}
			}
		})
		return err
	})
}

// wantFile looks for a text in the file of the last answer.
func (w *world) wantFile(text string) error {
	if w.last.Message == nil {
		return errors.New("there was no answer")
	}
	var file struct{ URL string }
	walk(w.last.Message.Components, func(c discordsim.Component) {
		if c.Type == 13 {
			json.Unmarshal(c.File, &file) // without a file the address stays empty
		}
	})
	return w.wantContent(file.URL, text)
}

// wantPicture checks that the last answer has a picture with the given description.
func (w *world) wantPicture(text string) error {
	if w.last.Message == nil {
		return errors.New("there was no answer")
	}
	var items []struct {
		Media       struct{ URL string }
		Description string
	}
	walk(w.last.Message.Components, func(c discordsim.Component) {
		if c.Type == 12 {
			json.Unmarshal(c.Items, &items) // without pictures the list stays empty
		}
	})
	if len(items) != 1 {
		return fmt.Errorf("there are %d pictures", len(items))
	}
	if err := contains(items[0].Description, text); err != nil {
		return err
	}
	kind := "PNG"
	if strings.Contains(items[0].Media.URL, ".gif") {
		kind = "GIF89a"
	}
	return w.wantContent(items[0].Media.URL, kind)
}

// wantContent checks the content at the given address.
func (w *world) wantContent(address, text string) error {
	transport := &http.Transport{DialContext: w.network.Dial, DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{Transport: transport}).Get(address)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	return contains(string(content), text)
}

// callMatch gives a name to the id of the board's match, which the board's buttons carry.
func (w *world) callMatch(name string) error {
	m, err := w.board()
	if err != nil {
		return err
	}
	for _, b := range buttonsOf(m) {
		if fields := strings.Split(b.CustomID, ":"); len(fields) > 1 {
			w.named[name] = fields[1]
			return nil
		}
	}
	return errors.New("no button here is about a match")
}

// callSuggestion gives a name to the value of the only suggestion that contains a text.
func (w *world) callSuggestion(text, name string) error {
	var found []string
	for _, c := range w.last.Choices {
		if strings.Contains(c.Name, text) {
			found = append(found, fmt.Sprint(c.Value))
		}
	}
	if len(found) != 1 {
		return fmt.Errorf("%d of the suggestions contain %q: %v", len(found), text, w.last.Choices)
	}
	w.named[name] = found[0]
	return nil
}

// saw returns the latest answer, for the story of a failed scenario.
func (w *world) saw() string {
	if w.last.Message == nil {
		return ""
	}
	private := ""
	if w.last.Ephemeral {
		private = "(private) "
	}
	return private + textOf(w.last.Message) + "\n" + strings.ReplaceAll(boardOf(w.last.Message), "/", "\n")
}

var wordPattern = regexp.MustCompile(`"([^"]*)"|(\S+)`)

// split cuts a line into words; a quoted part is one word.
func split(line string) []string {
	var words []string
	for _, m := range wordPattern.FindAllStringSubmatch(line, -1) {
		words = append(words, m[1]+m[2])
	}
	return words
}

func contains(text, want string) error {
	if strings.Contains(text, want) {
		return nil
	}
	return fmt.Errorf("%q is not in:\n%s", want, text)
}

func same(got, want string) error {
	if diff := cmp.Diff(want, got); diff != "" {
		return fmt.Errorf("(-want +got)\n%s", diff)
	}
	return nil
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")
}
