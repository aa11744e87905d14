package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"tictactoe/game"
	"tictactoe/internal/computer"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/terminal/console"
	"tictactoe/store/postgres"
	"tictactoe/store/sqlite"
)

// errUnsound means that db check has found errors in the database and has printed them.
var errUnsound = errors.New("the database is not as it should be")

type dbCommand struct {
	databaseFlag

	Check    dbCheckCommand    `cmd:"" help:"Check the database, and print what is wrong. Safe while the bot runs."`
	Backup   dbBackupCommand   `cmd:"" help:"Copy the database into a new file, and check the copy. Safe while the bot runs."`
	Restore  dbRestoreCommand  `cmd:"" help:"Replace the database with a backup. The old database is kept. Only while no bot runs."`
	Export   dbExportCommand   `cmd:"" help:"Print every game as a line of JSON. Safe while the bot runs."`
	Rebuild  dbRebuildCommand  `cmd:"" help:"Count the scores and ratings anew from the games, and bring boards up to date. With a database file, only while no bot runs."`
	Erase    dbEraseCommand    `cmd:"" help:"Delete the data of a user, or delete again what a backup has brought back. With a database file, only while no bot runs."`
	Erasures dbErasuresCommand `cmd:"" help:"List the users whose data was deleted from a Postgres, for db erase --again."`
	Copy     dbCopyCommand     `cmd:"" help:"Copy all of one database into another: a file into a Postgres, or back. Only while no bot runs on either."`
}

// errNoDatabase means that the command line names no database, and that the default one does not exist.
var errNoDatabase = errors.New("no database was named")

// ProvideDatabase returns the path or address of the database. kong passes it to the commands below db as a string. The file at the default
// path must exist: with sudo that path is in root's home folder, where nobody would look for a new database.
func (c *dbCommand) ProvideDatabase(s surroundings) (string, error) {
	path, err := c.path(s)
	if err != nil || strings.TrimSpace(c.DB) != "" {
		return path, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w, and there is none at %s: say which with --db PATH; that of the systemd service is "+
			"/var/lib/tictactoe/tictactoe.db", errNoDatabase, path)
	}
	return path, nil
}

type dbCheckCommand struct {
	Thorough bool `help:"Review every game again, too, and compare: a tenth of a second for a game on 5x5."`
	JSON     bool `name:"json" help:"One JSON object: what was counted, and the findings."`
}

func (dbCheckCommand) Help() string {
	return `Reads all of it and writes nothing: SQLite's own check, rows that refer to others, every game replayed by its rules, and the scores and ratings against what the games lead to. Ends with 1 if something is wrong, and says what to do.

  tictactoe db check --thorough
  sudo tictactoe db check --db /var/lib/tictactoe/tictactoe.db --json
  tictactoe db check --db monday.bak`
}

func (c *dbCheckCommand) Run(ctx context.Context, s surroundings, path string) error {
	bar := console.NewProgress(s.stderr)
	r, err := byKind(path, sqlite.Check, postgres.Check)(ctx, path, bar.Of("checked", "games"))
	bar.End()
	if err == nil && c.Thorough && len(r.Findings) == 0 {
		err = checkReviews(ctx, path, &r)
	}
	if err != nil {
		return err
	}
	if !c.JSON {
		tell(s.stdout, shownDatabase(path), r)
	} else if err := writeJSON(s.stdout, r); err != nil {
		return err
	}
	if len(r.Findings) > 0 {
		return errUnsound
	}
	return nil
}

// checkReviews reviews all games again, and reports each game whose new review differs from the stored one.
func checkReviews(ctx context.Context, path string, r *sqlite.Report) error {
	return byKind(path, sqlite.Look, postgres.Look)(ctx, path, func(ctx context.Context, store *sqlite.Reader) error {
		return profile.ReviewAgain(ctx, store, new(computer.Engines).Review, func(is, should profile.Verdict) error {
			r.Found("match "+string(is.Match), sqlite.ReviewAgain, "its review says: %s; its moves say: %s", verdictWords(is), verdictWords(should))
			return nil
		})
	})
}

func verdictWords(v profile.Verdict) string {
	var sides []string
	for i, mark := range []game.Mark{game.X, game.O} {
		side := fmt.Sprintf("%v erred in %d of %d critical moves", mark, v.Sides[i].Errors, v.Sides[i].Critical)
		if v.Sides[i].Recovered {
			side += " and came back"
		}
		sides = append(sides, side)
	}
	return strings.Join(sides, ", ")
}

// quantity returns a number with a noun whose plural ends with s, such as "1 game" or "2 games".
func quantity(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprint(n, " ", noun)
}

// maxTold is how many findings are printed as text. --json prints all.
const maxTold = 30

