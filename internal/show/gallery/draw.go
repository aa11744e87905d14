package gallery

import (
	"fmt"
	"strings"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// Style writes the arguments of texts in ways that tell names, mentions, times and links apart. It names commands as Discord shows commands
// that can be pressed: in English, in every language.
type Style struct{}

func (Style) Name(name string) string                              { return "«" + name + "»" }
func (Style) Title(title string) string                            { return "“" + title + "”" }
func (Style) Date(t time.Time, long func(time.Time) string) string { return long(t.UTC()) }
func (Style) Mention(p match.User) string                          { return "@" + string(p) }
func (Style) Moment(t time.Time) string                            { return "{" + t.UTC().Format(time.DateTime) + "}" }
func (Style) Hour(t time.Time) string                              { return "{" + t.UTC().Format("2006-01-02 15:04") + "}" }
func (Style) Mark(m game.Mark) string                              { return m.String() }
func (Style) Link(text string, id match.ID) string                 { return "[" + text + " " + string(id) + "]" }
func (Style) Place(id string) string                               { return "#" + id }
func (Style) Role(id string) string                                { return "@" + id }
func (Style) Command(path, _ string) string                        { return "`/" + path + "`" }

// Draw returns a screen as plain text, in the language of words.
func Draw(s view.Screen, words locale.Words) string {
	say := func(t view.Text) string { return words.Say(t, Style{}) }
	var b strings.Builder
	fmt.Fprintf(&b, "tone %s\n\n", []string{"neutral", "turn of X", "turn of O", "won", "drawn", "closed", "warning"}[s.Tone])
	for _, line := range s.Lines {
		fmt.Fprintln(&b, say(line))
	}
	if len(s.Paste) > 0 {
		fmt.Fprintln(&b, "\nto paste:")
	}
	for _, line := range s.Paste {
		fmt.Fprintln(&b, say(line))
	}
	drawBoard(&b, s, say)
	if s.Picture != nil {
		fmt.Fprintf(&b, "\npicture %s: %s\n", s.Picture.Name, say(s.Picture.Alt))
	}
	if len(s.Notes) > 0 {
		fmt.Fprintln(&b)
	}
	for _, note := range s.Notes {
		fmt.Fprintln(&b, "  "+say(note))
	}
	for _, choice := range s.Selects {
		titled := map[bool]string{true: ", titled"}[choice.Titled()]
		fmt.Fprintf(&b, "\n[%s] %s, %d to %d%s\n", say(choice.Hint), describe(choice.Do), choice.Min, choice.Max, titled)
		for _, o := range choice.Options {
			fmt.Fprintf(&b, "  %s = %q %s\n", say(o.Label), o.Value, map[bool]string{true: "chosen", false: "open"}[o.Chosen])
		}
		switch choice.Of {
		case view.VenuePlaces, view.PostPlaces:
			fmt.Fprintf(&b, "  places, %q chosen\n", choice.Chosen)
		case view.VenueRoles:
			fmt.Fprintf(&b, "  roles, %q chosen\n", choice.Chosen)
		case view.AllPeople:
			fmt.Fprintf(&b, "  people, %q chosen\n", choice.Chosen)
		}
	}
	buttons := s.Buttons
	if s.Beside != nil {
		buttons = append([]view.Button{*s.Beside}, buttons...)
	}
	if len(buttons) > 0 {
		fmt.Fprintln(&b)
	}
	for _, a := range buttons {
		if a.Heading.Key != "" {
			fmt.Fprintf(&b, "  %s\n", say(a.Heading))
		}
		if a.URL != "" {
			fmt.Fprintf(&b, "(%s) %s\n", say(a.Label), a.URL)
			continue
		}
		disabled := ""
		if a.Disabled {
			disabled = " disabled"
		}
		fmt.Fprintf(&b, "(%s) %s %s%s\n", say(a.Label), []string{"plain", "main", "good", "bad"}[a.Weight], describe(a.Do), disabled)
	}
	return b.String()
}

// drawBoard draws the board of a screen, if the screen has one.
func drawBoard(b *strings.Builder, s view.Screen, say func(view.Text) string) {
	if s.Columns == 0 {
		return
	}
	fmt.Fprintf(b, "\nboard of %s at ply %d\n", s.Match, s.Ply)
	for i, c := range s.Cells {
		mark := c.Mark.String()
		if c.Mark == game.None {
			mark = "."
		}
		switch {
		case c.Last:
			mark = ">" + mark + "<"
		case c.Better:
			mark = " * "
		case c.Winning:
			mark = "[" + mark + "]"
		case c.Losing:
			mark = "!" + mark + "!"
		case c.Over:
			mark = "-" + mark + "-"
		default:
			mark = " " + mark + " "
		}
		if s.Labels {
			fmt.Fprintf(b, "%-10s", say(s.Label(c)))
		} else {
			fmt.Fprintf(b, "%s%s", c.Name, mark)
		}
		if (i+1)%s.Columns == 0 {
			fmt.Fprintln(b)
		} else {
			b.WriteString("  ")
		}
	}
}

// describe returns an action with its fields, such as Resign{Match:1 Ply:4}.
func describe(a view.Action) string {
	return strings.TrimPrefix(fmt.Sprintf("%T%+v", a, a), "view.")
}
