package discordsim

import "fmt"

// Profile is Discord's user object: what everybody sees of a person or a bot.
type Profile struct {
	ID            string  `json:"id"`
	Username      string  `json:"username"`
	GlobalName    *string `json:"global_name"`
	Discriminator string  `json:"discriminator"`
	Avatar        *string `json:"avatar"`
	Bot           bool    `json:"bot,omitempty"`
	PublicFlags   int     `json:"public_flags"`
}

// account is a person or the bot of an application.
type account struct {
	Profile
	Locale   string `json:"locale,omitempty"`
	Installs bool   `json:"installs,omitempty"`
}

// Person describes somebody to add to the simulator.
type Person struct {
	// Username is unique, the handle that calls take.
	Username string `json:"username"`
	// GlobalName is the displayed name; the username when empty.
	GlobalName string `json:"global_name"`
	// Locale is the language of the person's client; en-US when empty.
	Locale string `json:"locale"`
	// Installs says that the person has installed every application for
	// themselves, and can use them where they are not members.
	Installs bool `json:"installs"`
}

// founders are the people whom every simulator starts with.
var founders = [...]Person{
	{Username: "alice", GlobalName: "Alice"},
	{Username: "bob", GlobalName: "Bob"},
	{Username: "carol", GlobalName: "Carol"},
}

func newAccount(id string, p Person) *account {
	if p.GlobalName == "" {
		p.GlobalName = p.Username
	}
	if p.Locale == "" {
		p.Locale = "en-US"
	}
	profile := Profile{ID: id, Username: p.Username, GlobalName: &p.GlobalName, Discriminator: "0"}
	return &account{Profile: profile, Locale: p.Locale, Installs: p.Installs}
}

// AddUser adds a person, who joins every server.
func (s *Sim) AddUser(p Person) (*User, error) {
	err := s.locked(func() error {
		if n := len([]rune(p.Username)); n < 1 || n > 32 {
			return fmt.Errorf("a username has 1 to 32 characters, not %d", n)
		}
		if s.state.accountByName(p.Username) != nil {
			return fmt.Errorf("the username %q is taken", p.Username)
		}
		s.addAccount(newAccount(s.nextID(), p))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.User(p.Username), nil
}

// addAccount stores an account, makes it a member of the servers that it
// belongs to, and opens the direct messages between people and bots.
func (s *Sim) addAccount(a *account) {
	s.put(change{Account: a})
	for _, id := range s.state.guildOrder {
		guild := s.state.guilds[id]
		if a.Bot && guild.BotsAbsent {
			continue
		}
		s.put(change{Guild: guild.with(Member{UserID: a.ID, JoinedAt: stamp(s.clock.Now())})})
	}
	for _, id := range s.state.accountOrder {
		if other := s.state.accounts[id]; other.Bot != a.Bot {
			s.openDirect(a.ID, other.ID)
		}
	}
	s.publishState()
}
