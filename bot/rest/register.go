package rest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/bwmarrin/discordgo"
)

// errNotReady means that the application's id is unknown, because READY has not come yet and a request for the id failed.
var errNotReady = errors.New("the application's id is not known")

// Register replaces the application's global commands with those of tree, and returns them as Discord stores them. It first asks for the
// present commands, and writes only if they differ, because Discord limits writes, and a rewritten command loses the permissions that
// servers gave it. changed reports whether it has written. Discord creates an Entry Point command where Activities are switched on, and
// refuses a list without it, so Register sends it back unchanged.
func (r *Client) Register(
	ctx context.Context, tree []*discordgo.ApplicationCommand,
) (has []*discordgo.ApplicationCommand, changed bool, err error) {
	application, err := r.ApplicationID(ctx)
	if err != nil {
		return nil, false, err
	}
	has, entryPoint, err := r.commands(ctx, application)
	if err != nil || Same(has, tree) {
		return has, false, err
	}
	plain, err := canonical(tree)
	if err != nil {
		return nil, false, err
	}
	var wanted []json.RawMessage
	if err := json.Unmarshal(plain, &wanted); err != nil {
		return nil, false, err
	}
	if entryPoint != nil {
		wanted = append(wanted, entryPoint)
	}
	var now []*discordgo.ApplicationCommand
	err = r.do(ctx, request{
		name: "register commands", method: http.MethodPut, url: discordgo.EndpointApplicationGlobalCommands(application), body: wanted,
		bucket: "commands",
	}, &now)
	return now, true, err
}

// entryPointCommand is the type of the command that launches an application's Activity. An application has at most one such command.
const entryPointCommand discordgo.ApplicationCommandType = 4

// commands asks Discord for the application's global commands. The Entry Point command, which is not the bot's own, is returned separately
// as JSON, because discordgo's type lacks some of its fields. A server other than Discord may answer 404, which means no commands.
func (r *Client) commands(ctx context.Context, application string) (present []*discordgo.ApplicationCommand, entryPoint json.RawMessage, err error) {
	var all []json.RawMessage
	err = r.do(ctx, request{
		name: "get commands", method: http.MethodGet, url: discordgo.EndpointApplicationGlobalCommands(application) + "?with_localizations=true",
		bucket: "commands",
	}, &all)
	if Missing(err) {
		return nil, nil, nil
	}
	for _, raw := range all {
		command := new(discordgo.ApplicationCommand)
		if err := json.Unmarshal(raw, command); err != nil {
			return nil, nil, fmt.Errorf("get commands: read one of %d: %w", len(all), err)
		}
		if command.Type == entryPointCommand {
			entryPoint = raw
		} else {
			present = append(present, command)
		}
	}
	return present, entryPoint, err
}

// leftovers returns the server's own commands that have the type and name of a global command. People see such a command twice.
func (r *Client) leftovers(
	ctx context.Context, application, guild string, global []*discordgo.ApplicationCommand,
) (left []*discordgo.ApplicationCommand, err error) {
	err = r.do(ctx, request{
		name: "get commands of a server", method: http.MethodGet, url: discordgo.EndpointApplicationGuildCommands(application, guild),
		bucket: "commands/" + guild,
	}, &left)
	if Missing(err) {
		err = nil
	}
	return slices.DeleteFunc(left, func(own *discordgo.ApplicationCommand) bool {
		return !slices.ContainsFunc(global, func(g *discordgo.ApplicationCommand) bool {
			return own != nil && g.Name == own.Name && cmp.Or(g.Type, discordgo.ChatApplicationCommand) == cmp.Or(own.Type, discordgo.ChatApplicationCommand)
		})
	}), err
}

// RemoveLeftovers deletes the server's own commands that have the type and name of a global command, because people see such a command
// twice. It returns how many it has deleted.
func (r *Client) RemoveLeftovers(ctx context.Context, guild string) (removed int, err error) {
	application, err := r.ApplicationID(ctx)
	if err != nil {
		return 0, err
	}
	global, _, err := r.commands(ctx, application)
	if err != nil {
		return 0, err
	}
	left, err := r.leftovers(ctx, application, guild, global)
	for _, command := range left {
		gone := r.do(ctx, request{
			name: "delete command of a server", method: http.MethodDelete,
			url: discordgo.EndpointApplicationGuildCommand(application, guild, command.ID), bucket: "commands/" + guild,
		}, nil)
		if err = errors.Join(err, gone); gone == nil {
			removed++
		}
	}
	return removed, err
}

// RefusedForGood reports whether err, which Register has returned, means that Discord will never accept these commands.
func RefusedForGood(err error) bool {
	status := statusOf(err)
	return !errors.Is(err, errNotReady) && status >= 400 && status < 500 && status != http.StatusTooManyRequests
}

// Same reports whether two command trees mean the same to Discord. It ignores the order of commands, ids, versions, and whether a default
// value is written or omitted.
func Same(a, b []*discordgo.ApplicationCommand) bool {
	first, errA := canonical(a)
	second, errB := canonical(b)
	return errA == nil && errB == nil && bytes.Equal(first, second)
}

// canonical returns the tree as JSON. Trees that mean the same to Discord give the same JSON.
func canonical(tree []*discordgo.ApplicationCommand) (json.RawMessage, error) {
	raw, err := json.Marshal(tree)
	if err != nil {
		return nil, err
	}
	var commands []map[string]any
	if err := json.Unmarshal(raw, &commands); err != nil {
		return nil, err
	}
	for _, command := range commands {
		// Fields that Discord adds, and two flags that contexts and default_member_permissions have replaced.
		for _, key := range []string{"id", "application_id", "guild_id", "version", "dm_permission", "default_permission"} {
			delete(command, key)
		}
		empty(command)
		if command["type"] == nil {
			command["type"] = float64(discordgo.ChatApplicationCommand)
		}
		if command["integration_types"] == nil {
			command["integration_types"] = []any{float64(discordgo.ApplicationIntegrationGuildInstall)}
		}
		sortNumbers(command["integration_types"])
		sortNumbers(command["contexts"])
	}
	slices.SortFunc(commands, func(a, b map[string]any) int {
		return cmp.Or(cmp.Compare(a["type"].(float64), b["type"].(float64)), cmp.Compare(text(a["name"]), text(b["name"])))
	})
	if commands == nil {
		commands = []map[string]any{}
	}
	return json.Marshal(commands) // with sorted keys
}

// empty removes from a JSON value all parts that mean the same as nothing: null, false, "", and empty lists and objects. It reports whether
// nothing is left.
func empty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case bool:
		return !value
	case string:
		return value == ""
	case map[string]any:
		maps.DeleteFunc(value, func(_ string, field any) bool { return empty(field) })
		return len(value) == 0
	case []any:
		for _, element := range value {
			empty(element)
		}
		return len(value) == 0
	}
	return false
}

func sortNumbers(list any) {
	numbers, _ := list.([]any)
	slices.SortFunc(numbers, func(a, b any) int { return cmp.Compare(a.(float64), b.(float64)) })
}

func text(value any) string {
	s, _ := value.(string)
	return s
}
