package world

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tictactoe/discordsim/check"
)

// application is a bot's identity. Its bot user has the same id.
type application struct {
	ID string `json:"id"`
	// Created has the dates of recently created global commands, which count against
	// the daily limit; GuildCreated has the same dates for each server's commands.
	Created      []Timestamp            `json:"created,omitempty"`
	GuildCreated map[string][]Timestamp `json:"guild_created,omitempty"`
	// Endpoint is the URL that receives the interactions; if it is empty, the gateway sends them.
	Endpoint string `json:"endpoint,omitempty"`
}

// dailyCommandCreates is how many commands an application may create in 24 h,
// globally and in each server.
const dailyCommandCreates = 200

// CountCreates returns the application with n more created commands counted, in a server or, if guildID is empty,
// globally. It returns an error if they exceed the daily limit.
func (a *application) CountCreates(guildID string, n int, now time.Time) (*application, error) {
	counted := *a
	counted.GuildCreated = maps.Clone(a.GuildCreated)
	recent := a.Created
	if guildID != "" {
		recent = a.GuildCreated[guildID]
	}
	recent = slices.DeleteFunc(slices.Clone(recent), func(at Timestamp) bool { return now.Sub(at.Time) >= 24*time.Hour })
	if len(recent)+n > dailyCommandCreates {
		return nil, check.ErrDailyCreates
	}
	recent = append(recent, slices.Repeat([]Timestamp{Stamp(now)}, n)...)
	if guildID == "" {
		counted.Created = recent
		return &counted, nil
	}
	if counted.GuildCreated == nil {
		counted.GuildCreated = map[string][]Timestamp{}
	}
	counted.GuildCreated[guildID] = recent
	return &counted, nil
}

// ApplicationOf reads the application's id from a bot token, whose first part is
// the unpadded base64 of a decimal number. It ignores the rest of the token.
func ApplicationOf(token string) (id string, ok bool) {
	first, _, _ := strings.Cut(BareToken(token), ".")
	text, err := base64.RawStdEncoding.DecodeString(first)
	if err != nil || !IsSnowflake(string(text)) {
		return "", false
	}
	return string(text), true
}

// TokenOf returns a token for the bot of an application. The token is no secret, since only a simulator accepts it.
func TokenOf(app string) string {
	return base64.RawStdEncoding.EncodeToString([]byte(app)) + ".playground.local"
}

// AddBot creates an application and its bot user, which joins every server.
func (as *Accounts) AddBot(id, name string) error {
	return as.w.Locked(func() error {
		if err := as.checkUsername(name); err != nil {
			return err
		}
		id, err := as.w.claim(id)
		if err == nil {
			as.enrol(id, name)
		}
		return err
	})
}

// Enrol finds an application or, if it is new, creates it together with its bot user. The first application's bot gets the
// configured name, unless the name is taken.
func (as *Accounts) Enrol(id string) *application {
	if app := as.w.State.Applications[id]; app != nil {
		return app
	}
	name := as.w.Config.BotName
	if len(as.w.State.Applications) > 0 || as.w.State.AccountByName(name) != nil {
		name = fmt.Sprintf("bot-%s", id)
	}
	return as.enrol(id, name)
}

func (as *Accounts) enrol(id, name string) *application {
	app := &application{ID: id}
	as.w.Put(Change{Application: app})
	bot := newAccount(id, Person{Username: name})
	bot.Bot, bot.GlobalName = true, nil
	as.add(bot)
	return app
}

// Installed reports whether an application is a member of a guild.
func (st *State) Installed(appID, guildID string) bool {
	guild := st.Guilds[guildID]
	return guild != nil && guild.Member(appID) != nil
}

// GuildCount counts the servers that an application is a member of.
func (st *State) GuildCount(appID string) (n int) {
	for _, guild := range st.Guilds {
		if guild.Member(appID) != nil {
			n++
		}
	}
	return n
}

// SetEndpoint sends the interactions of an application to a URL or, if the URL is empty, to the gateway.
func (as *Accounts) SetEndpoint(app, to string) {
	changed := *as.Enrol(app)
	changed.Endpoint = to
	as.w.Put(Change{Application: &changed})
	as.w.Events.PublishState()
}

// EndpointOf returns the URL of an application's interactions endpoint, or nil.
func (st *State) EndpointOf(app string) *string {
	if a := st.Applications[app]; a != nil && a.Endpoint != "" {
		return &a.Endpoint
	}
	return nil
}

// Webhook lets an application write into a channel with the webhook's own token. It is immutable: a change stores a
// new value.
type Webhook struct {
	ID          string `json:"id"`
	Token       string `json:"token"`
	Application string `json:"application"`
	Channel     string `json:"channel"`
	Name        string `json:"name"`
	Avatar      string `json:"avatar,omitempty"` // the hash of its avatar
}

// Avatar is the picture of a webhook: its bytes, or the URL of an external picture, which the simulator never
// fetches. It is immutable.
type Avatar struct {
	Hash string `json:"hash"`
	Type string `json:"type,omitempty"` // such as image/png
	Data []byte `json:"data,omitempty"`
	URL  string `json:"url,omitempty"`
}

// Speaker returns the id of the application that writes as the given author: the owner of the webhook with that id,
// or else the application with that id.
func (st *State) Speaker(id string) string {
	if hook := st.Webhooks[id]; hook != nil {
		return hook.Application
	}
	return id
}
