package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"tictactoe/internal/file/draft"
	"tictactoe/store/postgres"
)

// errPostgresOnly is wrapped by what is not needed for a database that is a file.
var errPostgresOnly = errors.New("this is for a Postgres; of a file, FILE.erasures beside it is the record, and is applied whenever it is opened")

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
			fmt.Fprintf(s.stdout, "%s: %d deletions.\n", c.Out, n)
		}
		return err
	})
}

type dbEraseCommand struct {
	Again string `required:"" placeholder:"FILE" help:"Delete again what a restored backup has brought back: FILE is what db erasures has written."`
	JSON  bool   `name:"json" help:"One JSON object: how many people's data was deleted."`
}

func (dbEraseCommand) Help() string {
	return `After pg_restore, people who have had their data deleted since the backup are back. This deletes it again, but nothing that is newer than their deletion. It may run more than once.

  tictactoe db erase --again tictactoe.erasures`
}

func (c *dbEraseCommand) Run(ctx context.Context, s surroundings, path string) error {
	return withPostgres(ctx, path, func(store *postgres.Store) error {
		file, err := os.Open(c.Again)
		if err != nil {
			return err
		}
		defer file.Close()
		people, err := store.EraseAgain(ctx, file, time.Now())
		if err != nil {
			return err
		}
		return s.report(c.JSON, map[string]any{"erased": len(people)}, fmt.Sprintf("Deleted again: the data of %d people.\n", len(people)))
	})
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

// keyLost says what it means that the key of the installation is gone.
const keyLost = "the key of this installation was missing, and a new one was made: deletions before cannot be applied to a backup any more, " +
	"and blocks of people who had their data deleted have no effect"
