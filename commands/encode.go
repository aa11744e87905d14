package commands

import (
	"cmp"
	"encoding/json"
	"fmt"
	"mime"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/game"
	"tictactoe/internal/show/emoji"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/picture"
	"tictactoe/internal/show/view"
)

// rowSize is the maximum number of buttons in a row.
const rowSize = 5

// maxText is how many characters Discord accepts in all components of a message together. The bot counts UTF-16 code units, which are never
// fewer.
const maxText = 4000

// encode draws a screen as one message of Components V2. If the message is too long, encode shortens it step by step: it cuts names, writes
// links and commands as plain text, and finally leaves out lines in the middle.
func encode(s view.Screen, words locale.Words, style discordStyle) []discordgo.MessageComponent {
	components := compose(s, words, style)
	for _, shorten := range []func(){
		func() { style.most = 24 },
		func() { style.most = 16 },
		func() { style.plain = true },
	} {
		if size(components) <= maxText {
			break
		}
		shorten()
		components = compose(s, words, style)
	}
	for kept := len(s.Lines) - 1; kept > 1 && size(components) > maxText; kept-- {
		shorter := s
		shorter.Lines = slices.Concat(s.Lines[:kept-1], []view.Text{view.T("screen.cut", nil)}, s.Lines[len(s.Lines)-1:])
		components = compose(shorter, words, style)
	}
	return components
}

// size returns how much text the components contain, in UTF-16 code units.
func size(components []discordgo.MessageComponent) (n int) {
	for _, c := range components {
		switch c := c.(type) {
		case discordgo.Container:
			n += size(c.Components)
		case discordgo.Section:
			n += size(c.Components)
		case discordgo.TextDisplay:
			for _, r := range c.Content {
				n += max(1, utf16.RuneLen(r))
			}
		}
	}
	return n
}

// compose draws a screen as a container. From the top it has the headline, texts to copy, the board as rows of buttons, the picture, the
// notes, the menus and the other buttons.
func compose(s view.Screen, words locale.Words, style discordStyle) []discordgo.MessageComponent {
	accent := color(s.Tone)
	box := discordgo.Container{AccentColor: &accent}
	if s.Beside != nil {
		line := discordgo.TextDisplay{Content: strings.Join(said(s.Lines, words, style), "\n")}
		beside := discordgo.Section{Components: []discordgo.MessageComponent{line}, Accessory: button(*s.Beside, words, labelStyle{style})}
		s.Lines, s.Beside = nil, nil
		rest := compose(s, words, style)[0].(discordgo.Container).Components
		return append([]discordgo.MessageComponent{beside}, rest...)
	}
	if len(s.Lines) > 0 {
		content := lines(s.Lines, words, style)
		switch {
		case s.Small && s.Picture == nil:
			content += "\n" + pictured(s, style)
		case s.Labels && s.Columns > 0:
			content += "\n" + drawn(s)
		}
		box.Components = append(box.Components, discordgo.TextDisplay{Content: content})
	}
	if len(s.Paste) > 0 {
		box.Components = append(box.Components, discordgo.TextDisplay{Content: pasted(s.Paste, words, labelStyle{style})})
	}
	if s.Columns > 0 && !s.Small {
		for i := 0; i < len(s.Cells); i += s.Columns {
			row := discordgo.ActionsRow{}
			for column := range s.Columns {
				row.Components = append(row.Components, square(i+column, s, words, style))
			}
			box.Components = append(box.Components, row)
		}
	}
	if s.Picture != nil {
		box.Components = append(box.Components, gallery(*s.Picture, words, style))
	}
	if len(s.Notes) > 0 {
		notes := "-# " + strings.Join(said(s.Notes, words, style), "\n-# ")
		box.Components = append(box.Components, discordgo.TextDisplay{Content: notes})
	}
	labels := labelStyle{style}
	heading := func(t view.Text) {
		box.Components = append(box.Components, discordgo.TextDisplay{Content: "-# **" + strings.TrimRight(words.Say(t, labels), " …") + "**"})
	}
	for _, choice := range s.Selects {
		if choice.Titled() {
			heading(choice.Hint)
		}
		box.Components = append(box.Components, selection(choice, words, labels))
	}
	row := discordgo.ActionsRow{}
	for i, b := range s.Buttons {
		if b.Heading.Key != "" {
			heading(b.Heading)
		}
		row.Components = append(row.Components, button(b, words, labels))
		if last := i == len(s.Buttons)-1; last || len(row.Components) == rowSize || s.Buttons[i+1].Heading.Key != "" {
			box.Components, row = append(box.Components, row), discordgo.ActionsRow{}
		}
	}
	return []discordgo.MessageComponent{box}
}

