package page_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

type object = map[string]any

// fake is a small stand-in for the simulator that follows docs/simulator.md. It includes a bot. Each of the bot's
// commands shows one feature of the page.
type fake struct {
	mu       sync.Mutex
	serial   int
	offset   time.Duration
	users    []object
	messages []*posted
	streams  map[chan frame]string
	calls    []string // the calls by which the page changed something: "path body"
	down     bool

	places   []*place
	guilds   []object // the servers that were added
	members  []*member
	faults   object
	endpoint string
	absent   []object // the unsimulated features that the bot requested
}

type posted struct {
	channel, only string // only is the user who sees an ephemeral message
	body          object
}

type frame struct {
	event string
	data  any
}

const (
	fakeGuild, fakeGeneral, fakeDM, fakeApp = "100", "200", "201", "900"
	hostile                                 = `**<img src=x onerror=alert(1)>** [x](https://evil.example) ||@everyone|| <@2>`
)

func newFake() *fake {
	person := func(id, name, shown string) object {
		return object{"id": id, "username": name, "global_name": shown, "locale": "en-US", "bot": false, "status": "online", "installs": false}
	}
	return &fake{
		places:  []*place{{id: fakeGeneral, name: "general", guild: fakeGuild}},
		members: []*member{{user: "1"}, {user: "2"}, {user: "3"}, {user: "4"}, {user: fakeApp}},
		faults:  object{},
		serial:  1000,
		streams: map[chan frame]string{},
		users:   []object{person("1", "alice", "Alice"), person("2", "bob", "Bob"), person("3", "carol", "Carol"), person("4", "mallory", hostile)},
	}
}

func (f *fake) bot() object {
	return object{"id": fakeApp, "username": "tictactoe", "global_name": nil, "bot": true}
}

func (f *fake) now() time.Time { return time.Now().Add(f.offset).UTC() }

func (f *fake) id() string {
	f.serial++
	return strconv.Itoa(f.serial)
}

func (f *fake) user(name string) object {
	for _, u := range f.users {
		if u["username"] == name || u["id"] == name {
			return u
		}
	}
	return nil
}

func fakeCommands() []object {
	option := func(kind int, name, description string, required bool, more ...object) object {
		o := object{"type": kind, "name": name, "description": description, "required": required}
		if len(more) > 0 {
			o["choices"] = more
		}
		return o
	}
	choice := func(name, value string) object { return object{"name": name, "value": value} }
	sub := func(name, description string, options ...object) object {
		return object{"type": 1, "name": name, "description": description, "options": options}
	}
	clock := option(3, "clock", "Time for each move", false, choice("1 minute", "1m"), choice("5 minutes", "5m"), choice("1 hour", "1h"))
	return []object{
		{"id": "801", "application_id": fakeApp, "type": 1, "name": "tictactoe", "description": "Tic-Tac-Toe", "options": []object{
			sub("challenge", "Challenge somebody to a game", option(6, "opponent", "Who to play against", true),
				option(3, "first", "Who moves first", false, choice("Random", "random"), choice("Me", "me"), choice("Them", "them")), clock),
			sub("ai", "Play against the computer", option(3, "level", "How strong", false, choice("Easy", "easy"), choice("Unbeatable", "unbeatable"))),
			sub("leaderboard", "Who is ahead on this server"),
		}},
		{"id": "802", "application_id": fakeApp, "type": 1, "name": "show", "description": "Show one thing", "options": []object{
			sub("everything", "Every component"), sub("form", "A form"), sub("inputs", "A form with every kind of input"), sub("question", "A form without fields"), sub("private", "A private answer"),
			sub("silence", "No answer"), sub("greeting", "Greets somebody", option(6, "whom", "Who is greeted", false), option(3, "boldly", "How loud", false, choice("Very", "very"))), sub("refused", "A refused answer"), sub("offers", "Asks the bot", object{"type": 3, "name": "word", "description": "A word that the bot knows", "required": true, "autocomplete": true}), sub("number", "Takes a number", object{"type": 4, "name": "count", "description": "From 1 to 9", "required": true, "min_value": 1, "max_value": 9}),
		}},
		{"id": "803", "application_id": fakeApp, "type": 2, "name": "Challenge to Tic-Tac-Toe", "description": ""},
	}
}

