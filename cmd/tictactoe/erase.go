package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"time"

	"tictactoe/internal/file/draft"
	"tictactoe/internal/file/printable"
	"tictactoe/internal/match"
	"tictactoe/internal/people/user"
	"tictactoe/store/postgres"
	"tictactoe/store/sqlite"
)

// errPostgresOnly means that a command is only for a Postgres and was given a database file.
var errPostgresOnly = errors.New("this command needs a Postgres; for a file, FILE.erasures beside it is the record, which is applied whenever the database is opened")

type dbErasuresCommand struct {
	Out string `required:"" placeholder:"FILE" help:"Write them there, in place of what is there."`
}

func (dbErasuresCommand) Help() string {
	return `Writes whose data was deleted in the last 90 days, as digests from which nobody can tell who they are. Run it with each backup and before each restore, and keep the file beside the backups, not in them.

  tictactoe db erasures --out tictactoe.erasures`
}

func (c *dbErasuresCommand) Run(ctx context.Context, s surroundings, path string) error {
	return withPostgres(ctx, path, func(store *postgres.Store) error {
		file, err := draft.New(c.Out)
		if err != nil {
			return err
		}
		defer file.Discard()
		n, err := store.RecordErasures(ctx, file)
		if err == nil {
			err = file.Keep()
		}
		if err == nil {
			fmt.Fprintf(s.stdout, "%s: %s.\n", c.Out, quantity(n, "deletion"))
		}
		return err
	})
}

type dbEraseCommand struct {
	Player string `required:"" xor:"whom" placeholder:"ID" help:"Delete what is stored of the user with this id at Discord. With a database file, only while no bot runs."`
	Again  string `required:"" xor:"whom" placeholder:"FILE" help:"Delete again what a restored backup has brought back into a Postgres: FILE is what db erasures has written."`
}

func (dbEraseCommand) Help() string {
	return `For people who cannot use /tictactoe privacy any more, --player deletes the same: matches that go on are resigned, and those against people stay for them without the id.

  sudo systemctl stop tictactoe
  sudo tictactoe db erase --db /var/lib/tictactoe/tictactoe.db --player 80351110224678912

After pg_restore, people who have had their data deleted since the backup are back. --again deletes it again, but nothing that is newer than their deletion. It may run more than once.

  tictactoe db erase --again tictactoe.erasures`
}

// snowflake matches a Discord id from 2015 or later, by its number of digits.
var snowflake = regexp.MustCompile(`^[1-9][0-9]{14,19}$`)

// Validate refuses an argument that is not the id of a user, such as a name or a mention.
func (c *dbEraseCommand) Validate() error {
	if c.Player != "" && !snowflake.MatchString(c.Player) {
		return fmt.Errorf("--player %s is no id at Discord, which is a number like 80351110224678912", printable.Line(c.Player, 40))
	}
	return nil
}

func (c *dbEraseCommand) Run(ctx context.Context, s surroundings, path string) error {
	if c.Player != "" {
		return c.erasePlayer(ctx, s, path)
	}
	return withPostgres(ctx, path, func(store *postgres.Store) error {
		if err := sqlite.There(c.Again); err != nil {
			return err
		}
		file, err := os.Open(c.Again)
		if err != nil {
			return err
		}
		defer file.Close()
		people, err := store.EraseAgain(ctx, file, time.Now())
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(s.stdout, "Deleted again: the data of %d people.\n", len(people))
		return err
	})
}

func (c *dbEraseCommand) erasePlayer(ctx context.Context, s surroundings, path string) error {
	p := match.User(c.Player)
	var held user.Held
	var ended []match.ID
	err := withStore(ctx, path, func(store store) (err error) {
		if held, err = store.Held(ctx, p); err == nil {
			// Erase also deletes what Held does not report: blocks of other players that name the player.
			ended, err = store.Erase(ctx, p, time.Now(), "")
		}
		return err
	})
	if err != nil {
		return err
	}
	words := fmt.Sprintf("Nothing is stored of %s.\n", p)
	if !reflect.DeepEqual(held, user.Held{}) {
		words = fmt.Sprintf("Deleted what was stored of %s (%s): %d matches, %d challenges, %d scores, %d ratings, "+
			"%d puzzles, %d lessons, %d audit entries.\n"+
			"Matches and challenges that went on and have ended, whose boards are redrawn when the bot starts: %d\n",
			p, printable.Line(held.Name, 40), held.Matches, held.Challenges, held.Scores, held.Ratings,
			held.Puzzles, held.Lessons, held.AuditEntries, len(ended))
	}
	_, err = fmt.Fprint(s.stdout, words)
	return err
}

func withPostgres(ctx context.Context, path string, do func(*postgres.Store) error) error {
	if !postgres.IsAddress(path) {
		return errPostgresOnly
	}
	store, err := postgres.Open(ctx, path)
	if err != nil {
		return err
	}
	if store.KeyLost() {
		err = errors.New(keyLost)
	} else {
		err = do(store)
	}
	return errors.Join(err, store.Close())
}

// keyLost is the log line about the loss of the installation's key.
const keyLost = "the key of this installation was missing, and a new one was made: deletions before cannot be applied to a backup any more, " +
	"and blocks of people who had their data deleted have no effect"
