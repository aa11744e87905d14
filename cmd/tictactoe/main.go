// Command tictactoe is the Discord bot for Tic-Tac-Toe, a local Discord to try it on, and the game in a terminal.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"tictactoe/ai"
	"tictactoe/bot"
	"tictactoe/bot/gateway"
	"tictactoe/discordsim"
	"tictactoe/discordsim/standalone"
	"tictactoe/game"
	"tictactoe/internal/file/printable"
	"tictactoe/internal/match"
	"tictactoe/internal/show/picture"
	"tictactoe/store/postgres"
	"tictactoe/store/sqlite"
	"tictactoe/store/transfer"
)

// These are the exit codes. A service manager restarts the program after exitFailure. If a person must first change something, the
// code is EX_CONFIG of sysexits.h, after which a service manager must not restart it.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2  // the command line is wrong, or names something that does not exist
	exitInUse   = 75 // EX_TEMPFAIL: a retry works once another process has ended
	exitConfig  = 78
)

// surroundings are the environment, input and outputs of a command. Tests pass their own.
type surroundings struct {
	env            func(string) string
	stdin          io.Reader
	stdout, stderr io.Writer
}

// report prints the result of a command as a JSON object if asJSON is set, and otherwise prints the text, which says the same to people.
func (s surroundings) report(asJSON bool, result any, text string) error {
	if asJSON {
		return writeJSON(s.stdout, result)
	}
	_, err := io.WriteString(s.stdout, text)
	return err
}

func writeJSON(w io.Writer, value any) error { return json.NewEncoder(w).Encode(value) }

// commandLine declares the commands for kong. kong calls Validate of the chosen command, once the flags are parsed, and then Run. The
// parameters of Run can be ctx, the surroundings, and the values of parent commands. --help prints the text of Help and the flags.
type commandLine struct {
	Playground playgroundCommand `cmd:"" help:"Try the whole bot here: a local Discord in a web page, no account needed."`
	Serve      serveCommand      `cmd:"" help:"Run the bot on Discord. The token is in DISCORD_TOKEN, or in the file that DISCORD_TOKEN_FILE names."`
	Doctor     doctorCommand     `cmd:"" help:"Check everything that serve needs, and say what to do."`
	Health     healthCommand     `cmd:"" help:"Ask the running bot at its admin port whether it is ready."`
	Sim        simCommand        `cmd:"" passthrough:"" help:"Run the local Discord alone; any bot may connect to it."`
	Play       playCommand       `cmd:"" help:"Play in this terminal: people and computers in any pairing, by any rules."`
	Daily      dailyCommand      `cmd:"" help:"Solve the puzzle of the day in this terminal: the same one as on Discord."`
	Learn      learnCommand      `cmd:"" help:"Take the course in this terminal: ten positions, in each of which there is something to find."`
	Analyse    analyseCommand    `cmd:"" help:"Say what a position is worth, exactly."`
	Show       showCommand       `cmd:"" help:"Step through a match of the database, or through moves, with what each was worth."`
	Picture    pictureCommand    `cmd:"" help:"Draw a position, or a game as an animation: PNG or GIF."`
	Emoji      emojiCommand      `cmd:"" help:"Look after the bot's own emoji at Discord: prune."`
	Bar        barCommand        `cmd:"" help:"Keep a user or a server from using the bot."`
	DB         dbCommand         `cmd:"" name:"db" help:"Look after the bot's database: check, backup, restore, export, rebuild, copy."`
	Ladder     ladderCommand     `cmd:"" help:"Print a ladder: who is rated how at a server. Safe while the bot runs."`
	Profile    profileCommand    `cmd:"" help:"Print a player's ratings, record and last games. Safe while the bot runs."`
	Privacy    privacyCommand    `cmd:"" help:"Fill in a privacy policy and terms of use for your bot."`
	Completion completionCommand `cmd:"" help:"Print what bash, zsh or fish needs to complete commands and flags."`
	Man        manCommand        `cmd:"" help:"Print the manual page."`
	Version    versionCommand    `cmd:"" help:"Print the version and what it was built from."`
}