func (f *fake) state(as string) object {
	channels := []object{{"id": fakeGeneral, "name": "general", "type": 0, "guild_id": fakeGuild}}
	if slices.ContainsFunc(f.messages, func(m *posted) bool { return m.channel == fakeDM }) {
		channels = append(channels, object{"id": fakeDM, "name": "@tictactoe", "type": 1, "recipients": []object{f.bot()}})
	}
	state := object{
		"now": f.now().Format(time.RFC3339Nano), "offset_ms": f.offset.Milliseconds(),
		"guilds": []object{{"id": fakeGuild, "name": "Playground", "locale": "en-US", "roles": []object{}}}, "channels": channels,
		"users": append(slices.Clone(f.users), f.bot()), "commands": fakeCommands(),
		"bots": []object{{"application_id": fakeApp, "user": f.bot(), "connected": true, "interactions_endpoint_url": f.endpoint, "not_simulated": f.absent}},
	}
	state["viewer"] = f.users[0]["id"]
	for _, user := range f.users {
		if as == user["username"] || as == user["id"] {
			state["viewer"] = user["id"]
		}
	}
	f.enrich(state, as)
	return state
}

// send delivers a frame to every stream or, if only is not empty, to the streams of that user.
func (f *fake) send(event string, data any, only string) {
	for stream, as := range f.streams {
		if only == "" || only == as {
			select {
			case stream <- frame{event, data}:
			default:
			}
		}
	}
}

func (f *fake) show(p *posted) {
	f.send("message", object{"channel": p.channel, "message": p.body}, p.only)
}

func (f *fake) post(channel, only string, author object, more object) *posted {
	body := object{
		"id": f.id(), "channel_id": channel, "author": author, "content": "", "timestamp": f.now().Format(time.RFC3339Nano), "edited_timestamp": nil,
		"tts": false, "mention_everyone": false, "mentions": []object{}, "mention_roles": []string{}, "attachments": []any{}, "embeds": []any{}, "pinned": false, "type": 0, "flags": 0, "components": []any{},
	}
	for k, v := range more {
		body[k] = v
	}
	p := &posted{channel, only, body}
	f.messages = append(f.messages, p)
	f.show(p)
	return p
}

func v2(components ...object) object { return object{"flags": 1 << 15, "components": components} }

func text(s string) object { return object{"type": 10, "content": s} }

func row(components ...object) object { return object{"type": 1, "components": components} }

func button(style int, id, label string, more object) object {
	b := object{"type": 2, "style": style, "custom_id": id, "label": label}
	for k, v := range more {
		b[k] = v
	}
	return b
}

// board draws nine squares; marks has one character for each.
func (f *fake) board(headline, marks string) object {
	components := []object{text("### " + headline + fmt.Sprintf("\n-# Time runs out <t:%d:R>", f.now().Add(time.Minute).Unix()))}
	for r := range 3 {
		var squares []object
		for c := range 3 {
			i := 3*r + c
			b := button(2, fmt.Sprintf("play:%d:%s", i, marks), "", object{"emoji": object{"name": "▫️"}})
			switch marks[i] {
			case 'X':
				b = button(1, b["custom_id"].(string), "", object{"emoji": object{"name": "❌"}})
			case 'O':
				b = button(4, b["custom_id"].(string), "", object{"emoji": object{"name": "⭕"}})
			}
			squares = append(squares, b)
		}
		components = append(components, row(squares...))
	}
	return v2(append(components, row(button(2, "resign", "Resign", object{"emoji": object{"name": "🏳️"}})))...)
}

