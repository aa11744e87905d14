package soak

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// The keys by which the history names the texts that a player was told; see [Event.Said].
const (
	saidPlayed  = "move.played"
	saidPuzzle  = "puzzle.title"
	saidWrong   = "puzzle.wrong"
	saidTooFast = "error.ratelimited"
	saidBusy    = "error.busy"
	saidApology = "error.unexpected"
	saidErased  = "privacy.erased"
)

// told lists the texts to look for in private answers. Each entry holds the keys of texts with the same meaning, the first of which names
// them in the history, and the name of the gap (the placeholder of an argument) whose content matters.
var told = []struct {
	keys []string
	gap  string
}{
	{[]string{saidPlayed, "move.played.vanished"}, "Square"},
	{[]string{saidPuzzle}, "Day"},
	{[]string{saidWrong, "puzzle.last"}, "Square"},
	{[]string{saidTooFast}, ""},
	{[]string{saidBusy}, ""},
	{[]string{saidApology}, ""},
	{[]string{saidErased}, ""},
}

// causes maps the texts of results to the causes in the table of matches.
var causes = map[string]string{
	"result.line": "line", "result.line.misere": "line", "result.lost": "line", "result.draw": "full board", "result.draw.endless": "full board",
	"result.moderator": "full board", "result.resignation": "resignation", "result.time": "time", "result.noshow": "no show",
	"result.void": "voided", "result.aborted": "aborted", "result.agreed": "agreement", "result.stopped": "aborted",
}

// squareLabels has the labels of the squares with marks on a text board.
var squareLabels = []string{"square.mark", "square.marked", "square.last", "square.leaves"}

// words recognises the bot's English texts, in the current wording of the book.
type words map[string][]*regexp.Regexp // the forms of a text, by its key

// newWords returns the words of a book. It returns an error if the book lacks a key.
func newWords(book *locale.Book) (words, error) {
	keys := append([]string{"match.seats", "match.turn", "match.turn.untimed", "crowd.turn", "crowd.tally", "challenge.headline", "open.headline", "square.empty", "series.score", "series.playoff", "series.forfeited", "series.forfeit"}, squareLabels...)
	for _, t := range told {
		keys = append(keys, t.keys...)
	}
	for key := range causes {
		keys = append(keys, key)
	}
	w, english := words{}, book.In("en-US")
	for _, key := range keys {
		for _, count := range []int{1, 2} {
			text := english.Wording(view.T(key, view.Args{"PluralCount": count}))
			if text == key {
				return nil, fmt.Errorf("the soak test looks for the text %s, which does not exist", key)
			}
			w[key] = append(w[key], pattern(text))
		}
	}
	return w, nil
}

var (
	// gap matches a gap in a text: an argument, or a command.
	gap = regexp.MustCompile(`\{\{\.(\w+)\}\}|` + "`/[a-z ]+`")
	// inGap has the patterns of the gaps whose content matters.
	inGap = map[string]string{"Square": `[a-e][1-5]`, "Day": `[A-Z][a-z]+ \d{1,2}, \d{4}`, "Mark": `❌|⭕|\b[XO]\b`, "MarkX": `❌`, "MarkO": `⭕`}
)

// pattern returns the pattern of a text with gaps: it matches the beginning of a line, after any signs that a screen puts before the
// text.
func pattern(text string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString(`(?m)^(?:[^\w\n]* )?`)
	at := 0
	for _, m := range gap.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(regexp.QuoteMeta(text[at:m[0]]))
		at = m[1]
		in := ".+?"
		if at == len(text) {
			in = ".+"
		}
		if m[2] < 0 {
			b.WriteString(in)
			continue
		}
		name := text[m[2]:m[3]]
		if known := inGap[name]; known != "" {
			in = known
		}
		if strings.Contains(b.String(), "(?P<"+name+">") { // a group name may occur only once
			b.WriteString(in)
			continue
		}
		fmt.Fprintf(&b, "(?P<%s>%s)", name, in)
	}
	b.WriteString(regexp.QuoteMeta(text[at:]))
	return regexp.MustCompile(b.String())
}

// find returns the contents of the gaps of the first of these texts that occurs, and reports whether any occurs.
func (w words) find(said string, keys ...string) (gaps map[string]string, is bool) {
	for _, key := range keys {
		for _, form := range w[key] {
			found := form.FindStringSubmatch(said)
			if found == nil {
				continue
			}
			gaps = map[string]string{}
			for i, name := range form.SubexpNames() {
				if name != "" {
					gaps[name] = strings.Trim(found[i], emphasis)
				}
				if day, err := time.Parse("January 2, 2006", found[i]); err == nil {
					gaps[name] = day.Format(time.DateOnly) // as it is stored
				}
			}
			return gaps, true
		}
	}
	return nil, false
}

// told returns the texts found in a private answer, in the form of [Event.Said].
func (w words) told(answer string) map[string]string {
	var said map[string]string
	for _, t := range told {
		if gaps, is := w.find(answer, t.keys...); is {
			if said == nil {
				said = map[string]string{}
			}
			said[t.keys[0]] = gaps[t.gap]
		}
	}
	return said
}