// pasted returns texts as a code block, because Discord's clients let people copy code blocks. It replaces backticks, so that a
// name cannot end the block.
func pasted(texts []view.Text, words locale.Words, style labelStyle) string {
	return "```\n" + strings.ReplaceAll(strings.Join(said(texts, words, style), "\n"), "`", "'") + "\n```"
}

// lines joins texts, one on each line. The first one is a heading.
func lines(texts []view.Text, words locale.Words, style locale.Style) string {
	all := said(texts, words, style)
	if len(all) > 1 {
		all[0] = "### " + all[0]
	}
	return strings.Join(all, "\n")
}

// said returns the words of each text in the language and style.
func said(texts []view.Text, words locale.Words, style locale.Style) []string {
	return each(texts, func(t view.Text) string { return words.Say(t, style) })
}

// square returns the button of a square of the board. Discord shows disabled buttons pale, so the squares of the line that ended the match
// stay enabled; a click on one does nothing. A Unicode emoji does not show the name of the square, so a label does. A row of five has no
// room for both, and gets the labels of a text board.
func square(i int, s view.Screen, words locale.Words, style discordStyle) discordgo.Button {
	c := s.Cells[i]
	var do view.Action = view.Play{Match: s.Match, Ply: s.Ply, Square: c.Name}
	switch {
	case s.Practice != nil:
		do = s.Practice.After(game.Square(i))
	case s.Lesson != "":
		do = view.Learn{Lesson: s.Lesson, Square: c.Name}
	case s.Puzzle != nil:
		do = s.Puzzle.On(c.Name)
	}
	b := discordgo.Button{
		CustomID: customIDOf(do), Style: squareStyle(c), Disabled: c.Over && !c.InLine(),
	}
	switch drawn := style.square(c); {
	case s.Labels, drawn.ID == "" && s.Columns == rowSize:
		b.Label = words.Say(s.Label(c), style)
	case drawn.ID == "":
		b.Emoji, b.Label = drawn, c.Name
	default:
		b.Emoji = drawn
	}
	return b
}

// pictured returns a board as text: a line of emoji for each row, with letters above the columns and numbers beside the rows. All emoji
// have the same width. Spaces between the letter emoji keep two of them from being shown as a flag.
func pictured(s view.Screen, style discordStyle) string {
	var letters []string
	for column := range s.Columns {
		letters = append(letters, string('🇦'+rune(column)))
	}
	rows := []string{strings.Join(letters, " ")}
	for row := range slices.Chunk(s.Cells, s.Columns) {
		var b strings.Builder
		for _, c := range row {
			b.WriteString(inText(style.square(c)) + " ")
		}
		rows = append(rows, fmt.Sprint(b.String(), len(rows)))
	}
	return strings.Join(rows, "\n")
}

// drawn returns a board as a code block, in which all columns are aligned. The labels of buttons are not.
func drawn(s view.Screen) string {
	var b strings.Builder
	b.WriteString("```\n ")
	for column := range s.Columns {
		b.WriteString(" " + string('a'+rune(column)))
	}
	for i, c := range s.Cells {
		if i%s.Columns == 0 {
			fmt.Fprintf(&b, "\n%d", i/s.Columns+1)
		}
		mark := "·"
		if c.Mark != game.None {
			mark = c.Mark.String()
		}
		b.WriteString(" " + mark)
	}
	return b.String() + "\n```"
}

