package discordsim

import (
	"fmt"
	"slices"
	"strings"
)

// The kinds of channel that there are here.
const (
	channelText   = 0
	channelDirect = 1
)

// Channel is a text channel of a server or a direct message between two
// accounts. It is a value that is replaced, never changed.
type Channel struct {
	ID         string      `json:"id"`
	Type       int         `json:"type"`
	GuildID    string      `json:"guild_id,omitempty"`
	Name       string      `json:"name,omitempty"`
	Position   int         `json:"position,omitempty"`
	Overwrites []Overwrite `json:"permission_overwrites,omitempty"`
	Recipients []string    `json:"recipients,omitempty"`
}

// Overwrite changes the permissions of a role or a member in one channel.
type Overwrite struct {
	ID    string     `json:"id"`
	Type  int        `json:"type"` // 0 role, 1 member
	Allow Permission `json:"allow"`
	Deny  Permission `json:"deny"`
}

// SetOverwrite replaces what a channel allows and denies to a member (a name or
// an id) or, when who is empty, to @everyone.
func (s *Sim) SetOverwrite(channelID, who string, allow, deny Permission) error {
	return s.locked(func() error {
		ch := s.state.channels[channelID]
		if ch == nil || ch.GuildID == "" {
			return fmt.Errorf("%w: no channel %q of a server", ErrNotFound, channelID)
		}
		overwrite := Overwrite{ID: ch.GuildID, Allow: allow, Deny: deny}
		if who != "" {
			a := s.state.account(who)
			if a == nil {
				return fmt.Errorf("%w: no user %q", ErrNotFound, who)
			}
			overwrite.ID, overwrite.Type = a.ID, 1
		}
		changed := *ch
		changed.Overwrites = slices.DeleteFunc(slices.Clone(ch.Overwrites), func(o Overwrite) bool { return o.ID == overwrite.ID })
		changed.Overwrites = append(changed.Overwrites, overwrite)
		s.put(change{Channel: &changed})
		s.publishState()
		return nil
	})
}

// openDirect finds or opens the direct-message channel of two accounts.
func (s *Sim) openDirect(a, b string) *Channel {
	if ch := s.state.direct(a, b); ch != nil {
		return ch
	}
	ch := &Channel{ID: s.nextID(), Type: channelDirect, Recipients: []string{a, b}}
	s.put(change{Channel: ch})
	return ch
}

// channelFor finds the channel that a person means: an id, the name of a
// channel of a server, or "@name" for the direct messages with that account.
func (s *Sim) channelFor(viewer *account, ref string) (*Channel, error) {
	if name, ok := strings.CutPrefix(ref, "@"); ok {
		other := s.state.account(name)
		if other == nil || other.ID == viewer.ID {
			return nil, fmt.Errorf("%w: no direct messages of %s with %q", ErrNotFound, viewer.Username, name)
		}
		return s.openDirect(viewer.ID, other.ID), nil
	}
	for _, id := range s.state.channelOrder {
		ch := s.state.channels[id]
		if id != ref && (ch.GuildID == "" || ch.Name != ref) {
			continue
		}
		if s.state.permissions(viewer.ID, ch).Has(ViewChannel) {
			return ch, nil
		}
	}
	return nil, fmt.Errorf("%w: %s sees no channel %q", ErrNotFound, viewer.Username, ref)
}

// channelObject is a channel as Discord's API shows it to one account.
type channelObject struct {
	ID            string      `json:"id"`
	Type          int         `json:"type"`
	LastMessageID *string     `json:"last_message_id"`
	Flags         int         `json:"flags"`
	GuildID       string      `json:"guild_id,omitempty"`
	Name          string      `json:"name,omitempty"`
	Position      *int        `json:"position,omitempty"`
	Overwrites    []Overwrite `json:"permission_overwrites,omitempty"`
	Topic         *string     `json:"topic"`
	ParentID      *string     `json:"parent_id"`
	NSFW          bool        `json:"nsfw"`
	Recipients    []Profile   `json:"recipients,omitempty"`
	Permissions   *Permission `json:"permissions,omitempty"`
}

func (st *state) channelObject(ch *Channel, viewer string) channelObject {
	object := channelObject{ID: ch.ID, Type: ch.Type, GuildID: ch.GuildID, Name: ch.Name, Overwrites: ch.Overwrites}
	if posts := st.posts[ch.ID]; len(posts) > 0 {
		object.LastMessageID = &posts[len(posts)-1].Message.ID
	}
	if ch.GuildID != "" {
		object.Position = &ch.Position
		return object
	}
	for _, id := range ch.Recipients {
		if id != viewer {
			object.Recipients = append(object.Recipients, st.accounts[id].Profile)
		}
	}
	return object
}