func tell(w io.Writer, path string, r sqlite.Report) {
	if len(r.Findings) == 0 {
		fmt.Fprintf(w, "%s is sound: %s with %s, %s, %s, %s (schema %d).\n", path, quantity(r.Matches, "game"), quantity(r.Moves, "move"),
			quantity(r.Challenges, "challenge"), quantity(r.Scores, "score"), quantity(r.Boards, "board"), r.Schema)
		return
	}
	fmt.Fprintf(w, "%s: %s\n", path, quantity(len(r.Findings), "finding"))
	remedies := map[sqlite.Remedy]bool{}
	var told []string
	for _, f := range r.Findings {
		told = append(told, fmt.Sprintf("  %s: %s", f.Where, f.What))
		remedies[f.Remedy] = true
	}
	for _, finding := range told[:min(len(told), maxTold)] {
		fmt.Fprintln(w, finding)
	}
	if more := len(told) - maxTold; more > 0 {
		fmt.Fprintf(w, "and %d more, which --json lists\n", more)
	}
	fmt.Fprintln(w, "\nWhat to do:")
	switch {
	case remedies[sqlite.RestoreBackup]:
		fmt.Fprintln(w, "  Stop the bot, look for the newest backup that `tictactoe db check --db BACKUP` calls sound (they lie beside the\n"+
			"  database), and put it in its place: tictactoe db restore --db", path, "BACKUP")
	case remedies[sqlite.ReviewAgain]:
		fmt.Fprintln(w, "  The games are sound. Stop the bot, and review them again: tictactoe db rebuild --thorough --db", path)
	case remedies[sqlite.RebuildScores]:
		fmt.Fprintln(w, "  The games are sound. Stop the bot, and have all that follows from them put right: tictactoe db rebuild --db", path)
	default:
		fmt.Fprintln(w, "  Nothing: it does no harm. But something else than tictactoe has written to the file.")
	}
}

type dbBackupCommand struct {
	File string `arg:"" help:"The file to write. It must not exist yet."`
	JSON bool   `name:"json" help:"One JSON object: file and size."`
}

func (dbBackupCommand) Help() string {
	return `The copy is the database of one moment, read by SQLite's backup interface while the bot goes on. It has been checked and is on disk when the command ends; if it fails, there is none.

  tictactoe db backup monday.bak
  sudo tictactoe db backup --db /var/lib/tictactoe/tictactoe.db "/backups/$(date +%F).bak"`
}

// Run makes the copy. sqlite.Backup fails if the file exists.
func (c *dbBackupCommand) Run(ctx context.Context, s surroundings, path string) error {
	if err := fileOnly(path, `pg_dump --schema=tictactoe --format=custom --file=FILE "$TICTACTOE_DB", and tictactoe db erasures --out RECORD`); err != nil {
		return err
	}
	bar := console.NewProgress(s.stderr)
	err := sqlite.Backup(ctx, path, c.File, bar.Of("copied", "pages"))
	bar.End()
	if err != nil {
		return err
	}
	info, err := os.Stat(c.File)
	if err != nil {
		return err
	}
	return s.report(c.JSON, map[string]any{"file": c.File, "bytes": info.Size()}, fmt.Sprintf("%s: %d bytes, checked.\n", c.File, info.Size()))
}

type dbRestoreCommand struct {
	File string `arg:"" help:"The backup. It stays as it is."`
	JSON bool   `name:"json" help:"One JSON object: the database, and where the old one is."`
}

func (dbRestoreCommand) Help() string {
	return `Checks the backup first, and refuses while a bot has the database. The old database stays beside the new one for 30 days, under a name that is printed. What people have had deleted since the backup is deleted again. When the bot starts, it redraws the boards of the games that go on.

  sudo systemctl stop tictactoe
  sudo tictactoe db restore --db /var/lib/tictactoe/tictactoe.db monday.bak
  sudo systemctl start tictactoe`
}

func (c *dbRestoreCommand) Run(ctx context.Context, s surroundings, path string) error {
	if err := fileOnly(path, `stop the bots, tictactoe db erasures --out RECORD, pg_restore --clean --if-exists --dbname="$TICTACTOE_DB" FILE, then tictactoe db erase --again RECORD`); err != nil {
		return err
	}
	bar := console.NewProgress(s.stderr)
	r, err := sqlite.Restore(ctx, c.File, path, bar.Of("copied", "pages"))
	bar.End()
	if err != nil {
		return stopFirst(err)
	}
	words := path + " is restored."
	if r.Kept != "" {
		words += " The old one is " + r.Kept
	}
	words += "\n"
	if r.Erased > 0 {
		words += fmt.Sprintf("People whose data had been deleted since the backup, and is deleted again: %d\n", r.Erased)
	}
	if r.Unknown {
		words += "Who had their data deleted since the backup is not known, or not of all: it is older than 90 days, or " +
			path + ".key is missing. Their data is back.\n"
	}
	return s.report(c.JSON, map[string]any{"database": path, "old": r.Kept, "erased": r.Erased, "erasures_unknown": r.Unknown}, words)
}