func main() {
	ctx, stop := context.WithCancel(context.Background())
	first := make(chan os.Signal, 1)
	signal.Notify(first, endings()...)
	go func() {
		<-first
		signal.Stop(first) // a second signal ends the program at once
		stop()
	}()
	code := run(ctx, os.Args[1:], surroundings{os.Getenv, os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// run runs the program and returns the exit code. It uses only its arguments, not the streams and the environment of the process,
// so that tests can call it.
func run(ctx context.Context, args []string, s surroundings) int {
	var line commandLine
	exit := -1 // the exit code when kong has printed help
	parser, err := kong.New(&line,
		kong.Name("tictactoe"),
		kong.Description("Tic-Tac-Toe for Discord: play a friend or an unbeatable computer.\n\nStart with: tictactoe playground"),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Vars{
			"levels": strings.Join(ai.LevelNames(), ", "), "levelnames": strings.Join(ai.LevelNames(), ","), "rulenames": strings.Join(game.OfferedNames(), ", "),
			"pictureleast": strconv.Itoa(picture.MinSize), "picturemost": strconv.Itoa(picture.MaxSize),
			"picturesize": strconv.Itoa(picture.DefaultSize), "backups": strconv.Itoa(defaultBackups),
		},
		kong.Writers(s.stdout, s.stderr),
		kong.Exit(func(code int) { exit = code }),
	)
	if err != nil {
		fmt.Fprintln(s.stderr, "tictactoe:", err)
		return exitFailure
	}
	switch {
	case len(args) == 0:
		args = []string{"--help"}
	case args[0] == "help": // many users try this first
		args = slices.Concat(args[1:], []string{"--help"})
	case args[0] == "--version":
		args = []string{"version"}
	}
	parsed, err := parser.Parse(args)
	if exit >= 0 {
		return exit
	}
	if err != nil {
		fmt.Fprintf(s.stderr, "tictactoe: %v\nSee: %s --help\n", err, namedCommand(err))
		return exitUsage
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	parsed.Bind(parser.Model)
	if err := parsed.Run(s); err != nil {
		fmt.Fprintln(s.stderr, "tictactoe:", printable.Text(err.Error())) // the error may quote a damaged file
		return exitCode(err)
	}
	return exitOK
}

// namedCommand returns the command that an invalid command line names, so that the error can point to the help of that command.
func namedCommand(err error) string {
	if wrong, is := errors.AsType[*kong.ParseError](err); is {
		if command := wrong.Context.Selected(); command != nil {
			return command.FullPath()
		}
	}
	return "tictactoe"
}

// endings returns the signals that end the program. They include SIGHUP, for a closed terminal, unless nohup has made the program ignore
// it.
func endings() []os.Signal {
	if signal.Ignored(syscall.SIGHUP) {
		return []os.Signal{os.Interrupt, syscall.SIGTERM}
	}
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
}

// endAtOnce makes the first signal end the program at once. It is for commands that have nothing to clean up.
func endAtOnce() { signal.Reset(endings()...) }

// exitCode returns the exit code for an error. The code tells a service manager whether a restart can help.
func exitCode(err error) int {
	switch _, refused := errors.AsType[*gateway.FatalError](err); {
	case errors.Is(err, sqlite.ErrInUse), errors.Is(err, postgres.ErrInUse), errors.Is(err, match.ErrBusy):
		return exitInUse
	case errors.Is(err, standalone.ErrUsage), errors.Is(err, errWhich), errors.Is(err, errNoDatabase), errors.Is(err, errNoMatch), errors.Is(err, sqlite.ErrMissing), errors.Is(err, errBlanks):
		return exitUsage
	case refused, errors.Is(err, errNoToken), errors.Is(err, errProxy), errors.Is(err, errNoFolder), errors.Is(err, errSick), errors.Is(err, bot.ErrWrongKey),
		errors.Is(err, sqlite.ErrNewer), errors.Is(err, sqlite.ErrOlder), errors.Is(err, sqlite.ErrForeign), errors.Is(err, sqlite.ErrDamaged),
		errors.Is(err, sqlite.ErrNotWritable), errors.Is(err, sqlite.ErrMigration), errors.Is(err, errFileOnly),
		errors.Is(err, postgres.ErrAddress), errors.Is(err, postgres.ErrRefused), errors.Is(err, postgres.ErrPooled), errors.Is(err, postgres.ErrNewer),
		errors.Is(err, postgres.ErrUnfinished), errors.Is(err, transfer.ErrFull),
		errors.Is(err, discordsim.ErrDamaged), errors.Is(err, standalone.ErrNotWritable):
		return exitConfig
	default:
		return exitFailure
	}
}
