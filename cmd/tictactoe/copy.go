package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"tictactoe/internal/terminal/console"
	"tictactoe/store/postgres"
	"tictactoe/store/sqlite"
	"tictactoe/store/transfer"
)

// errSame means that the command line asks to copy a database into itself.
var errSame = errors.New("SRC and DST are the same database")

type dbCopyCommand struct {
	Src  string `arg:"" name:"src" help:"What to copy, a file or postgres://user@host/name. It stays as it is."`
	Dst  string `arg:"" name:"dst" help:"Where to: a new file, or a Postgres without games. It becomes the copy."`
	JSON bool   `name:"json" help:"One JSON object: the rows of each table."`
}

func (dbCopyCommand) Help() string {
	return `Copies every row, then reads both and compares them row by row. Stop the bots first. After an interruption give the same command again; until the copy is complete, no bot starts on DST. Give a password in PGPASSWORD or a .pgpass file: others on the machine could read it here.

  tictactoe db copy tictactoe.db postgres://tictactoe@db.example.com/tictactoe
  tictactoe db copy postgres://tictactoe@db.example.com/tictactoe back.db`
}

func (c *dbCopyCommand) Run(ctx context.Context, s surroundings) error {
	if sameDatabase(c.Src, c.Dst) {
		return errSame
	}
	from, into := byKind(c.Src, sqlite.TransferFrom, postgres.TransferFrom), byKind(c.Dst, sqlite.TransferInto, postgres.TransferInto)
	bar := console.NewProgress(s.stderr)
	var r transfer.Report
	err := from(ctx, c.Src, func(source transfer.Source) error {
		return into(ctx, c.Dst, func(target transfer.Target) (err error) {
			r, err = transfer.Copy(ctx, source, target, func(verb string, done, all int) {
				bar.Say("%s %d of %d rows", verb, done, all)
			})
			return err
		})
	})
	bar.End()
	switch {
	case err != nil:
		return c.advise(err)
	case c.JSON:
		return writeJSON(s.stdout, r)
	default:
		fmt.Fprintf(s.stdout, "%s is a complete copy of %s: %s with %s, %s in all, compared one by one.\n", shownDatabase(c.Dst),
			shownDatabase(c.Src), quantity(r.Rows["matches"], "game"), quantity(r.Rows["moves"], "move"), quantity(r.Total(), "row"))
		return nil
	}
}

// advise adds advice to an error of the copy, if there is any for this error.
func (c *dbCopyCommand) advise(err error) error {
	dst := shownDatabase(c.Dst)
	if errors.Is(err, transfer.ErrFull) {
		return fmt.Errorf("%s: %w; it is copied from the first to the second. If that is right, drop the schema tictactoe of %s first", dst, err, dst)
	}
	return stopFirst(err)
}

// sameDatabase reports whether two names of databases are equal or name the same file.
func sameDatabase(a, b string) bool {
	one, err := os.Stat(a)
	other, failed := os.Stat(b)
	return a == b || err == nil && failed == nil && os.SameFile(one, other)
}
