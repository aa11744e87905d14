// Package seed reads descriptions of a world: people, servers with roles, channels and members, the first bot with its
// commands, and messages. docs/simulator.md describes the format.
package seed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/faults"
	"tictactoe/discordsim/people"
	"tictactoe/discordsim/rest"
	"tictactoe/discordsim/transcript"
	"tictactoe/discordsim/world"
)

// Application is the id of the first application, unless a seed gives it another id.
const Application = "100000000000000001"

// whole is a seed. Its elements are decoded one by one, so that errors name their place.
type whole struct {
	Bot      json.RawMessage   `json:"bot"`
	Users    []json.RawMessage `json:"users"`
	Guilds   []json.RawMessage `json:"guilds"`
	Messages []json.RawMessage `json:"messages"`
}

type bot struct {
	ID          string          `json:"id"`
	Username    string          `json:"username"`
	Permissions []string        `json:"permissions"` // the bot's permissions in each server
	Commands    json.RawMessage `json:"commands"`    // in the form of PUT /applications/{id}/commands
}

type user struct {
	world.Person
	Status string `json:"status"`
}

type guild struct {
	ID         string            `json:"id"`
	Name       string            `json:"name"`
	Locale     string            `json:"locale"`
	Community  bool              `json:"community"`
	BotsAbsent bool              `json:"bots_absent"`
	Owner      string            `json:"owner"`
	Roles      []json.RawMessage `json:"roles"`    // the highest first
	Channels   []json.RawMessage `json:"channels"` // a category before its channels
	Members    []json.RawMessage `json:"members"`  // all people of the server besides its owner; if absent, all people
}

type channel struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Type   int    `json:"type"`
	Parent string `json:"parent"`
	world.ForumSpec
	Overwrites []json.RawMessage `json:"overwrites"`
}

type overwrite struct {
	Of    string   `json:"of"`
	Allow []string `json:"allow"`
	Deny  []string `json:"deny"`
}

type member struct {
	User        string   `json:"user"`
	Nick        string   `json:"nick"`
	Roles       []string `json:"roles"`
	Permissions []string `json:"permissions"`
}

// message is a message of a person, or of the bot, which may also have embeds and components. A person's message with a
// title makes a post of a forum.
type message struct {
	As         string          `json:"as"`
	Channel    string          `json:"channel"`
	Content    string          `json:"content"`
	Title      string          `json:"title"`
	Tags       []string        `json:"tags"`
	Embeds     json.RawMessage `json:"embeds,omitempty"`
	Components json.RawMessage `json:"components,omitempty"`
	Flags      int             `json:"flags,omitempty"`
	Poll       json.RawMessage `json:"poll,omitempty"` // in the form of POST /sim/message for a person, and of Discord's API for the bot
}

// Bot returns the id of the first application and the name of its bot. The name is empty
// if the seed does not say it.
func Bot(text []byte) (id, name string, err error) {
	b := bot{ID: Application}
	var all whole
	if err := decode(text, &all); err != nil {
		return "", "", err
	}
	if all.Bot != nil {
		if err := strict(all.Bot, &b); err != nil {
			return "", "", fmt.Errorf("seed: bot: %w", err)
		}
	}
	return b.ID, b.Username, nil
}

// builder fills a world.
type builder struct {
	w   *world.World
	api http.Handler
	ids int    // the number of objects so far
	app string // the bot of the seed; empty if there is none
}

// Fill fills a blank world as a seed describes it. Errors name the place in the seed.
func Fill(blank *world.World, checker *check.Checker, text []byte) error {
	var all whole
	if err := decode(text, &all); err != nil {
		return err
	}
	mux := http.NewServeMux()
	record := transcript.New(blank.Clock)
	rest.New(blank, faults.NewTable(blank), record, checker, rest.Config{}).AddRoutes(mux)
	blank.SetRateLimits(false)
	b := &builder{w: blank, api: mux}
	if err := b.fill(all); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	return nil
}

