// Package emoji has the bot's own emoji for squares, with their names and pictures, and uploads them to Discord.
//
// A screen reader reads the name of an emoji aloud, so the name describes the square, such as b2_x_last. There is an emoji for each square
// in each state. Several emoji have the same picture, because the picture does not show which square it is.
package emoji

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"slices"
	"strings"
	"sync"

	"tictactoe/game"
	"tictactoe/internal/show/picture"
)

// Size is the width and height of the pictures in pixels, the largest size in which Discord shows an emoji.
const Size = 128

// tiles holds the pictures, drawn by package picture and stored as files. So a picture is the same, byte for byte, on every machine and
// with every version of Go. That matters because an emoji whose picture differs is uploaded again.
//
//go:embed tiles
var tiles embed.FS

// Emoji is one of the bot's own emoji.
type Emoji struct {
	Name string
	Mark game.Mark
	Look picture.Look
}

// Of returns the emoji of a square with a mark and a look. If square is empty, it returns the emoji of a mark in a text. The emoji is in
// the set if a square of an offered board can look like that.
func Of(square string, m game.Mark, l picture.Look) Emoji {
	words := []string{square, strings.ToLower(m.String()), l.String()}
	if square == "" {
		words[0] = "mark"
	}
	switch {
	case m == game.None && l == picture.Better:
		words[1] = "" // the name need not say that the square is empty
	case m == game.None:
		words[1], words[2] = "empty", ""
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	return Emoji{strings.Join(words, "_"), m, l}
}

// Set returns the emoji of all offered boards, each once, in the order in which they are uploaded. The emoji that matches need come first,
// beginning with the simplest board. The stars, which only reviews, hints and votes need, come last.
var Set = sync.OnceValue(func() (set []Emoji) {
	var stars []Emoji
	for _, offer := range game.Offered() {
		set = append(set, setOf(offer.Rules)...)
		for sq := range game.Square(offer.Rules.Squares()) {
			stars = append(stars, Of(offer.Rules.Name(sq), game.None, picture.Better))
		}
	}
	seen := make(map[Emoji]bool)
	return slices.DeleteFunc(append(set, stars...), func(e Emoji) bool {
		before := seen[e]
		seen[e] = true
		return before
	})
})

// setOf returns the emoji that a match with these rules may need.
func setOf(r game.Rules) []Emoji {
	set := []Emoji{Of("", game.X, picture.Plain), Of("", game.O, picture.Plain)}
	looks := []picture.Look{picture.Plain, picture.Last, picture.Winning}
	if r.Misere() {
		looks[2] = picture.Losing
	}
	if r.Keep() > 0 {
		looks = append(looks, picture.Leaving)
	}
	for sq := range game.Square(r.Squares()) {
		set = append(set, Of(r.Name(sq), game.None, picture.Plain))
		for _, l := range looks {
			set = append(set, Of(r.Name(sq), game.X, l), Of(r.Name(sq), game.O, l))
		}
	}
	return set
}

// tile returns the file name of the picture of an emoji.
func (e Emoji) tile() string {
	return strings.TrimPrefix(Of("", e.Mark, e.Look).Name, "mark_") + ".png"
}

// Picture returns the picture of an emoji, as a PNG.
func (e Emoji) Picture() []byte {
	data, err := tiles.ReadFile("tiles/" + e.tile())
	if err != nil {
		panic(err) // a test reads all of them
	}
	return data
}

// Hash returns a hash of the picture of an emoji.
func (e Emoji) Hash() string { return hashes()[e.tile()] }

// hashes returns the hashes of all pictures, by file name.
var hashes = sync.OnceValue(func() map[string]string {
	all := make(map[string]string)
	for _, e := range Set() {
		sum := sha256.Sum256(e.Picture())
		all[e.tile()] = hex.EncodeToString(sum[:8])
	}
	return all
})

// Unicode returns the Unicode emoji that replaces the emoji of the set with the given name. For an unknown name it returns an empty square.
func Unicode(name string) string {
	for _, e := range Set() {
		if e.Name == name {
			return e.Unicode()
		}
	}
	return Emoji{}.Unicode()
}

// Unicode returns the Unicode emoji that replaces e. A leaving or losing mark is pale, and the last mark has a background. A winning mark
// looks like any other, because the button is green.
func (e Emoji) Unicode() string {
	pale := e.Look == picture.Leaving || e.Look == picture.Losing
	switch {
	case e.Look == picture.Better:
		return "⭐"
	case e.Mark == game.X && pale:
		return "✖️"
	case e.Mark == game.X && e.Look == picture.Last:
		return "❎"
	case e.Mark == game.X:
		return "❌"
	case e.Mark == game.O && pale:
		return "⚪"
	case e.Mark == game.O && e.Look == picture.Last:
		return "🅾️"
	case e.Mark == game.O:
		return "⭕"
	default:
		return "▫️"
	}
}
