package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"tictactoe/internal/show/gallery"
	"tictactoe/internal/show/locale"
)

// textsCommand checks the files of texts and draws screens, for translators.
type textsCommand struct {
	Locale  string `placeholder:"NAME" help:"The language, as Discord names it: de, pt-BR. Without one, all of them in a list."`
	Missing bool   `help:"Print what is missing or wrong in its file, by line."`
	Screens bool   `help:"Draw every screen in this language."`
	Folder  string `placeholder:"DIR" help:"Read the files in this folder (internal/show/locale/texts of the sources), not those in the program."`
}

func (textsCommand) Help() string {
	return `
Without a flag it says how far each language is.

  tictactoe texts --locale de --screens
  tictactoe texts --locale de --missing --folder internal/show/locale/texts

Nothing has to be built to see a change: edit the file, and run the command again with --folder. docs/languages.md tells more.
`
}

func (c textsCommand) Validate() error {
	switch {
	case c.Locale == "" && c.Screens:
		return fmt.Errorf("say which language with --locale, such as --locale de")
	case c.Locale != "" && !slices.Contains(locale.Languages(), c.Locale):
		return fmt.Errorf("--locale %s: Discord has no such language; it has %s", c.Locale, strings.Join(locale.Languages(), ", "))
	}
	return nil
}

func (c textsCommand) Run(s surroundings) error {
	endAtOnce()
	book, problems, err := c.read()
	if err != nil {
		return err
	}
	switch {
	case c.Screens:
		return drawScreens(s, book.In(c.Locale))
	case c.Missing:
		listProblems(s, problems)
	default:
		c.list(s, book, problems)
	}
	return nil
}

// read reads the files of texts. problems lists the faults in the file of the requested language, or in all files.
func (c textsCommand) read() (book *locale.Book, problems []locale.Problem, err error) {
	folder := locale.Embedded()
	if c.Folder != "" {
		folder = os.DirFS(c.Folder)
	}
	if book, err = locale.ReadBook(folder); err == nil {
		problems, err = locale.Check(folder)
	}
	if err != nil || c.Locale == "" {
		return book, problems, err
	}
	file := book.In(c.Locale).File()
	return book, slices.DeleteFunc(problems, func(p locale.Problem) bool { return p.File != file }), nil
}

func listProblems(s surroundings, problems []locale.Problem) {
	for _, p := range problems {
		fmt.Fprintln(s.stdout, p)
	}
	if len(problems) == 0 {
		fmt.Fprintln(s.stdout, "Nothing is missing, and nothing is wrong.")
	}
}

// list prints, for each language, its file, the number of its faults, and in how many of its groups nobody has checked the
// inherited texts.
func (c textsCommand) list(s surroundings, book *locale.Book, problems []locale.Problem) {
	wrong, unread := map[string]int{}, map[string]int{}
	for _, p := range problems {
		if p.Inherited() {
			unread[p.File]++
		} else {
			wrong[p.File]++
		}
	}
	for _, name := range locale.Languages() {
		if c.Locale != "" && c.Locale != name {
			continue
		}
		file, state := book.In(name).File(), "whole"
		if n := unread[file]; n > 0 {
			state = fmt.Sprintf("whole, %d groups of inherited texts not looked at: tictactoe texts --locale %s --missing", n, name)
		}
		if n := wrong[file]; n > 0 {
			state = fmt.Sprintf("%d to mend: tictactoe texts --locale %s --missing", n, name)
		}
		fmt.Fprintf(s.stdout, "%-7s %-12s %s\n", name, file, state)
	}
}

// drawScreens prints all screens of the bot in the given language.
func drawScreens(s surroundings, words locale.Words) error {
	all := gallery.Screens(maker{})
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if _, err := fmt.Fprintf(s.stdout, "── %s ──\n%s\n", name, gallery.Draw(all[name].Screen, words)); err != nil {
			return err
		}
	}
	return nil
}

// maker panics with the errors that occur while the example screens are made, because such errors are mistakes in the program.
type maker struct{}

func (maker) Helper()                           {}
func (maker) Context() context.Context          { return context.Background() }
func (maker) Fatal(args ...any)                 { panic(fmt.Sprint(args...)) }
func (maker) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
