package commands

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

// errCustomID is wrapped by every refusal of a custom_id: it was made by another version of the bot, or by hand.
var errCustomID = errors.New("malformed custom_id")

// maxCustomID is the longest custom_id we make. Discord allows 100; other platforms allow 64 bytes.
const maxCustomID = 64

// customID is what a button carries: what it does, and the state it was made against. Nothing in it is trusted.
type customID struct {
	verb   view.Verb
	id     match.ID // of the match or challenge
	n      int      // the ply, version, page or move
	square string   // as the rules name it
	word   string   // a level, a leaderboard, on or off, what to set or to do with data
	board  string   // the name of a rule set on offer; empty for the classic one
}

// fields are the fields after the verb, in the order in which they are written. "move" and "board" come last, and are
// left out where they are not set.
func fields(v view.Verb) (string, bool) {
	switch v {
	case view.Play:
		return "id n square", true
	case view.Accept, view.Decline, view.Withdraw, view.Show:
		return "id", true
	case view.Resign, view.Rematch, view.DeclineRematch:
		return "id n", true
	case view.PlayComputer:
		return "word board", true
	case view.TurnMentions, view.Set, view.Data:
		return "word", true
	case view.TurnPage:
		return "word n", true
	case view.Review:
		return "id move", true
	default:
		return "", false
	}
}

var (
	idPattern     = regexp.MustCompile(`^[0-9a-v]{1,13}$`)
	movePattern   = regexp.MustCompile(`^[1-9][0-9]{0,8}$`)
	numberPattern = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})$`)
	squarePattern = regexp.MustCompile(`^[a-e][1-5]$`)
	boardPattern  = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,15}$`)
	wordPattern   = regexp.MustCompile(`^[a-z]{1,16}$`)
)

// String writes the id as Discord keeps it: "play:<match>:<ply>:b2".
func (c customID) String() string {
	order, _ := fields(c.verb)
	parts := []string{string(c.verb)}
	for _, field := range strings.Fields(order) {
		switch field {
		case "id":
			parts = append(parts, string(c.id))
		case "n":
			parts = append(parts, strconv.Itoa(c.n))
		case "move":
			if c.n > 0 {
				parts = append(parts, strconv.Itoa(c.n))
			}
		case "square":
			parts = append(parts, c.square)
		case "word":
			parts = append(parts, c.word)
		case "board":
			if c.board != "" {
				parts = append(parts, c.board)
			}
		}
	}
	return strings.Join(parts, ":")
}

// parseCustomID reads what String writes, and nothing else. Errors wrap errCustomID.
func parseCustomID(text string) (customID, error) {
	if len(text) > maxCustomID {
		return customID{}, fmt.Errorf("%w: %d bytes", errCustomID, len(text))
	}
	parts := strings.Split(text, ":")
	c := customID{verb: view.Verb(parts[0])}
	order, known := fields(c.verb)
	names := strings.Fields(order)
	if last := len(names) - 1; known && (names[last] == "move" || names[last] == "board") && len(parts) == len(names) {
		names = names[:last]
	}
	if !known || len(parts) != len(names)+1 {
		return customID{}, fmt.Errorf("%w: %q", errCustomID, text)
	}
	for i, field := range names {
		part, pattern := parts[i+1], map[string]*regexp.Regexp{
			"id": idPattern, "n": numberPattern, "move": movePattern, "square": squarePattern, "word": wordPattern,
			"board": boardPattern,
		}[field]
		if !pattern.MatchString(part) {
			return customID{}, fmt.Errorf("%w: %q", errCustomID, text)
		}
		switch field {
		case "id":
			c.id = match.ID(part)
		case "n", "move":
			c.n, _ = strconv.Atoi(part) // the pattern admits only numbers that fit
		case "square":
			c.square = part
		case "word":
			c.word = part
		case "board":
			c.board = part
		}
	}
	return c, nil
}

// idOf is the id of what an interaction creates: the snowflake in base 32, so that it is short and the same whenever the
// interaction is delivered.
func idOf(snowflake string) (match.ID, error) {
	n, err := strconv.ParseUint(snowflake, 10, 64)
	if err != nil {
		return "", fmt.Errorf("interaction id: %w", err)
	}
	return match.ID(strconv.FormatUint(n, 32)), nil
}