type dbExportCommand struct{}

func (dbExportCommand) Help() string {
	return `One line for each game, with its players by their ids at Discord, its rules, moves and result, all as docs/operating.md describes. Unless it ends with 0, some are missing.

  tictactoe db export > games.jsonl
  tictactoe db export | jq -r 'select(.cause == "time") | .id'`
}

func (c *dbExportCommand) Run(ctx context.Context, s surroundings, path string) error {
	bar := console.NewProgress(s.stderr)
	buffered := bufio.NewWriter(s.stdout)
	_, err := byKind(path, sqlite.Export, postgres.Export)(ctx, path, buffered, bar.Of("exported", "games"))
	bar.End()
	return errors.Join(err, buffered.Flush())
}

type dbRebuildCommand struct {
	Thorough bool `help:"Review every game again, too: a tenth of a second for a game on 5x5."`
	JSON     bool `name:"json" help:"One JSON object: how many scores, ratings and reviews were wrong, and how many boards."`
}

func (dbRebuildCommand) Help() string {
	return `Scores and ratings are kept with every game that ends, so they are right unless something else has written to the file. This is what db check asks for if they are not, or if boards do not know what they have to show; the bot redraws those when it starts.

  sudo systemctl stop tictactoe
  sudo tictactoe db rebuild --db /var/lib/tictactoe/tictactoe.db`
}

func (c *dbRebuildCommand) Run(ctx context.Context, s surroundings, path string) (err error) {
	bar := console.NewProgress(s.stderr)
	var wrong corrected
	err = withStore(ctx, path, func(store store) error {
		wrong, err = c.rebuild(ctx, store, bar.Of("rated", "games"))
		return err
	})
	bar.End()
	if err != nil {
		return err
	}
	what := "scores and ratings"
	if c.Thorough {
		what = "scores, ratings and reviews"
	}
	words := fmt.Sprintf("All %s were right.\n", what)
	if wrong.Scores > 0 {
		words = fmt.Sprintf("%s that were wrong and are right now: %d\n", strings.ToUpper(what[:1])+what[1:], wrong.Scores)
	}
	if wrong.Boards > 0 {
		words += fmt.Sprintf("Boards that did not know what they have to show, and are redrawn when the bot starts: %d\n", wrong.Boards)
	}
	return s.report(c.JSON, wrong, words)
}

// corrected counts the values that a rebuild has corrected. Other programs read it as JSON.
type corrected struct {
	Scores int `json:"corrected"` // the number of corrected scores, ratings and reviews
	Boards int `json:"boards"`    // the number of boards that are redrawn
}

// rebuild recomputes scores, ratings and, if requested, reviews from the matches, and redraws outdated boards.
func (c *dbRebuildCommand) rebuild(ctx context.Context, store store, progress sqlite.Progress) (wrong corrected, err error) {
	if wrong.Boards, err = store.RebuildBoards(ctx); err != nil {
		return wrong, err
	}
	if wrong.Scores, err = store.RebuildScores(ctx, progress); err != nil || !c.Thorough {
		return wrong, err
	}
	err = profile.ReviewAgain(ctx, store, new(computer.Engines).Review, func(_, should profile.Verdict) error {
		wrong.Scores++
		return store.KeepVerdicts(ctx, []profile.Verdict{should})
	})
	return wrong, err
}

// store has the methods, common to both kinds of database, by which commands change a database.
type store interface {
	database
	RebuildBoards(ctx context.Context) (int, error)
	RebuildScores(ctx context.Context, progress sqlite.Progress) (int, error)
}

// withStore opens a database, calls do with it and closes it. It locks a database file, so it fails while a bot runs on the file.
func withStore(ctx context.Context, path string, do func(store) error) (err error) {
	var opened store
	if postgres.IsAddress(path) {
		opened, err = postgres.Open(ctx, path)
	} else if err = sqlite.There(path); err == nil { // opening would create a missing file
		var lock *sqlite.Lock
		if lock, err = sqlite.Acquire(ctx, path, 0); err != nil {
			return stopFirst(err)
		}
		defer func() { err = errors.Join(err, lock.Release()) }()
		opened, err = sqlite.Open(ctx, path)
	}
	if err != nil {
		return err
	}
	return errors.Join(do(opened), opened.Close())
}

// withShared is withStore, but also works while a bot runs on a file.
func withShared(ctx context.Context, path string, do func(database) error) error {
	err := withStore(ctx, path, func(s store) error { return do(s) })
	if !errors.Is(err, sqlite.ErrInUse) {
		return err
	}
	joined, err := sqlite.Join(ctx, path)
	if err != nil {
		return stopFirst(err)
	}
	return errors.Join(do(joined), joined.Close())
}
