package world

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"tictactoe/discordsim/check"
)

// Profile is Discord's user object: the public data of a person or a bot.
type Profile struct {
	ID            string  `json:"id"`
	Username      string  `json:"username"`
	GlobalName    *string `json:"global_name"`
	Discriminator string  `json:"discriminator"`
	Avatar        *string `json:"avatar"`
	Bot           bool    `json:"bot,omitempty"`
	PublicFlags   int     `json:"public_flags"`
	Flags         int     `json:"flags"`
	// PrimaryGuild is the server whose tag the user displays; always nil, since tags are not simulated.
	PrimaryGuild *string `json:"primary_guild"`
}

// Account is a person's user account, or the bot user of an application.
type Account struct {
	Profile
	Locale   string `json:"locale,omitempty"`
	Installs bool   `json:"installs,omitempty"`
	Status   string `json:"status,omitempty"`
}

// CurrentStatus returns the account's status: online, idle, dnd or offline.
func (a *Account) CurrentStatus() string { return cmp.Or(a.Status, "online") }

// Presence is a member's status as Discord reports it to a server.
type Presence struct {
	User         map[string]string `json:"user"`
	GuildID      string            `json:"guild_id"`
	Status       string            `json:"status"`
	Activities   []json.RawMessage `json:"activities"`
	ClientStatus map[string]string `json:"client_status"`
}

// Presence returns the account's status as a server's bots see it.
func (a *Account) Presence(guildID string) Presence {
	return Presence{map[string]string{"id": a.ID}, guildID, a.CurrentStatus(), []json.RawMessage{}, map[string]string{}}
}

// Person describes a person to add to the simulator.
type Person struct {
	// ID is the person's id; a new one when empty.
	ID string `json:"id"`
	// Username is the unique handle by which calls name the person.
	Username string `json:"username"`
	// GlobalName is the displayed name; the username when empty.
	GlobalName string `json:"global_name"`
	// Locale is the language of the person's client; en-US when empty.
	Locale string `json:"locale"`
	// Installs reports whether the person has installed every application on their account, and so can use them in
	// servers without their bots.
	Installs bool `json:"installs"`
}

// Founders are the people who exist in a simulator without a seed.
var Founders = [...]Person{
	{Username: "alice", GlobalName: "Alice"},
	{Username: "bob", GlobalName: "Bob"},
	{Username: "carol", GlobalName: "Carol"},
}

func newAccount(id string, p Person) *Account {
	if p.GlobalName == "" {
		p.GlobalName = p.Username
	}
	if p.Locale == "" {
		p.Locale = "en-US"
	}
	profile := Profile{ID: id, Username: p.Username, GlobalName: &p.GlobalName, Discriminator: "0"}
	return &Account{Profile: profile, Locale: p.Locale, Installs: p.Installs}
}

// Add adds a person, who joins every server. It takes the lock.
func (as *Accounts) Add(p Person) error {
	return as.w.Locked(func() error {
		if err := as.checkUsername(p.Username); err != nil {
			return err
		}
		if err := checkLocale(p.Locale); err != nil {
			return err
		}
		id, err := as.w.claim(p.ID)
		if err != nil {
			return err
		}
		as.add(newAccount(id, p))
		return nil
	})
}

// checkUsername returns an error unless a new account can have the username.
func (as *Accounts) checkUsername(username string) error {
	if refused := check.Username(username); refused != nil {
		return fmt.Errorf("nobody can have the username %q: %w", username, refused)
	}
	if as.w.State.AccountByName(username) != nil {
		return fmt.Errorf("the username %q is taken", username)
	}
	return nil
}

// checkLocale returns an error unless name is a Discord locale or empty, which stands for the default.
func checkLocale(name string) error {
	if name != "" && !slices.Contains(check.Locales(), name) {
		return fmt.Errorf("%q is not a language of Discord's", name)
	}
	return nil
}