func (f *fake) everything() object {
	return v2(
		text("# Heading\n**bold** *italic* __underline__ ~~strike~~ `code` ||spoiler|| [link](https://example.com/)\n> quoted\n- one\n- two\n-# small print <@1> <@404> 🏆 <:odd:55>\n```go\nfmt.Println(\"hello\")\n```"),
		object{"type": 17, "accent_color": 0x5865f2, "components": []object{
			{"type": 9, "components": []object{text("Section with a button")}, "accessory": button(3, "accessory", "Accept", nil)},
			{"type": 14, "divider": true, "spacing": 2},
			{"type": 9, "components": []object{text("Section with a picture")}, "accessory": object{"type": 11, "media": object{"url": "https://cdn.example.com/a.png"}, "description": "a picture"}},
			{"type": 12, "items": []object{{"media": object{"url": "https://cdn.example.com/b.png"}}, {"media": object{"url": "/icon.svg"}, "description": "the icon"}}},
		}},
		object{"type": 17, "spoiler": true, "components": []object{text("hidden box")}},
		row(button(1, "b1", "Primary", nil), button(2, "b2", "Secondary", nil), button(3, "b3", "Success", object{"emoji": object{"name": "✅"}}), button(4, "b4", "Danger", nil), button(5, "", "Link", object{"url": "https://example.com/"})),
		row(button(1, "d1", "Disabled", object{"disabled": true}), button(2, "slow", "Slow", nil), button(2, "broken", "Broken", nil), button(2, "whisper", "Whisper", nil)),
		row(object{"type": 3, "custom_id": "pick", "placeholder": "Choose a level", "options": []object{
			{"label": "Easy", "value": "easy", "description": "for a start", "emoji": object{"name": "🔵"}}, {"label": "Unbeatable", "value": "hard", "default": false}}}),
		row(object{"type": 3, "custom_id": "many", "placeholder": "Choose some", "min_values": 0, "max_values": 2, "options": []object{
			{"label": "A", "value": "a", "default": true}, {"label": "B", "value": "b"}, {"label": "C", "value": "c"}}}),
	)
}

func answered(p *posted) object {
	return object{"interaction": "1", "status": "answered", "ms": 3, "ephemeral": p != nil && p.only != "", "message": body(p), "modal": nil, "error": nil}
}

func body(p *posted) any {
	if p == nil {
		return nil
	}
	return p.body
}

