package soak

import (
	"fmt"
	"regexp"
	"strings"

	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// The keys by which the history names what a player was told; see [Event.Said].
const (
	saidPlayed  = "move.played"
	saidPuzzle  = "puzzle.title"
	saidWrong   = "puzzle.wrong"
	saidTooFast = "error.ratelimited"
	saidBusy    = "error.busy"
	saidApology = "error.unexpected"
	saidErased  = "privacy.erased"
)

// told lists what is looked for in private answers: texts that mean the same, the first of which names them, and the gap that matters.
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

// causes has the texts of results with the causes that the table of matches has for them.
var causes = map[string]string{
	"result.line": "line", "result.line.misere": "line", "result.draw": "full board", "result.draw.endless": "full board",
	"result.moderator": "full board", "result.resignation": "resignation", "result.time": "time", "result.noshow": "no show",
	"result.void": "voided", "result.aborted": "aborted",
}

// squareLabels has the texts on the squares of a text board that show a mark.
var squareLabels = []string{"square.mark", "square.marked", "square.last", "square.leaves"}

// words recognises the bot's texts in English, in whatever words the book has them.
type words map[string][]*regexp.Regexp // the forms of a text, by its key

// newWords returns the words of a book. It is an error if the book lacks a key.
func newWords(book *locale.Book) (words, error) {
	keys := append([]string{"match.seats", "match.turn", "match.turn.untimed", "challenge.headline", "square.empty"}, squareLabels...)
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
				return nil, fmt.Errorf("the soak looks for the text %s, which does not exist", key)
			}
			w[key] = append(w[key], pattern(text))
		}
	}
	return w, nil
}

var (
	gap = regexp.MustCompile(`\{\{\.(\w+)\}\}|` + "`/[a-z ]+`")
	// inGap has what a gap holds, where that matters.
	inGap = map[string]string{"Square": `[a-e][1-5]`, "Day": `\d{4}-\d{2}-\d{2}`, "Mark": `❌|⭕|\b[XO]\b`, "MarkX": `❌`, "MarkO": `⭕`}
)

// pattern returns the pattern of a text with gaps: the beginning of a line that says it, after signs that a screen puts before it.
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
		if strings.Contains(b.String(), "(?P<"+name+">") { // a group can be named once
			b.WriteString(in)
			continue
		}
		fmt.Fprintf(&b, "(?P<%s>%s)", name, in)
	}
	b.WriteString(regexp.QuoteMeta(text[at:]))
	return regexp.MustCompile(b.String())
}

// find returns what is in the gaps of the first of these texts that is said somewhere, and reports whether any is.
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
			}
			return gaps, true
		}
	}
	return nil, false
}

// told returns what a private answer says, as [Event.Said] has it.
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