func button(b view.Button, words locale.Words, style labelStyle) discordgo.Button {
	if b.URL != "" {
		return discordgo.Button{URL: b.URL, Label: words.Say(b.Label, style), Style: discordgo.LinkButton}
	}
	made := discordgo.Button{
		CustomID: customIDOf(b.Do),
		Label:    words.Say(b.Label, style),
		Disabled: b.Disabled,
		Style:    buttonStyles[b.Weight],
	}
	if b.Mark != game.None {
		made.Emoji = style.emojiOf(emoji.Of("", b.Mark, picture.Plain))
	}
	return made
}

// each calls of for each element and returns the results. Without elements the result is empty, but not nil.
func each[T, U any](all []T, of func(T) U) []U {
	made := make([]U, len(all))
	for i, one := range all {
		made[i] = of(one)
	}
	return made
}

// maxAlt is the maximum length of the description of a picture at Discord, in characters.
const maxAlt = 1024

// shown returns the reply that shows a screen. A picture is sent as a file. If the bot may not attach files, or Discord refuses this one, a
// text replaces the picture.
func shown(in *interaction, kind bot.Kind, s view.Screen, words locale.Words, style discordStyle) bot.Reply {
	reply := bot.Reply{Kind: kind, Components: encode(s.InWords(), words, style)}
	if p := s.Picture; p != nil && !in.NoFiles {
		reply.Wordy, reply.Components = reply.Components, encode(s, words, style)
		reply.Files = []rest.File{fileOf(*p, alt(*p, words, style))}
	}
	return reply
}

// gallery returns the component that shows a picture from a file of the message.
func gallery(p view.Picture, words locale.Words, style discordStyle) discordgo.MediaGallery {
	described := alt(p, words, style)
	return discordgo.MediaGallery{Items: []discordgo.MediaGalleryItem{
		{Media: discordgo.UnfurledMediaItem{URL: "attachment://" + p.Name}, Description: &described},
	}}
}

// alt returns the description of a picture for screen readers, without markdown.
func alt(p view.Picture, words locale.Words, style discordStyle) string {
	return cutName(words.Say(p.Alt, labelStyle{style}), maxAlt)
}

// color returns the accent colour of a screen, one of the colours of Discord's buttons. It does not show whose turn it is, because red and
// blue look like the colours of the sides.
func color(t view.Tone) int {
	colors := map[view.Tone]int{view.Won: 0x248046, view.Warning: 0xf0b232, view.Drawn: 0x80848e, view.Closed: 0x80848e}
	return cmp.Or(colors[t], 0x5865f2) // blue, for a match in progress or a neutral screen
}

// buttonStyles are Discord's styles of buttons by weight. They are the colours grey, blue, green and red.
var buttonStyles = map[view.Weight]discordgo.ButtonStyle{
	view.Plain: discordgo.SecondaryButton, view.Main: discordgo.PrimaryButton,
	view.Good: discordgo.SuccessButton, view.Bad: discordgo.DangerButton,
}

// squareStyle returns green for a square in a winning line, red in a losing line, blue for a square that leads a vote, and grey otherwise.
// Marks are drawn by emoji, which have their own colours.
func squareStyle(c view.Cell) discordgo.ButtonStyle {
	switch {
	case c.Winning:
		return discordgo.SuccessButton
	case c.Losing:
		return discordgo.DangerButton
	case c.Better:
		return discordgo.PrimaryButton
	default:
		return discordgo.SecondaryButton
	}
}