func (f *fake) command(in object) (int, any) {
	as, name := f.user(in["as"].(string)), in["name"].(string)
	channel := fakeGeneral
	if in["channel"] == "@tictactoe" || in["channel"] == fakeDM {
		channel = fakeDM
	}
	id := f.id()
	reply := func(only string, more object) object {
		more["interaction_metadata"] = object{"id": id, "type": 2, "user": as}
		more["interaction"] = object{"id": id, "type": 2, "name": name, "user": as}
		more["type"] = 20
		if only != "" {
			flags, _ := more["flags"].(int)
			more["flags"] = flags | 64
		}
		return answered(f.post(channel, only, f.bot(), more))
	}
	modal := func(components ...object) object {
		a := answered(nil)
		a["interaction"], a["modal"] = id, object{"custom_id": "form", "title": "Resign the game?", "components": components}
		return a
	}
	switch name {
	case "tictactoe ai":
		return 200, reply("", f.board(fmt.Sprintf("❌ <@%s> against ⭕ the computer", as["id"]), "........."))
	case "tictactoe challenge", "Challenge to Tic-Tac-Toe":
		target, _ := in["target"].(string)
		if options, ok := in["options"].(object); ok {
			target = options["opponent"].(string)
		}
		other := f.user(target)
		if other == nil {
			return 400, object{"error": "no such opponent"}
		}
		more := v2(text(fmt.Sprintf("<@%s>, <@%s> challenges you", other["id"], as["id"])), row(button(3, "accept", "Accept", nil), button(4, "decline", "Decline", nil)))
		more["mentions"] = []object{other}
		return 200, reply("", more)
	case "show everything":
		return 200, reply("", f.everything())
	case "show private":
		return 200, reply(as["id"].(string), v2(text("Just for you")))
	case "show form":
		return 200, modal(row(object{"type": 4, "custom_id": "name", "style": 1, "label": "Your name", "required": true}),
			object{"type": 18, "label": "Why", "description": "In your own words", "component": object{"type": 4, "custom_id": "why", "style": 2, "required": false}})
	case "show inputs":
		label := func(words string, component object) object {
			return object{"type": 18, "label": words, "component": component}
		}
		options := []object{{"label": "Red", "value": "r"}, {"label": "Blue", "value": "b", "description": "as the sky"}, {"label": "Green", "value": "g", "default": true}}
		return 200, modal(label("Several", object{"type": 3, "custom_id": "several", "options": options, "max_values": 2}),
			label("Who", object{"type": 5, "custom_id": "who"}), label("One", object{"type": 21, "custom_id": "one", "options": options}),
			label("Some", object{"type": 22, "custom_id": "some", "options": options, "min_values": 2}), label("Sure", object{"type": 23, "custom_id": "sure"}),
			label("File", object{"type": 19, "custom_id": "file", "required": false}), object{"type": 99})
	case "show question":
		return 200, modal(text("Your opponent will **win**."))
	case "show silence":
		return 200, object{"interaction": id, "status": "timeout", "ms": 3000, "message": nil, "modal": nil, "error": nil}
	case "show refused":
		return 200, object{"interaction": id, "status": "failed", "ms": 5, "message": nil, "modal": nil, "error": object{"code": 50035, "message": "Invalid Form Body"}}
	}
	return 200, reply("", v2(text("ok "+name)))
}

