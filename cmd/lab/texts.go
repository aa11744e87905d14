package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tictactoe/internal/show/gallery"
	"tictactoe/internal/show/locale"
)

type textsCommand struct {
	Locale string `arg:"" help:"The language, as Discord names it: de, pt-BR."`
}

func (c textsCommand) Validate() error {
	if !slices.Contains(locale.Languages(), c.Locale) {
		return fmt.Errorf("%s: Discord has no such language; it has %s", c.Locale, strings.Join(locale.Languages(), ", "))
	}
	return nil
}

// Run prints all screens of the bot in the given language.
func (c textsCommand) Run(s streams) error {
	book, err := locale.NewBook()
	if err != nil {
		return err
	}
	all := gallery.Screens(maker{})
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if _, err := fmt.Fprintf(s.stdout, "── %s ──\n%s\n", name, gallery.Draw(all[name].Screen, book.In(c.Locale))); err != nil {
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