// selection returns a row with a menu.
func selection(s view.Select, words locale.Words, style labelStyle) discordgo.ActionsRow {
	menu := discordgo.SelectMenu{
		MenuType: discordgo.StringSelectMenu, CustomID: customIDOf(s.Do),
		Placeholder: words.Say(s.Hint, style), MinValues: &s.Min, MaxValues: s.Max,
	}
	for _, o := range s.Options {
		menu.Options = append(menu.Options, discordgo.SelectMenuOption{
			Label: cutName(words.Say(o.Label, style), maxChoiceLength), Value: o.Value, Default: o.Chosen,
		})
	}
	var of discordgo.SelectMenuDefaultValueType
	switch s.Of {
	case view.VenuePlaces, view.PostPlaces:
		menu.MenuType, of = discordgo.ChannelSelectMenu, discordgo.SelectMenuDefaultValueChannel
		menu.ChannelTypes = []discordgo.ChannelType{
			discordgo.ChannelTypeGuildText, discordgo.ChannelTypeGuildVoice, discordgo.ChannelTypeGuildNews,
		}
		if s.Of == view.VenuePlaces {
			menu.ChannelTypes = append(menu.ChannelTypes, discordgo.ChannelTypeGuildForum)
		}
	case view.VenueRoles:
		menu.MenuType, of = discordgo.RoleSelectMenu, discordgo.SelectMenuDefaultValueRole
	case view.AllPeople:
		menu.MenuType, of = discordgo.UserSelectMenu, discordgo.SelectMenuDefaultValueUser
	}
	for _, id := range s.Chosen {
		menu.DefaultValues = append(menu.DefaultValues, discordgo.SelectMenuDefaultValue{ID: id, Type: of})
	}
	return discordgo.ActionsRow{Components: []discordgo.MessageComponent{menu}}
}

// labelStyle is the style of texts in which Discord does not interpret markdown, such as labels of buttons.
type labelStyle struct{ discordStyle }

// Name returns the clean name; see cleanName.
func (labelStyle) Name(name string) string { return isolated(cleanName(name)) }

// Title returns the clean title; see cleanTitle.
func (labelStyle) Title(title string) string { return isolated(cleanTitle(title)) }

// Place returns a stand-in, because Discord shows no channel there. Role does the same.
func (labelStyle) Place(string) string { return "#…" }
func (labelStyle) Role(string) string  { return "@…" }

// Date returns the day, in UTC, as the language writes it.
func (labelStyle) Date(t time.Time, long func(time.Time) string) string { return long(t.UTC()) }

// Mark returns the Unicode emoji of a mark. Discord draws no other emoji there.
func (labelStyle) Mark(m game.Mark) string { return discordStyle{}.Mark(m) }

// Command returns the command as users type it.
func (labelStyle) Command(_, named string) string { return "/" + named }

// labeled is an input of a modal in a label component, a type that discordgo v0.29 does not know.
type labeled struct {
	label, note string
	input       any // a textInput or a menu
}

// Type returns Discord's type of a label.
func (labeled) Type() discordgo.ComponentType { return 18 }

// MarshalJSON returns the label component with the input inside it.
func (l labeled) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Type        discordgo.ComponentType `json:"type"`
		Label       string                  `json:"label"`
		Description string                  `json:"description,omitempty"`
		Component   any                     `json:"component"`
	}{l.Type(), l.label, l.note, l.input})
}

// textInput is an input of one line.
type textInput struct {
	id       string // custom_id
	value    string // the text before the user changes it
	required bool
	most     int // maximum number of characters
}

// MarshalJSON returns the input without a label of its own.
func (t textInput) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Type      discordgo.ComponentType  `json:"type"`
		CustomID  string                   `json:"custom_id"`
		Style     discordgo.TextInputStyle `json:"style"`
		Value     string                   `json:"value,omitempty"`
		Required  bool                     `json:"required"`
		MaxLength int                      `json:"max_length"`
	}{discordgo.TextInputComponent, t.id, discordgo.TextInputShort, t.value, t.required, t.most})
}

// attach returns a picture for a message that is drawn without an interaction.
func attach(p view.Picture, words locale.Words, style discordStyle) discordgo.MessageComponent {
	said := alt(p, words, style)
	return rest.Attached{
		MediaGallery: gallery(p, words, style), File: fileOf(p, said), Words: discordgo.TextDisplay{Content: "-# " + words.Say(p.Alt, style)},
	}
}

func fileOf(p view.Picture, alt string) rest.File {
	return rest.File{Name: p.Name, Type: mime.TypeByExtension(path.Ext(p.Name)), Description: alt, Content: p.Content}
}
