package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tictactoe/game"
	"tictactoe/internal/file/draft"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/picture"
	"tictactoe/internal/show/view"
	"tictactoe/internal/terminal/console"
)

// toStdout is the name of a file that stands for standard output.
const toStdout = "-"

type pictureCommand struct {
	Rules    game.Rules `default:"classic" placeholder:"R" help:"The rule set: a name (${rulenames}) or such as 5x4x4+gravity (${default})."`
	Out      string     `default:"-" placeholder:"FILE" help:"The file to write, or - for standard output (${default})."`
	Format   string     `placeholder:"F" help:"${pictureformats}. Without it, what the file's name ends with says it, and on standard output it is text."`
	Size     int        `placeholder:"N" help:"How many pixels the longer side has, ${pictureleast} to ${picturemost}. Without it, ${picturesize}, and of an animation as many as keep its file below 100 KB."`
	Position []string   `arg:"" help:"A position, or moves and the squares in order."`
}

func (pictureCommand) Help() string {
	return `Draws a position, or a whole game as an animation.

  tictactoe picture X.O/.X./..O
  tictactoe picture --out board.png moves b2 a1 c3
  tictactoe picture --out game.gif --rules infinite moves a2 b2 c1 a3 b3
  tictactoe picture --format emoji moves b2 a1 c3

Positions and moves are written as for analyse. Of moves, a picture shows the board after the last one. What is to be seen
is said in words when a file has been written, for whoever does not see it.`
}

// pictureFormat is a way to draw.
type pictureFormat struct {
	name, ending string
	binary       bool // not for the eyes of a terminal
	draw         func(c *pictureCommand, r game.Record, said string) ([]byte, error)
}

// pictureFormats are all of them.
var pictureFormats = []pictureFormat{
	{"png", ".png", true, func(c *pictureCommand, r game.Record, _ string) ([]byte, error) {
		return picture.BoardOf(r, false).PNG(c.Size)
	}},
	{"gif", ".gif", true, func(c *pictureCommand, r game.Record, _ string) ([]byte, error) {
		return picture.GIF(r, false, c.Size)
	}},
	{"svg", ".svg", false, func(c *pictureCommand, r game.Record, said string) ([]byte, error) {
		return picture.BoardOf(r, false).SVG(c.Size, said)
	}},
	{"text", ".txt", false, func(_ *pictureCommand, r game.Record, _ string) ([]byte, error) {
		return []byte(picture.BoardOf(r, false).Text()), nil
	}},
	{"emoji", "", false, func(_ *pictureCommand, r game.Record, _ string) ([]byte, error) {
		return []byte(view.BoardGrid(r.Position()) + "\n"), nil
	}},
}

// formatNames are the formats in a row, for help and errors.
func formatNames() string {
	var names []string
	for _, f := range pictureFormats {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

// format is the one that was asked for, or that the file's name says.
func (c *pictureCommand) format() (pictureFormat, error) {
	ending := strings.ToLower(filepath.Ext(c.Out))
	i := slices.IndexFunc(pictureFormats, func(f pictureFormat) bool {
		switch {
		case c.Format != "":
			return f.name == c.Format
		case c.Out == toStdout:
			return f.name == "text"
		default:
			return f.ending != "" && f.ending == ending
		}
	})
	switch {
	case i >= 0:
		return pictureFormats[i], nil
	case c.Format != "":
		return pictureFormat{}, fmt.Errorf("there is no format %q: use one of %s", c.Format, formatNames())
	default:
		return pictureFormat{}, fmt.Errorf("%s: no format ends like that: name a file .png, .gif, .svg or .txt, or say --format, one of %s", c.Out, formatNames())
	}
}

// Validate refuses what cannot be drawn, as an error of usage.
func (c *pictureCommand) Validate() error {
	f, err := c.format()
	if err != nil {
		return err
	}
	if f.name == "gif" && len(c.Position) < 2 {
		return errors.New("an animation needs moves: say moves and the squares in order, as in: moves b2 a1 c3")
	}
	if c.Size != 0 && (c.Size < picture.MinSize || c.Size > picture.MaxSize) {
		return fmt.Errorf("--size %d: the longer side of a picture has %d to %d pixels", c.Size, picture.MinSize, picture.MaxSize)
	}
	return nil
}

func (c *pictureCommand) Run(s surroundings) error {
	endAtOnce()
	f, err := c.format()
	if err != nil {
		return err
	}
	if c.Out == toStdout && f.binary && console.IsTerminal(s.stdout) {
		return fmt.Errorf("a %s is nothing to read in a terminal: name a file with --out, as in --out board.%s, or pipe it on", strings.ToUpper(f.name), f.name)
	}
	record, err := readGame(c.Rules, strings.Join(c.Position, " "))
	if err != nil {
		return err
	}
	if c.Size == 0 {
		c.Size = picture.DefaultSize
		if f.name == "gif" {
			c.Size = picture.AnimationSize(record)
		}
	}
	said, err := inWords(record, f.name == "gif")
	if err != nil {
		return err
	}
	drawn, err := f.draw(c, record, said)
	if errors.Is(err, picture.ErrNoMoves) {
		return errors.New("an animation needs moves, and there are none: say the squares in order after moves")
	}
	if err != nil {
		return err
	}
	if c.Out == toStdout {
		_, err := s.stdout.Write(drawn)
		return err
	}
	if err := writeComplete(c.Out, drawn); err != nil {
		return fmt.Errorf("write the picture: %w", err)
	}
	fmt.Fprintf(s.stdout, "%s: %s\n", c.Out, said)
	return nil
}

// inWords says what a picture shows. No name, time or link is in it, for which it would need a style.
func inWords(r game.Record, animated bool) (string, error) {
	book, err := locale.NewBook()
	if err != nil {
		return "", err
	}
	told := view.PictureText(r, false, view.Text{})
	if animated {
		told = view.AnimationText(r, view.Text{})
	}
	return book.In("en").Say(told, nil), nil
}

// writeComplete writes a file that others may read, and that is there as a whole or not at all.
func writeComplete(path string, content []byte) error {
	file, err := draft.New(path)
	if err != nil {
		return err
	}
	defer file.Discard()
	if _, err := file.Write(content); err != nil {
		return err
	}
	if err := file.Chmod(0o644); err != nil {
		return err
	}
	return file.Keep()
}
