package discordsim

import (
	"encoding/json"
	"net/http"
	"strconv"

	"tictactoe/discordsim/check"
)

// Global commands and a server's commands have the same routes.
const (
	globalCommands = "/applications/{app}/commands"
	guildCommands  = "/applications/{app}/guilds/{guild}/commands"
)

var commandRoutes = []route{
	{pattern: "GET " + globalCommands, serve: commandList, limit: someCommands},
	{pattern: "POST " + globalCommands, serve: commandCreate, limit: someCommands},
	{pattern: "PUT " + globalCommands, serve: commandReplace, limit: someCommands},
	{pattern: "GET " + globalCommands + "/{command}", serve: commandGet, limit: someCommands},
	{pattern: "PATCH " + globalCommands + "/{command}", serve: commandEdit, limit: someCommands},
	{pattern: "DELETE " + globalCommands + "/{command}", serve: commandDelete, limit: someCommands},
	{pattern: "GET " + guildCommands + "/permissions", serve: commandOverrides, limit: someCommands},
	{pattern: "GET " + guildCommands + "/{command}/permissions", serve: commandOverride, limit: someCommands},
	{pattern: "GET " + guildCommands, serve: commandList, limit: someCommands},
	{pattern: "POST " + guildCommands, serve: commandCreate, limit: someCommands},
	{pattern: "PUT " + guildCommands, serve: commandReplace, limit: someCommands},
	{pattern: "GET " + guildCommands + "/{command}", serve: commandGet, limit: someCommands},
	{pattern: "PATCH " + guildCommands + "/{command}", serve: commandEdit, limit: someCommands},
	{pattern: "DELETE " + guildCommands + "/{command}", serve: commandDelete, limit: someCommands},
}

// commandScope returns the scope of a request. It returns an error for another
// application's commands and for a server that the application is not in.
func commandScope(c *call) (blank Command, err error) {
	app, guildID := c.PathValue("app"), c.PathValue("guild")
	switch {
	case c.w.state.applications[app] == nil:
		return blank, errUnknownApplication
	case app != c.App:
		return blank, errForeign
	case guildID != "" && c.w.state.guilds[guildID] == nil:
		return blank, errUnknownGuild
	case guildID != "" && !c.w.state.installed(app, guildID):
		return blank, errMissingAccess
	}
	return Command{ApplicationID: app, GuildID: guildID}, nil
}

// commandOf finds the commandOf of a request in its scope.
func commandOf(c *call) (*Command, error) {
	scope, err := commandScope(c)
	if err != nil {
		return nil, err
	}
	cmd := c.w.state.commands[c.PathValue("command")]
	if cmd == nil || cmd.ApplicationID != scope.ApplicationID || cmd.GuildID != scope.GuildID {
		return nil, errUnknownCommand
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
		commands := []*Command{}
		for _, cmd := range c.w.state.commandsOf(scope.ApplicationID, scope.GuildID) {
			if !full {
				cmd = cmd.localized(c.Header.Get("X-Discord-Locale"))
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
		if err := globalOnly(scope, c.Body); err != nil {
			return err
		}
		cmd, err := define(scope, c.Body)
		if err != nil {
			return errInvalidJSON
		}
		stored, created, err := register(c.w, scope, []*Command{cmd}, false)
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

// globalOnly returns an error if a server's command sets a field that only global
// commands have: its contexts and its installation types.
func globalOnly(scope Command, body json.RawMessage, at ...string) error {
	if scope.GuildID == "" {
		return nil
	}
	var says map[string]json.RawMessage
	if json.Unmarshal(body, &says) != nil {
		return errInvalidJSON
	}
	for _, field := range [...]string{"contexts", "integration_types"} {
		if said := says[field]; len(said) > 0 && string(said) != "null" {
			return check.InvalidForm("BASE_TYPE_CHOICES", "Only global commands have this field", append(at, field)...)
		}
	}
	return nil
}

// commandEdit changes the fields in the body. The result must be a command that
// could have been created.
func commandEdit(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		old, err := commandOf(c)
		if err != nil {
			return err
		}
		if err := globalOnly(*old, c.Body); err != nil {
			return err
		}
		text, err := old.merged(c.Body)
		if err != nil {
			return err
		}
		if refused := c.api.checker.Command(text); refused != nil {
			return refused
		}
		cmd, err := define(Command{ID: old.ID, ApplicationID: old.ApplicationID, GuildID: old.GuildID, Version: old.Version}, text)
		if err != nil {
			return errInvalidJSON
		}
		cmd.Type = old.Type
		for _, other := range c.w.state.commandsOf(cmd.ApplicationID, cmd.GuildID) {
			if other.ID != cmd.ID && other.Type == cmd.Type && other.Name == cmd.Name {
				return invalidForm("name", "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
			}
		}
		if !cmd.same(old) {
			cmd.Version = c.w.NextID()
			c.w.Put(change{Command: cmd})
			c.w.events.PublishState()
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
			c.w.Put(change{CommandDeleted: cmd.ID})
			c.w.events.PublishState()
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
		wanted := make([]*Command, 0, len(definitions))
		for i, text := range definitions {
			if err := globalOnly(scope, text, strconv.Itoa(i)); err != nil {
				return err
			}
			cmd, err := define(scope, text)
			if err != nil {
				return errInvalidJSON
			}
			wanted = append(wanted, cmd)
		}
		stored, _, err := register(c.w, scope, wanted, true)
		a = ok(append([]*Command{}, stored...))
		return err
	})
	return a, err
}

// commandOverrides lists the command permissions set in a server. The list is
// empty, since nobody here can change these settings.
func commandOverrides(c *call) (answer, error) {
	return ok([]json.RawMessage{}), c.w.Locked(func() error {
		_, err := commandScope(c)
		return err
	})
}

// commandOverride returns the error that Discord sends for a command without
// permission settings.
func commandOverride(c *call) (a answer, err error) {
	return a, c.w.Locked(func() error {
		if _, err := commandScope(c); err != nil {
			return err
		}
		cmd := c.w.state.commands[c.PathValue("command")]
		if cmd == nil || cmd.ApplicationID != c.App || cmd.GuildID != "" && cmd.GuildID != c.PathValue("guild") {
			return errUnknownCommand
		}
		return errOverrides
	})
}
