package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"

	"tictactoe/bot"
	"tictactoe/internal/show/emoji"
)

type emojiCommand struct {
	databaseFlag
	DiscordURL string `name:"discord-url" env:"TICTACTOE_DISCORD_URL" placeholder:"URL" help:"A local Discord instead of the real one, as http://127.0.0.1:8080."`

	List  emojiListCommand  `cmd:"" help:"Say which there are. Of a file only while no bot runs."`
	Prune emojiPruneCommand `cmd:"" help:"Delete those with a former picture, which old boards may still show. Of a file only while no bot runs."`
}

// emojis are the emoji of a bot: what the database knows of them, and Discord.
type emojis struct {
	application string
	rest        *bot.REST
	store       database
	rows        []emoji.Row
	there       []emoji.Own
}

// ProvideEmoji asks the database and Discord, for the commands below, which close the store.
func (c *emojiCommand) ProvideEmoji(ctx context.Context, s surroundings) (e emojis, err error) {
	token, err := readToken(s.env)
	if err != nil {
		return e, err
	}
	if _, err = wayToDiscord(s.env, c.DiscordURL); err != nil {
		return e, err
	}
	if e.rest, err = bot.NewREST(bot.Discord{Token: token, BaseURL: c.DiscordURL, Proxy: http.ProxyFromEnvironment}); err != nil {
		return e, err
	}
	db, err := c.path(s)
	if err != nil {
		return e, err
	}
	if e.application, err = e.rest.ApplicationID(ctx); err != nil {
		return e, err
	}
	if e.there, err = e.rest.OwnEmoji(ctx); err != nil {
		return e, err
	}
	if e.store, _, err = openDatabase(ctx, db, func(error) {}, slog.New(slog.DiscardHandler)); err != nil {
		return e, err
	}
	if e.rows, err = e.store.Emoji(ctx, e.application); err != nil {
		e.store.Close()
	}
	return e, err
}

type emojiListCommand struct{}

// Run lists them.
func (emojiListCommand) Run(s surroundings, e emojis) error {
	defer e.store.Close()
	fmt.Fprintln(s.stdout, e.summary())
	return nil
}

// summary says how many there are of what.
func (e emojis) summary() string {
	have := len(emoji.Set()) - e.missing()
	former := len(emoji.Superseded(e.rows))
	return fmt.Sprintf("%d of the %d that the boards need, %d with a former picture, %d others; Discord takes %d in all",
		have, len(emoji.Set()), former, len(e.there)-have-former, emoji.MaxOfApplication)
}

type emojiPruneCommand struct{}

// Help shows how it is used.
func (emojiPruneCommand) Help() string {
	return `When a new version draws a picture anew, the former one stays at Discord, because old boards show it. This deletes those, and nothing that this bot has not brought itself. Old boards then show the name in place of the picture.

  tictactoe emoji prune`
}

// Run deletes them, one after the other, and forgets each when it is gone.
func (emojiPruneCommand) Run(ctx context.Context, s surroundings, e emojis) error {
	defer e.store.Close()
	former := emoji.Superseded(e.rows)
	for _, row := range former {
		if err := e.rest.DeleteEmoji(ctx, row.ID); err != nil {
			return fmt.Errorf("delete %s: %w", row.Name, err)
		}
		if err := e.store.ForgetEmoji(ctx, e.application, row.ID); err != nil {
			return err
		}
	}
	fmt.Fprintf(s.stdout, "%d deleted\n", len(former))
	return nil
}

// missing is how many of the set Discord does not have.
func (e emojis) missing() (missing int) {
	for _, want := range emoji.Set() {
		if !slices.ContainsFunc(e.there, func(own emoji.Own) bool { return own.Name == want.Name }) {
			missing++
		}
	}
	return missing
}
