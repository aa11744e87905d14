package discordsim

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ErrAmbiguous means that several applications have a command of the given name.
// The error names their bots; Using, or application in a call, selects one.
var ErrAmbiguous = errors.New("the command is ambiguous")

// findCommand finds the command that a person names in a channel. of names the
// application, and may be empty if only one has a usable command of that name.
func findCommand(w *World, who *account, ch *Channel, name, of string, menu bool) (found *use, err error) {
	if of != "" {
		bot := w.state.account(of)
		if bot == nil || !bot.Bot {
			return nil, fmt.Errorf("%w: no bot %q", ErrNotFound, of)
		}
		of = bot.ID
	}
	why := ""
	var bots []string // with a matching command
	for _, id := range slices.SortedFunc(maps.Keys(w.state.commands), compareIDs) {
		cmd := w.state.commands[id]
		words, named := nameMatches(cmd, name, menu)
		if !named || of != "" && cmd.ApplicationID != of {
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
	case of != "":
		return nil, fmt.Errorf("%w: %s has no command %q", ErrNotFound, nameOf(w, of), name)
	}
	return nil, fmt.Errorf("%w: no command %q", ErrNotFound, name)
}

// nameMatches reports whether a name denotes the command, and returns the words of its subcommand.
func nameMatches(c *Command, name string, menu bool) (subcommand []string, is bool) {
	if menu {
		return nil, (c.Type == commandUser || c.Type == commandMessage) && c.Name == name
	}
	words := strings.Fields(name)
	if len(words) == 0 || c.Type != commandChat || c.Name != words[0] {
		return nil, false
	}
	return words[1:], true
}

// nameOf returns the name of a bot for an error.
func nameOf(w *World, app string) string {
	return fmt.Sprintf("%s (application %s)", w.state.accounts[app].Username, app)
}
