package world

import "slices"

// Activity is an instance of an application's Activity, which runs in a channel until the simulator stops. It is
// immutable: a change stores a new value.
type Activity struct {
	ApplicationID string           `json:"application_id"`
	InstanceID    string           `json:"instance_id"`
	LaunchID      string           `json:"launch_id"`
	Location      ActivityLocation `json:"location"`
	Users         []string         `json:"users"`
}

// ActivityLocation is where an Activity runs: in a server's channel ("gc") or in a private one ("pc").
type ActivityLocation struct {
	ID        string `json:"id"`
	Kind      string `json:"kind"`
	ChannelID string `json:"channel_id"`
	GuildID   string `json:"guild_id,omitempty"`
}

// Launch adds an interaction's user to the application's Activity in the channel. It starts the Activity if it is not
// running.
func (ins *Interactions) Launch(in *Interaction) *Activity {
	for i, a := range ins.activities {
		if a.ApplicationID != in.ApplicationID || a.Location.ChannelID != in.Channel.ID {
			continue
		}
		if !slices.Contains(a.Users, in.User.ID) {
			joined := *a
			joined.Users = append(slices.Clone(a.Users), in.User.ID)
			ins.activities[i] = &joined
		}
		return ins.activities[i]
	}
	at := ActivityLocation{ID: "pc-" + in.Channel.ID, Kind: "pc", ChannelID: in.Channel.ID}
	if guild := in.Channel.GuildID; guild != "" {
		at = ActivityLocation{ID: "gc-" + guild + "-" + in.Channel.ID, Kind: "gc", ChannelID: in.Channel.ID, GuildID: guild}
	}
	a := &Activity{ApplicationID: in.ApplicationID, LaunchID: ins.w.NextID(), Location: at, Users: []string{in.User.ID}}
	a.InstanceID = "i-" + a.LaunchID + "-" + at.ID
	ins.activities = append(ins.activities, a)
	return a
}

// Activity returns a running instance of an application's Activity by its id, or nil.
func (ins *Interactions) Activity(app, instance string) *Activity {
	for _, a := range ins.activities {
		if a.ApplicationID == app && a.InstanceID == instance {
			return a
		}
	}
	return nil
}
