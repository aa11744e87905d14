// Command lab has the tools for people who change the bot or its engine: a soak test, games between levels, counts of positions,
// proofs, and a drawing of all screens.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/lab/soak"
)

// streams are the outputs of a command.
type streams struct{ stdout, stderr io.Writer }

type commandLine struct {
	Soak     soakCommand     `cmd:"" help:"Let many people play a bot while everything goes wrong, and check that nothing is lost."`
	Levels   levelsCommand   `cmd:"" help:"Let two levels play many games."`
	Perft    perftCommand    `cmd:"" help:"Count the games of each length."`
	Strength strengthCommand `cmd:"" help:"Compare what people got against the levels with the model of the level fair."`
	Prove    proveCommand    `cmd:"" help:"Prove that a level never gives anything away."`
	Texts    textsCommand    `cmd:"" help:"Draw every screen in a language, for translators."`
}

func main() { os.Exit(run(os.Args[1:], streams{os.Stdout, os.Stderr})) }

// run runs the program and returns the exit code, which is 2 for an invalid command line. It uses only its arguments, not the
// streams of the process, so that tests can call it.
func run(args []string, s streams) int {
	var faults []string
	for _, f := range soak.Faults() {
		faults = append(faults, string(f))
	}
	exit := -1 // the exit code when kong has printed help
	parser := kong.Must(&commandLine{},
		kong.Name("lab"),
		kong.Description("For people who change the bot or its engine."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Vars{
			"levels": strings.Join(ai.LevelNames(), ", "), "levelnames": strings.Join(ai.LevelNames(), ","),
			"rulenames": strings.Join(game.OfferedNames(), ", "), "faultnames": strings.Join(faults, ", "),
		},
		kong.Writers(s.stdout, s.stderr),
		kong.Exit(func(code int) { exit = code }),
	)
	parsed, err := parser.Parse(args)
	if exit >= 0 {
		return exit
	}
	if err == nil {
		err = parsed.Run(s)
	}
	if err == nil {
		return 0
	}
	fmt.Fprintln(s.stderr, "lab:", err)
	if _, misused := errors.AsType[*kong.ParseError](err); misused {
		return 2
	}
	return 1
}