func (b *builder) fill(all whole) error {
	if all.Users == nil {
		for _, p := range world.Founders {
			all.Users = append(all.Users, world.MustJSON(p))
		}
	}
	if all.Guilds == nil {
		all.Guilds = []json.RawMessage{[]byte(`{"name":"Playground"}`)}
	}
	if err := each(all.Users, "users", b.user); err != nil {
		return err
	}
	if all.Bot != nil {
		if err := b.bot(all.Bot); err != nil {
			return fmt.Errorf("bot: %w", err)
		}
	}
	if err := each(all.Guilds, "guilds", b.guild); err != nil {
		return err
	}
	if all.Bot != nil {
		if err := b.setUpBot(all.Bot); err != nil {
			return fmt.Errorf("bot: %w", err)
		}
	}
	return each(all.Messages, "messages", b.message)
}

// id returns the id that a seed gives an object or, if it gives none, an id that depends only on the number of
// objects before it.
func (b *builder) id(given string) string {
	b.ids++
	if given != "" {
		return given
	}
	return world.FoundingID(b.ids)
}

func (b *builder) user(u user) error {
	u.ID = b.id(u.ID)
	if err := b.w.Accounts.Add(u.Person); err != nil {
		return fmt.Errorf("%s: %w", u.Username, err)
	}
	if u.Status == "" {
		return nil
	}
	return b.w.Accounts.Change(u.ID, world.PersonChange{Status: &u.Status})
}

// bot adds the bot. It joins the servers that are added later.
func (b *builder) bot(text json.RawMessage) error {
	var in bot
	if err := strict(text, &in); err != nil {
		return err
	}
	if in.ID == "" {
		in.ID = Application
	}
	name := in.Username
	if name == "" {
		name = b.w.Config.BotName
	}
	b.app = in.ID
	return b.w.Accounts.AddBot(in.ID, name)
}

// setUpBot gives the bot its permissions and its commands.
func (b *builder) setUpBot(text json.RawMessage) error {
	var in bot
	if err := strict(text, &in); err != nil {
		return err
	}
	may, err := world.ParsePermissions(in.Permissions...)
	if err != nil {
		return fmt.Errorf("permissions: %w", err)
	}
	if may != 0 {
		for _, id := range slices.Clone(b.w.State.GuildOrder) {
			if b.w.State.Guilds[id].BotsAbsent {
				continue
			}
			if err := b.w.Guilds.SetMember(id, b.app, world.Membership{Permissions: may}); err != nil {
				return err
			}
		}
	}
	if in.Commands == nil {
		return nil
	}
	if err := b.call(http.MethodPut, "/applications/"+b.app+"/commands", in.Commands); err != nil {
		return fmt.Errorf("commands: %w", err)
	}
	return nil
}

