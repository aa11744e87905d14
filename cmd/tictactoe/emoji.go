package main

import (
	"context"
	"fmt"
	"net/http"

	"tictactoe/bot/rest"
	"tictactoe/internal/show/emoji"
)

// otherUpload is Discord, except that the function create uploads emoji.
type otherUpload struct {
	emoji.Discord
	create func(name string, png []byte) (id string, err error)
}

// CreateEmoji uploads an emoji by calling create, and returns the emoji's id.
func (u otherUpload) CreateEmoji(_ context.Context, name string, png []byte) (string, error) {
	return u.create(name, png)
}

type emojiCommand struct {
	Prune emojiPruneCommand `cmd:"" help:"Delete the bot's emoji with a former picture, which old boards may still show. With a database file, only while no bot runs."`
}

type emojiPruneCommand struct {
	databaseFlag
	DiscordURL string `name:"discord-url" env:"TICTACTOE_DISCORD_URL" placeholder:"URL" help:"A local Discord instead of the real one, as http://127.0.0.1:8080."`
}

// Help returns the examples for --help.
func (emojiPruneCommand) Help() string {
	return `When a new version draws a picture anew, the former one stays at Discord, because old boards show it. This deletes those, and nothing that this bot has not brought itself. Old boards then show the name in place of the picture. How many emoji there are, doctor says.

  tictactoe emoji prune`
}

// Run deletes the outdated emoji at Discord one after the other. After each deletion it deletes the emoji's record.
func (c *emojiPruneCommand) Run(ctx context.Context, s surroundings) error {
	token, err := readToken(s.env)
	if err != nil {
		return err
	}
	if _, err := wayToDiscord(s.env, c.DiscordURL); err != nil {
		return err
	}
	rest, err := rest.New(rest.Config{Token: token, BaseURL: c.DiscordURL, Proxy: http.ProxyFromEnvironment})
	if err != nil {
		return err
	}
	db, err := c.path(s)
	if err != nil {
		return err
	}
	application, err := rest.ApplicationID(ctx)
	if err != nil {
		return err
	}
	return withStore(ctx, db, func(store store) error {
		rows, err := store.Emoji(ctx, application)
		if err != nil {
			return err
		}
		former := emoji.Superseded(rows)
		for _, row := range former {
			if err := rest.DeleteEmoji(ctx, row.ID); err != nil {
				return fmt.Errorf("delete %s: %w", row.Name, err)
			}
			if err := store.ForgetEmoji(ctx, application, row.ID); err != nil {
				return err
			}
		}
		_, err = fmt.Fprintf(s.stdout, "%d deleted\n", len(former))
		return err
	})
}