// PersonChange lists changes to a person. Nil fields change nothing.
type PersonChange struct {
	GlobalName *string `json:"global_name"`
	Locale     *string `json:"locale"`
	// Status is online, idle, dnd or offline.
	Status   *string `json:"status"`
	Installs *bool   `json:"installs"`
}

// Change changes a person, given by name or id. Existing messages keep the
// name under which they were written.
func (as *Accounts) Change(ref string, to PersonChange) error {
	return as.w.Locked(func() error {
		who, err := as.w.State.Person(ref)
		if err != nil {
			return err
		}
		changed := *who
		if name := to.GlobalName; name != nil {
			if n := utf8.RuneCountInString(*name); n > 32 {
				return fmt.Errorf("a displayed name has at most 32 characters, not %d", n)
			}
			shown := cmp.Or(*name, who.Username)
			changed.GlobalName = &shown
		}
		if to.Locale != nil {
			if err := checkLocale(*to.Locale); err != nil {
				return err
			}
			changed.Locale = cmp.Or(*to.Locale, "en-US")
		}
		if to.Status != nil {
			if !slices.Contains([]string{"online", "idle", "dnd", "offline"}, *to.Status) {
				return fmt.Errorf("a status is online, idle, dnd or offline, not %q", *to.Status)
			}
			changed.Status = *to.Status
		}
		if to.Installs != nil {
			changed.Installs = *to.Installs
		}
		as.w.Put(Change{Account: &changed})
		if changed.CurrentStatus() != who.CurrentStatus() {
			as.w.Events.Presence(&changed)
		}
		if *changed.GlobalName != *who.GlobalName {
			for _, id := range as.w.State.GuildOrder {
				if m := as.w.State.Guilds[id].Member(who.ID); m != nil {
					as.w.Events.Member("GUILD_MEMBER_UPDATE", id, m)
				}
			}
		}
		as.w.Events.PublishState()
		return nil
	})
}

// add stores an account, makes it a member of its servers, and opens the
// direct-message channels between people and bots.
func (as *Accounts) add(a *Account) {
	as.w.Put(Change{Account: a})
	for _, id := range as.w.State.GuildOrder {
		guild := as.w.State.Guilds[id]
		if a.Bot && guild.BotsAbsent {
			continue
		}
		joined := guild.Copy()
		joined.Members = append(joined.Members, Member{UserID: a.ID, JoinedAt: Stamp(as.w.Clock.Now())})
		as.w.Put(Change{Guild: joined})
		as.w.Events.Member("GUILD_MEMBER_ADD", id, joined.Member(a.ID))
	}
	for _, id := range as.w.State.AccountOrder {
		if other := as.w.State.Accounts[id]; other.Bot != a.Bot {
			as.w.Guilds.OpenDirect(a.ID, other.ID)
		}
	}
	as.w.Events.PublishState()
}

// Bot returns the id of an application that is given by its id or its bot's name. It accepts the id of an application
// that has not connected yet, and returns an empty ref, which stands for all applications, as it is. It takes the
// lock.
func (as *Accounts) Bot(ref string) (app string, err error) {
	as.w.Lock()
	defer as.w.Unlock()
	if a := as.w.State.Account(ref); a != nil && a.Bot {
		return a.ID, nil
	}
	if ref != "" && !IsSnowflake(ref) {
		return "", fmt.Errorf("%w: no bot %q", ErrNotFound, ref)
	}
	return ref, nil
}

// Self returns a bot's user object as the bot sees it.
func (st *State) Self(app string) any {
	return struct {
		Profile
		Verified    bool    `json:"verified"`
		MFAEnabled  bool    `json:"mfa_enabled"`
		Email       *string `json:"email"`
		Banner      *string `json:"banner"`
		AccentColor *int    `json:"accent_color"`
		Locale      string  `json:"locale"`
	}{Profile: st.Accounts[app].Profile, Verified: true, MFAEnabled: true, Locale: "en-US"}
}