func (f *fake) click(in object) (int, any) {
	as, custom := f.user(in["as"].(string)), in["custom_id"].(string)
	i := slices.IndexFunc(f.messages, func(p *posted) bool { return p.body["id"] == in["message"] })
	if i < 0 {
		return 404, object{"error": "no such message"}
	}
	clicked := f.messages[i]
	switch {
	case strings.HasPrefix(custom, "play:"):
		square, marks, _ := strings.Cut(strings.TrimPrefix(custom, "play:"), ":")
		n, _ := strconv.Atoi(square)
		if marks[n] != '.' {
			return 200, answered(f.post(clicked.channel, as["id"].(string), f.bot(), object{"flags": 64 | 1<<15, "components": []object{text("That square is taken.")}}))
		}
		next := []byte(marks)
		next[n] = 'X'
		if free := strings.IndexByte(string(next), '.'); free >= 0 {
			next[free] = 'O'
		}
		for k, v := range f.board("Your move", string(next)) {
			clicked.body[k] = v
		}
		clicked.body["edited_timestamp"] = f.now().Format(time.RFC3339Nano)
		f.show(clicked)
		return 200, answered(clicked)
	case custom == "broken":
		return 200, object{"interaction": f.id(), "status": "failed", "ms": 3, "message": nil, "modal": nil, "error": object{"code": 50035}}
	case custom == "whisper":
		return 200, answered(f.post(clicked.channel, as["id"].(string), f.bot(), object{"flags": 64 | 1<<15, "components": []object{text("psst")}, "type": 19, "message_reference": object{"message_id": clicked.body["id"]}}))
	}
	clicked.body["components"] = []object{text(fmt.Sprintf("<@%s> pressed %s", as["id"], custom))}
	f.show(clicked)
	return 200, answered(clicked)
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/sim/events" {
		f.events(w, r)
		return
	}
	if strings.HasPrefix(r.URL.Path, "/sim/emojis/") {
		w.Header().Set("Content-Type", "image/svg+xml")
		fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><circle cx="8" cy="8" r="8"/></svg>`)
		return
	}
	var in object
	if r.Method != http.MethodGet && r.Method != http.MethodDelete {
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, `{"error":"bad JSON"}`, http.StatusBadRequest)
			return
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.down {
		http.Error(w, "down", http.StatusBadGateway)
		return
	}
	status, out := 200, any(object{})
	if in != nil || r.Method == http.MethodDelete {
		line, _ := json.Marshal(in)
		f.calls = append(f.calls, r.URL.Path+" "+string(line))
	}
	if made, answer, known := f.making(r, in); known {
		if l, many := answer.(lines); many {
			l.write(w)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(made)
		json.NewEncoder(w).Encode(answer)
		return
	}
	switch r.URL.Path {
	case "/sim/state":
		out = f.state(r.URL.Query().Get("as"))
	case "/sim/messages":
		out = f.visible(r.URL.Query().Get("channel"), r.URL.Query().Get("as"))
	case "/sim/command":
		status, out = f.command(in)
	case "/sim/click":
		status, out = f.click(in)
	case "/sim/select":
		out = answered(f.post(fakeGeneral, "", f.bot(), object{"content": fmt.Sprint("picked ", in["values"])}))
	case "/sim/modal":
		out = answered(f.post(fakeGeneral, "", f.bot(), object{"content": fmt.Sprint("submitted ", in["fields"])}))
	case "/sim/message":
		channel := fakeGeneral
		if in["channel"] == "@tictactoe" || in["channel"] == fakeDM {
			channel = fakeDM
		}
		out = f.post(channel, "", f.user(in["as"].(string)), object{"content": in["content"]}).body
	case "/sim/dismiss":
		f.messages = slices.DeleteFunc(f.messages, func(p *posted) bool { return p.body["id"] == in["message"] })
	case "/sim/users":
		in["id"] = f.id()
		f.users = append(f.users, in)
		f.send("state", object{}, "")
		out = in
	case "/sim/clock":
		step, err := time.ParseDuration(in["advance"].(string))
		if err != nil {
			status = 400
			break
		}
		f.offset += step
		out = object{"now": f.now().Format(time.RFC3339Nano), "offset_ms": f.offset.Milliseconds()}
		f.send("clock", out, "")
	default:
		status, out = 404, object{"error": "no such call"}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(out)
}

func (f *fake) visible(channel, as string) []object {
	out := []object{}
	id, _ := f.user(as)["id"].(string)
	for _, p := range f.messages {
		here := p.channel == channel || (channel == "@tictactoe" && p.channel == fakeDM)
		if here && (p.only == "" || p.only == id) {
			out = append(out, p.body)
		}
	}
	return out
}

func (f *fake) events(w http.ResponseWriter, r *http.Request) {
	stream := make(chan frame, 64)
	f.mu.Lock()
	if f.down {
		f.mu.Unlock()
		http.Error(w, "down", http.StatusBadGateway)
		return
	}
	id, _ := f.user(r.URL.Query().Get("as"))["id"].(string)
	f.streams[stream] = id
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		delete(f.streams, stream)
		f.mu.Unlock()
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	http.NewResponseController(w).Flush()
	for {
		select {
		case <-r.Context().Done():
			return
		case next := <-stream:
			if next.event == "" { // the connection is cut
				return
			}
			f.mu.Lock()
			data, _ := json.Marshal(next.data)
			f.mu.Unlock()
			fmt.Fprintf(w, "event: %s\ndata: %s\n\n", next.event, data)
			http.NewResponseController(w).Flush()
		}
	}
}

// setDown cuts every stream and refuses all calls, or accepts calls again.
func (f *fake) setDown(down bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.down = down
	if down {
		f.send("", nil, "")
	}
}

// asked reports whether the page has made a call whose path and body contain all parts.
func (f *fake) asked(parts ...string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.calls, func(call string) bool {
		for _, part := range parts {
			if !strings.Contains(call, part) {
				return false
			}
		}
		return true
	})
}

// say posts a plain message from outside the page.
func (f *fake) say(as, content string, more object) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if more == nil {
		more = object{}
	}
	more["content"] = content
	f.post(fakeGeneral, "", f.user(as), more)
}