func (b *builder) guild(in guild) error {
	in.ID = b.id(in.ID)
	_, err := b.w.Guilds.Add(world.Server{
		ID: in.ID, Name: in.Name, Locale: in.Locale, Community: in.Community, Owner: in.Owner, BotsAbsent: in.BotsAbsent, Channels: []string{},
	})
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	if in.Channels == nil {
		in.Channels = []json.RawMessage{[]byte(`{"name":"general"}`)}
	}
	err = each(in.Roles, "roles", func(r world.RoleSpec) error {
		r.ID = b.id(r.ID)
		_, err := b.w.Guilds.NewRole(in.ID, r)
		return err
	})
	if err == nil {
		made := map[string]string{}
		err = each(in.Channels, "channels", func(c channel) error { return b.channel(in.ID, c, made) })
	}
	if err == nil {
		err = b.members(in)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	return nil
}

// channel adds a channel to a server. made has the ids of the server's channels by name.
func (b *builder) channel(guild string, in channel, made map[string]string) error {
	in.ID = b.id(in.ID)
	if made[in.Name] != "" {
		return fmt.Errorf("there is a channel %q already", in.Name)
	}
	made[in.Name] = in.ID
	room := world.Room{ID: in.ID, Guild: guild, Name: in.Name, Type: in.Type, Parent: in.Parent, ForumSpec: in.ForumSpec}
	if id := made[in.Parent]; id != "" {
		room.Parent = id
	}
	if _, err := b.w.Guilds.AddChannel(room); err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	err := each(in.Overwrites, "overwrites", func(o overwrite) error {
		allow, err := world.ParsePermissions(o.Allow...)
		if err != nil {
			return err
		}
		deny, err := world.ParsePermissions(o.Deny...)
		if err != nil {
			return err
		}
		switch o.Of {
		case "":
			return errors.New("an overwrite is for everyone, for a user or for a role")
		case "everyone", "@everyone":
			o.Of = ""
		}
		return b.w.Guilds.SetOverwrite(in.ID, o.Of, allow, deny)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	return nil
}

// members changes the members of a server, and removes the people who are not listed.
func (b *builder) members(in guild) error {
	listed := map[string]bool{b.w.State.Guilds[in.ID].OwnerID: true}
	err := each(in.Members, "members", func(m member) error {
		who, err := b.w.State.Person(m.User)
		if err != nil {
			return err
		}
		may, err := world.ParsePermissions(m.Permissions...)
		if err != nil {
			return err
		}
		listed[who.ID] = true
		return b.w.Guilds.SetMember(in.ID, who.ID, world.Membership{Nick: m.Nick, Permissions: may, Roles: m.Roles})
	})
	if err != nil || in.Members == nil {
		return err
	}
	for _, id := range b.w.State.AccountOrder {
		if listed[id] || b.w.State.Accounts[id].Bot {
			continue
		}
		if err := b.w.Guilds.RemoveMember(in.ID, id); err != nil {
			return err
		}
	}
	return nil
}

// message posts a message of a person or, by the REST API, of the bot.
func (b *builder) message(m message) error {
	who := b.w.State.Account(m.As)
	if who == nil {
		return fmt.Errorf("nobody is called %q", m.As)
	}
	if !who.Bot {
		if m.Embeds != nil || m.Components != nil || m.Flags != 0 {
			return fmt.Errorf("%s is a person and writes text only", who.Username)
		}
		note := people.Note{Content: m.Content, Title: m.Title, Tags: m.Tags}
		if m.Poll != nil {
			note.Poll = &world.PollSpec{}
			if err := strict(m.Poll, note.Poll); err != nil {
				return fmt.Errorf("poll: %w", err)
			}
		}
		_, err := people.NewUser(b.w, who.ID).Send(m.Channel, note)
		return err
	}
	ch, err := b.w.State.ChannelOf(m.Channel)
	if err != nil {
		return err
	}
	m.As, m.Channel = "", ""
	return b.call(http.MethodPost, "/channels/"+ch.ID+"/messages", world.MustJSON(struct {
		Content    string          `json:"content"`
		Embeds     json.RawMessage `json:"embeds,omitempty"`
		Components json.RawMessage `json:"components,omitempty"`
		Flags      int             `json:"flags,omitempty"`
		Poll       json.RawMessage `json:"poll,omitempty"`
	}{m.Content, m.Embeds, m.Components, m.Flags, m.Poll}))
}

// call makes a REST call as the bot, so that it is checked like any other call.
func (b *builder) call(method, path string, body []byte) error {
	r, err := http.NewRequest(method, "/api/v10"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bot "+world.TokenOf(b.app))
	r.Header.Set("Content-Type", "application/json")
	answer := response{header: http.Header{}}
	b.api.ServeHTTP(&answer, r)
	if answer.status/100 != 2 {
		return fmt.Errorf("status %d: %s", answer.status, bytes.TrimSpace(answer.Bytes()))
	}
	return nil
}

// response is an HTTP response that is kept in memory.
type response struct {
	bytes.Buffer
	header http.Header
	status int
}

func (r *response) Header() http.Header    { return r.header }
func (r *response) WriteHeader(status int) { r.status = status }

// each decodes the elements of a list and calls add with them. Errors begin with the place of the element.
func each[T any](list []json.RawMessage, name string, add func(T) error) error {
	for i, text := range list {
		var element T
		err := strict(text, &element)
		if err == nil {
			err = add(element)
		}
		if err != nil {
			return fmt.Errorf("%s[%d]: %w", name, i, err)
		}
	}
	return nil
}

// decode decodes a whole seed.
func decode(text []byte, into *whole) error {
	err := strict(text, into)
	var bad *json.SyntaxError
	if errors.As(err, &bad) {
		err = fmt.Errorf("line %d: %w", 1+bytes.Count(text[:min(int(bad.Offset), len(text))], []byte("\n")), err)
	}
	if err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	return nil
}

// strict decodes JSON and returns an error for unknown fields and for anything after the value.
func strict(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is data after the seed")
	}
	return nil
}
