package rest

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

// define reads a command's definition. Fields that a definition cannot set are taken from base, which has no lists
// and no maps. The contexts and installation types of a server's command are accepted, since Discord's OpenAPI
// description lists them, but ignored.
func define(base world.Command, body []byte) (*world.Command, error) {
	cmd := base
	if err := json.Unmarshal(body, &cmd); err != nil {
		return nil, err
	}
	cmd.ID, cmd.ApplicationID, cmd.GuildID, cmd.Version = base.ID, base.ApplicationID, base.GuildID, base.Version
	if cmd.Type == 0 {
		cmd.Type = world.CommandChat
	}
	if cmd.GuildID != "" {
		cmd.Contexts, cmd.IntegrationTypes = nil, nil
	} else if len(cmd.IntegrationTypes) == 0 {
		cmd.IntegrationTypes = []int{world.InstallGuild}
	}
	return &cmd, nil
}

// maxCommands returns the maximum number of commands of a type, globally and in each server.
func maxCommands(kind int) int {
	switch kind {
	case world.CommandChat:
		return 100
	case world.CommandUser, world.CommandMessage:
		return 15
	}
	return 1 // the entry point
}

// register stores the definitions of one scope: each replaces the command of the same type and name, or becomes a new
// command. An identical definition keeps the version. With replace, commands without a definition are deleted. If it
// returns an error, it has stored nothing.
func register(
	w *world.World, scope world.Command, definitions []*world.Command, replace bool,
) (stored []*world.Command, created int, err error) {
	existing := w.State.CommandsOf(scope.ApplicationID, scope.GuildID)
	entry := func(c *world.Command) bool { return c.Type == world.CommandEntry }
	if replace && slices.ContainsFunc(existing, entry) && !slices.ContainsFunc(definitions, entry) {
		return nil, 0, check.ErrEntryPoint
	}
	kept := map[string]bool{}
	count := map[int]int{}
	for _, cmd := range definitions {
		i := slices.IndexFunc(existing, func(old *world.Command) bool { return old.Type == cmd.Type && old.Name == cmd.Name })
		if i < 0 {
			created++
			count[cmd.Type]++
			continue
		}
		cmd.ID, cmd.Version = existing[i].ID, existing[i].Version
		kept[cmd.ID] = true
	}
	for _, old := range existing {
		if kept[old.ID] || !replace {
			count[old.Type]++
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(count)) {
		if most := maxCommands(kind); count[kind] > most && created > 0 {
			return nil, 0, check.TooManyCommands(most)
		}
	}
	app, err := w.State.Applications[scope.ApplicationID].CountCreates(scope.GuildID, created, w.Clock.Now())
	if err != nil {
		return nil, 0, err
	}
	if created > 0 {
		w.Put(world.Change{Application: app})
	}
	changed := created > 0
	for _, cmd := range definitions {
		if old := w.State.Commands[cmd.ID]; old != nil && old.Same(cmd) {
			stored = append(stored, old)
			continue
		}
		if cmd.ID == "" {
			cmd.ID = w.NextID()
		}
		cmd.Version = w.NextID()
		w.Put(world.Change{Command: cmd})
		stored, changed = append(stored, cmd), true
	}
	for _, old := range existing {
		if replace && !kept[old.ID] {
			w.Put(world.Change{CommandDeleted: old.ID})
			changed = true
		}
	}
	if changed {
		w.Events.PublishState()
	}
	return stored, created, nil
}

// Global commands and a server's commands have the same routes.
const (
	globalCommands = "/applications/{app}/commands"
	guildCommands  = "/applications/{app}/guilds/{guild}/commands"
)

var commandRoutes = []route{
	{pattern: "GET " + globalCommands, serve: commandList, limit: commandBudget},
	{pattern: "POST " + globalCommands, serve: commandCreate, limit: commandBudget},
	{pattern: "PUT " + globalCommands, serve: commandReplace, limit: commandBudget},
	{pattern: "GET " + globalCommands + "/{command}", serve: commandGet, limit: commandBudget},
	{pattern: "PATCH " + globalCommands + "/{command}", serve: commandEdit, limit: commandBudget},
	{pattern: "DELETE " + globalCommands + "/{command}", serve: commandDelete, limit: commandBudget},
	{pattern: "GET " + guildCommands + "/permissions", serve: commandOverrides, limit: commandBudget},
	{pattern: "GET " + guildCommands + "/{command}/permissions", serve: commandOverride, limit: commandBudget},
	{pattern: "PUT " + guildCommands + "/{command}/permissions", serve: commandOverrideSet, limit: commandBudget},
	{pattern: "GET " + guildCommands, serve: commandList, limit: commandBudget},
	{pattern: "POST " + guildCommands, serve: commandCreate, limit: commandBudget},
	{pattern: "PUT " + guildCommands, serve: commandReplace, limit: commandBudget},
	{pattern: "GET " + guildCommands + "/{command}", serve: commandGet, limit: commandBudget},
	{pattern: "PATCH " + guildCommands + "/{command}", serve: commandEdit, limit: commandBudget},
	{pattern: "DELETE " + guildCommands + "/{command}", serve: commandDelete, limit: commandBudget},
}

// commandScope returns the scope of a request. It returns an error for another
// application's commands and for a server that the application is not in.
func commandScope(c *call) (blank world.Command, err error) {
	app, guildID := c.PathValue("app"), c.PathValue("guild")
	switch {
	case c.w.State.Applications[app] == nil:
		return blank, check.ErrUnknownApplication
	case app != c.App:
		return blank, check.ErrForeign
	case guildID != "" && c.w.State.Guilds[guildID] == nil:
		return blank, check.ErrUnknownGuild
	case guildID != "" && !c.w.State.Installed(app, guildID):
		return blank, check.ErrMissingAccess
	}
	return world.Command{ApplicationID: app, GuildID: guildID}, nil
}

// commandOf finds the command of a request in its scope.
func commandOf(c *call) (*world.Command, error) {
	scope, err := commandScope(c)
	if err != nil {
		return nil, err
	}
	cmd := c.w.State.Commands[c.PathValue("command")]
	if cmd == nil || cmd.ApplicationID != scope.ApplicationID || cmd.GuildID != scope.GuildID {
		return nil, check.ErrUnknownCommand
	}
	return cmd, nil
}

// commandList lists the commands of a scope in the client's language or, if the
// query asks for it, with all translations.
func commandList(c *call) (a answer, err error) {
	full, _ := strconv.ParseBool(c.URL.Query().Get("with_localizations"))
	err = c.w.Locked(func() error {
		scope, err := commandScope(c)
		if err != nil {
			return err
		}
		commands := []*world.Command{}
		for _, cmd := range c.w.State.CommandsOf(scope.ApplicationID, scope.GuildID) {
			if !full {
				cmd = cmd.Localized(c.Header.Get("X-Discord-Locale"))
			}
			commands = append(commands, cmd)
		}
		a = ok(commands)
		return nil
	})
	return a, err
}

func commandGet(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		cmd, err := commandOf(c)
		a = ok(cmd)
		return err
	})
	return a, err
}

