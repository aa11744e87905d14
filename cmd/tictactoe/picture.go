package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"tictactoe/game"
	"tictactoe/internal/file/draft"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/picture"
	"tictactoe/internal/show/view"
)

type pictureCommand struct {
	Rules    game.Rules `default:"classic" placeholder:"R" help:"The rule set: a name (${rulenames}) or such as 5x4x4+gravity (${default})."`
	Out      string     `required:"" placeholder:"FILE" help:"The file to write. Its name ends with .png, or .gif for an animation."`
	Size     int        `placeholder:"N" help:"How many pixels the longer side has, ${pictureleast} to ${picturemost}. Without it, ${picturesize}, and of an animation as many as keep its file below 100 KB."`
	Position []string   `arg:"" help:"A position, or moves and the squares in order."`
}

func (pictureCommand) Help() string {
	return `Draws a position, or a whole game as an animation.

  tictactoe picture --out board.png X.O/.X./..O
  tictactoe picture --out game.gif --rules infinite moves a2 b2 c1 a3 b3

Positions and moves are written as for analyse. Of moves, a picture shows the board after the last one. The command says in words
what the picture shows.`
}

// ending returns the extension of the output file's name, in lower case. It determines the format.
func (c *pictureCommand) ending() string { return strings.ToLower(filepath.Ext(c.Out)) }

// Validate refuses flags for which no picture can be drawn.
func (c *pictureCommand) Validate() error {
	if c.Out != "" && c.ending() != ".png" && c.ending() != ".gif" {
		return fmt.Errorf("--out %s: name a file .png, or .gif for an animation", c.Out)
	}
	if c.Size != 0 && (c.Size < picture.MinSize || c.Size > picture.MaxSize) {
		return fmt.Errorf("--size %d: the longer side of a picture has %d to %d pixels", c.Size, picture.MinSize, picture.MaxSize)
	}
	return nil
}

func (c *pictureCommand) Run(s surroundings) error {
	endAtOnce()
	record, err := readGame(c.Rules, strings.Join(c.Position, " "))
	if err != nil {
		return err
	}
	var drawn []byte
	var words view.Text
	if c.ending() == ".gif" {
		drawn, err = picture.GIF(record, false, cmp.Or(c.Size, picture.AnimationSize(record)))
		words = view.AnimationText(record, view.Text{})
	} else {
		drawn, err = picture.BoardOf(record, false).PNG(cmp.Or(c.Size, picture.DefaultSize))
		words = view.PictureText(record, false, view.Text{})
	}
	if errors.Is(err, picture.ErrNoMoves) {
		return errors.New("an animation needs moves: say moves and the squares in order, as in: moves b2 a1 c3")
	}
	if err != nil {
		return err
	}
	if err := writeComplete(c.Out, drawn); err != nil {
		return fmt.Errorf("write the picture: %w", err)
	}
	book, err := locale.NewBook()
	if err != nil {
		return err
	}
	fmt.Fprintf(s.stdout, "%s: %s\n", c.Out, book.In("en").Say(words, nil)) // no style, because the words have no names or times
	return nil
}

// writeComplete writes a file that all users may read. If it fails, there is no half-written file.
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
