package discordsim

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// application is a bot's identity. Its bot user has the same id.
type application struct {
	ID string `json:"id"`
	// Created has the dates of recently created global commands, which count against
	// the daily limit; GuildCreated has the same dates for each server's commands.
	Created      []timestamp            `json:"created,omitempty"`
	GuildCreated map[string][]timestamp `json:"guild_created,omitempty"`
	// Endpoint is the URL that gets the interactions instead of the gateway.
	Endpoint string `json:"endpoint,omitempty"`
}

// dailyCommandCreates is how many commands an application may create in 24 h,
// globally and in each server.
const dailyCommandCreates = 200

// create counts n new commands, of a server or global, or returns an error if
// they exceed the daily limit.
func (a *application) create(guildID string, n int, now time.Time) (*application, error) {
	counted := *a
	counted.GuildCreated = maps.Clone(a.GuildCreated)
	recent := a.Created
	if guildID != "" {
		recent = a.GuildCreated[guildID]
	}
	recent = slices.DeleteFunc(slices.Clone(recent), func(at timestamp) bool { return now.Sub(at.Time) >= 24*time.Hour })
	if len(recent)+n > dailyCommandCreates {
		return nil, errDailyCreates
	}
	recent = append(recent, slices.Repeat([]timestamp{stamp(now)}, n)...)
	if guildID == "" {
		counted.Created = recent
		return &counted, nil
	}
	if counted.GuildCreated == nil {
		counted.GuildCreated = map[string][]timestamp{}
	}
	counted.GuildCreated[guildID] = recent
	return &counted, nil
}

// applicationOf reads the application's id from a bot token, whose first part is
// the unpadded base64 of a decimal number. It ignores the rest of the token.
func applicationOf(token string) (id string, ok bool) {
	first, _, _ := strings.Cut(bare(token), ".")
	text, err := base64.RawStdEncoding.DecodeString(first)
	if err != nil || !isSnowflake(string(text)) {
		return "", false
	}
	return string(text), true
}

// Enrol finds an application or, if it is new, creates it together with its bot user. The first application's bot gets the
// configured name, unless the name is taken.
func (as *Accounts) Enrol(id string) *application {
	if app := as.w.state.applications[id]; app != nil {
		return app
	}
	app := &application{ID: id}
	name := as.w.config.BotName
	if len(as.w.state.applications) > 0 || as.w.state.accountByName(name) != nil {
		name = fmt.Sprintf("bot-%s", id)
	}
	as.w.Put(change{Application: app})
	bot := newAccount(id, Person{Username: name})
	bot.Bot, bot.GlobalName = true, nil
	as.add(bot)
	return app
}

// installed reports whether an application is a member of a guild.
func (st *state) installed(appID, guildID string) bool {
	guild := st.guilds[guildID]
	return guild != nil && guild.member(appID) != nil
}

// guildCount counts the servers that an application is a member of.
func (st *state) guildCount(appID string) (n int) {
	for _, guild := range st.guilds {
		if guild.member(appID) != nil {
			n++
		}
	}
	return n
}

// signingKey returns the private key that signs the requests to an application's
// endpoint. It is derived from the id, so it is not a secret.
func signingKey(app string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte("discordsim " + app))
	return ed25519.NewKeyFromSeed(seed[:])
}

// verifyKey returns the public key with which an application verifies Discord's
// signatures, in hexadecimal.
func verifyKey(app string) string {
	return hex.EncodeToString(signingKey(app).Public().(ed25519.PublicKey))
}

// SetEndpoint sends the interactions of an application to a URL or, if it is empty, to the gateway.
func (as *Accounts) SetEndpoint(app, to string) {
	changed := *as.Enrol(app)
	changed.Endpoint = to
	as.w.Put(change{Application: &changed})
	as.w.events.PublishState()
}

// endpointOf returns an application's endpoint, or nil.
func (st *state) endpointOf(app string) *string {
	if a := st.applications[app]; a != nil && a.Endpoint != "" {
		return &a.Endpoint
	}
	return nil
}