func commandCreate(c *call) (a answer, err error) {
	if refused := c.api.checker.Command(c.Body); refused != nil {
		return a, refused
	}
	err = c.w.Locked(func() error {
		scope, err := commandScope(c)
		if err != nil {
			return err
		}
		cmd, err := define(scope, c.Body)
		if err != nil {
			return check.ErrInvalidJSON
		}
		stored, created, err := register(c.w, scope, []*world.Command{cmd}, false)
		if err != nil {
			return err
		}
		a = ok(stored[0])
		if created > 0 {
			a.status = http.StatusCreated
		}
		return nil
	})
	return a, err
}

// commandEdit changes the fields in the body. The result must be a command that
// could have been created.
func commandEdit(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		old, err := commandOf(c)
		if err != nil {
			return err
		}
		text, err := old.Merged(c.Body)
		if err != nil {
			return err
		}
		if refused := c.api.checker.Command(text); refused != nil {
			return refused
		}
		cmd, err := define(world.Command{ID: old.ID, ApplicationID: old.ApplicationID, GuildID: old.GuildID, Version: old.Version}, text)
		if err != nil {
			return check.ErrInvalidJSON
		}
		cmd.Type = old.Type
		for _, other := range c.w.State.CommandsOf(cmd.ApplicationID, cmd.GuildID) {
			if other.ID != cmd.ID && other.Type == cmd.Type && other.Name == cmd.Name {
				return check.InvalidField("name", "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
			}
		}
		if !cmd.Same(old) {
			cmd.Version = c.w.NextID()
			c.w.Put(world.Change{Command: cmd})
			c.w.Events.PublishState()
		}
		a = ok(cmd)
		return nil
	})
	return a, err
}

func commandDelete(c *call) (answer, error) {
	return noContent, c.w.Locked(func() error {
		cmd, err := commandOf(c)
		if err == nil {
			c.w.Put(world.Change{CommandDeleted: cmd.ID})
			c.w.Events.PublishState()
		}
		return err
	})
}

// commandReplace replaces all commands of the scope, of every type, by the list
// in the body. Commands that existed before keep their ids.
func commandReplace(c *call) (a answer, err error) {
	if refused := c.api.checker.CommandsBulk(c.Body); refused != nil {
		return a, refused
	}
	var definitions []json.RawMessage
	if err := c.decode(&definitions); err != nil {
		return a, err
	}
	err = c.w.Locked(func() error {
		scope, err := commandScope(c)
		if err != nil {
			return err
		}
		wanted := make([]*world.Command, 0, len(definitions))
		for _, text := range definitions {
			cmd, err := define(scope, text)
			if err != nil {
				return check.ErrInvalidJSON
			}
			wanted = append(wanted, cmd)
		}
		stored, _, err := register(c.w, scope, wanted, true)
		a = ok(append([]*world.Command{}, stored...))
		return err
	})
	return a, err
}

// commandOverrides lists the command permissions set in a server.
func commandOverrides(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		scope, err := commandScope(c)
		list := []*world.CommandPermissions{}
		for _, key := range slices.Sorted(maps.Keys(c.w.State.Overrides)) {
			if o := c.w.State.Overrides[key]; o.ApplicationID == scope.ApplicationID && o.GuildID == scope.GuildID {
				list = append(list, o)
			}
		}
		a = ok(list)
		return err
	})
	return a, err
}

// commandOverrideSet refuses to set command permissions, which Discord allows only with a person's token.
func commandOverrideSet(*call) (answer, error) { return answer{}, check.ErrNotForBots }

// commandOverride returns the permissions set for a command, or for the application. If none are set, it returns an
// error, as Discord does.
func commandOverride(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		if _, err := commandScope(c); err != nil {
			return err
		}
		id := c.PathValue("command")
		cmd := c.w.State.Commands[id]
		if id != c.App && (cmd == nil || cmd.ApplicationID != c.App || cmd.GuildID != "" && cmd.GuildID != c.PathValue("guild")) {
			return check.ErrUnknownCommand
		}
		set := c.w.State.Guilds[c.PathValue("guild")].Override(c.w.State, id)
		if set == nil {
			return check.ErrOverrides
		}
		a = ok(set)
		return nil
	})
	return a, err
}
