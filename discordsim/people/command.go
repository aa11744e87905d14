package people

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tictactoe/discordsim/world"
)

// usable returns the installations that allow an account to use the command in a channel, keyed as in
// authorizing_integration_owners. If the account may not use the command, why is the reason.
func usable(w *world.World, cmd *world.Command, who *world.Account, ch *world.Channel) (owners map[string]string, why string) {
	if cmd.GuildID != "" && cmd.GuildID != ch.GuildID {
		return nil, "it belongs to another server"
	}
	where := w.State.ContextOf(ch, cmd.ApplicationID)
	if cmd.GuildID == "" && len(cmd.Contexts) > 0 && !slices.Contains(cmd.Contexts, where) {
		return nil, "it is not offered in this kind of channel"
	}
	if cmd.DMPermission != nil && !*cmd.DMPermission && len(cmd.Contexts) == 0 && where != world.ContextGuild {
		return nil, "it is not offered outside servers"
	}
	if cmd.NSFW && ch.GuildID != "" && !w.State.AgeRestricted(ch) {
		return nil, "it is age-restricted, and this channel is not"
	}
	owners = installations(w.State, cmd, who, ch)
	if len(owners) == 0 {
		return nil, "its application is installed neither here nor by " + who.Username
	}
	if ch.GuildID == "" {
		return owners, ""
	}
	may := w.State.Permissions(who.ID, ch)
	if !ch.HasMessages() {
		return nil, "this channel has no messages"
	}
	if !may.Has(world.UseApplicationCommands) || cmd.Type != world.CommandChat && !may.Has(ch.Writing()) {
		return nil, who.Username + " may not use commands in this channel"
	}
	if why := cmd.Denied(w.State, who.ID, ch); why != "" {
		return nil, why
	}
	return owners, ""
}

// installations returns the installations that make a command available to an
// account in a channel, in the form of authorizing_integration_owners.
func installations(st *world.State, cmd *world.Command, who *world.Account, ch *world.Channel) map[string]string {
	where := st.ContextOf(ch, cmd.ApplicationID)
	owners := map[string]string{}
	byGuild := cmd.GuildID != "" || slices.Contains(cmd.IntegrationTypes, world.InstallGuild)
	switch {
	case byGuild && where == world.ContextGuild && st.Installed(cmd.ApplicationID, ch.GuildID):
		owners["0"] = ch.GuildID
	case byGuild && where == world.ContextBotDirect:
		owners["0"] = "0"
	}
	if slices.Contains(cmd.IntegrationTypes, world.InstallUser) && who.Installs {
		owners["1"] = who.ID
	}
	return owners
}

// ErrAmbiguous means that several applications have a command of the given name. The error names their bots.
// User.Using selects one of them, as does the field application in a call.
var ErrAmbiguous = errors.New("the command is ambiguous")

// findCommand finds the command that a person names in a channel. The application may be empty if only one
// application has a usable command of that name.
func findCommand(w *world.World, who *world.Account, ch *world.Channel, name, application string, menu bool) (found *use, err error) {
	if application != "" {
		bot := w.State.Account(application)
		if bot == nil || !bot.Bot {
			return nil, fmt.Errorf("%w: no bot %q", world.ErrNotFound, application)
		}
		application = bot.ID
	}
	why := ""
	var bots []string // the names of bots with a matching command
	for _, id := range slices.SortedFunc(maps.Keys(w.State.Commands), world.CompareIDs) {
		cmd := w.State.Commands[id]
		words, named := nameMatches(cmd, name, menu)
		if !named || application != "" && cmd.ApplicationID != application {
			continue
		}
		owners, reason := usable(w, cmd, who, ch)
		if reason != "" {
			why = reason
			continue
		}
		if found == nil {
			found = &use{cmd, who, ch, owners, words}
		}
		if bot := nameOf(w, cmd.ApplicationID); !slices.Contains(bots, bot) {
			bots = append(bots, bot)
		}
	}
	switch {
	case len(bots) > 1:
		return nil, fmt.Errorf("%w: %q is a command of %s; name one as application", ErrAmbiguous, name, strings.Join(bots, " and of "))
	case found != nil:
		return found, nil
	case why != "":
		return nil, fmt.Errorf("the command %q cannot be used here: %s", name, why)
	case application != "":
		return nil, fmt.Errorf("%w: %s has no command %q", world.ErrNotFound, nameOf(w, application), name)
	}
	return nil, fmt.Errorf("%w: no command %q", world.ErrNotFound, name)
}

// nameMatches reports whether a name denotes the command, and returns the words of its subcommand.
func nameMatches(c *world.Command, name string, menu bool) (subcommand []string, is bool) {
	if menu {
		return nil, (c.Type == world.CommandUser || c.Type == world.CommandMessage) && c.Name == name
	}
	words := strings.Fields(name)
	if len(words) == 0 || c.Type != world.CommandChat || c.Name != words[0] {
		return nil, false
	}
	return words[1:], true
}

// nameOf returns the name of a bot for an error.
func nameOf(w *world.World, app string) string {
	return fmt.Sprintf("%s (application %s)", w.State.Accounts[app].Username, app)
}
