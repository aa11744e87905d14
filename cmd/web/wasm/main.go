//go:build js

// Command wasm is the program of the page that plays in a browser alone. It runs in a worker, which gives it the storage and the texts.
// cmd/web builds it.
package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"syscall/js"
	"time"

	"tictactoe/game"
	"tictactoe/internal/browser"
	"tictactoe/internal/computer"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/show/locale"
)

func main() {
	pg := page{&browser.Page{Now: time.Now, Coin: func() bool { return rand.IntN(2) == 0 }}, time.AfterFunc(pause, runtime.GC)}
	js.Global().Set("tictactoe", map[string]any{
		"storage": function(pg.storage),
		"speak":   function(pg.speak),
		"do":      function(pg.do),
		"say":     function(pg.say),
		"take":    function(pg.take),
		"values":  function(pg.values),
		"puzzle":  function(pg.puzzle),
	})
	js.Global().Call("started")
	select {}
}

// page has the functions that the worker calls.
type page struct {
	*browser.Page
	idle *time.Timer // collects garbage while the person looks at the screen, because a collection in the middle of a move delays the answer
}

// pause is how long after a screen the garbage is collected.
const pause = 20 * time.Millisecond

// storage(rows) says where rows are kept.
func (p page) storage(args []js.Value) (any, error) {
	p.Rows = rows{args[0]}
	return nil, nil
}

// speak(code, texts) sets the language. texts are the decoded files of the language and its parent by code.
func (p page) speak(args []js.Value) (any, error) {
	values := map[string]map[string]any{}
	for code, file := range object(args[1]) {
		values[code] = object(file)
		for key, text := range values[code] {
			values[code][key] = decoded(text.(js.Value))
		}
	}
	book, err := locale.BookOf(values, func(code string) locale.Numbers { return newNumbers(code) })
	if err != nil {
		return nil, err
	}
	p.Words = book.In(args[0].String())
	return nil, nil
}

// do(word) carries out a press and returns the screen.
func (p page) do(args []js.Value) (any, error) {
	p.idle.Stop()
	defer p.idle.Reset(pause)
	d, err := p.Do(context.Background(), args[0].String())
	return valueOf(d), err
}

// say(keys) returns texts without arguments, for the parts of the page around the screens.
func (p page) say(args []js.Value) (any, error) {
	said := map[string]any{}
	for i := range args[0].Length() {
		key := args[0].Index(i).String()
		said[key] = p.Say(key)
	}
	return said, nil
}

// take(rows) adds the rows of an exported file, and returns how many matches were added.
func (p page) take(args []js.Value) (any, error) {
	taken := map[string]browser.Row{}
	for key, row := range object(args[0]) {
		taken[key] = rowOf(row)
	}
	return p.Take(context.Background(), taken)
}

// values(positions) returns the values of the moves in positions, each a board and a position, however long it takes, for tests.
func (page) values(args []js.Value) (any, error) {
	var engines computer.Engines
	var said []any
	for i := range args[0].Length() {
		rules, err := game.ParseRules(args[0].Index(i).Index(0).String())
		if err != nil {
			return nil, err
		}
		at, err := game.ParsePosition(rules, args[0].Index(i).Index(1).String())
		if err != nil {
			return nil, err
		}
		solver, err := engines.Solver(rules)
		if err != nil {
			return nil, err
		}
		text := ""
		for _, m := range solver.Moves(at) {
			text += fmt.Sprintf("%s %v, ", rules.Name(m.Square), m.Eval)
		}
		said = append(said, text)
	}
	return said, nil
}

// puzzle(day) returns the puzzle of a day and its solution in one line, for tests.
func (page) puzzle(args []js.Value) (any, error) {
	of, err := puzzle.Of(context.Background(), puzzle.Day(args[0].Int()))
	text := of.Board + " " + of.Start.String() + " " + of.Goal.String()
	for _, m := range of.Solution() {
		text += fmt.Sprint(" ", int(m.Right), " ", int(m.Answer))
	}
	return text, err
}

// function returns a function that runs in a goroutine of its own and returns a promise, so that it may wait for other promises.
func function(run func(args []js.Value) (any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		var executor js.Func
		executor = js.FuncOf(func(_ js.Value, settle []js.Value) any {
			go func() {
				defer executor.Release()
				if value, err := run(args); err != nil {
					settle[1].Invoke(js.Global().Get("Error").New(err.Error()))
				} else {
					settle[0].Invoke(value)
				}
			}()
			return nil
		})
		return js.Global().Get("Promise").New(executor)
	})
}

// await waits for a promise.
func await(promise js.Value) (value js.Value, err error) {
	done := make(chan struct{})
	var resolve, reject js.Func
	resolve = js.FuncOf(func(_ js.Value, args []js.Value) any {
		value = args[0]
		close(done)
		return nil
	})
	reject = js.FuncOf(func(_ js.Value, args []js.Value) any {
		err = errors.New(args[0].Get("message").String())
		close(done)
		return nil
	})
	promise.Call("then", resolve, reject)
	<-done
	resolve.Release()
	reject.Release()
	return value, err
}

// rows is the storage of the browser.
type rows struct{ js js.Value }

func (r rows) All(_ context.Context, prefix string) (map[string]browser.Row, error) {
	found, err := await(r.js.Call("all", prefix))
	if err != nil {
		return nil, fmt.Errorf("reading the storage of the browser: %w", err)
	}
	all := map[string]browser.Row{}
	for key, row := range object(found) {
		all[key] = rowOf(row)
	}
	return all, nil
}

func (r rows) Put(_ context.Context, changes ...browser.Change) error {
	var list []any
	for _, c := range changes {
		change := map[string]any{"key": c.Key, "from": int(c.From), "to": nil}
		if c.To != nil {
			to := map[string]any{}
			for field, text := range c.To {
				to[field] = text
			}
			change["to"] = to
		}
		list = append(list, change)
	}
	outcome, err := await(r.js.Call("put", list))
	if err != nil {
		return fmt.Errorf("writing to the storage of the browser: %w", err)
	}
	switch outcome.String() {
	case "conflict":
		return match.ErrConflict
	case "full":
		return match.ErrUnsaved
	}
	return nil
}

// object returns the values of an object by key. The values are of type js.Value.
func object(of any) map[string]any {
	v := js.ValueOf(of)
	values := map[string]any{}
	entries := js.Global().Get("Object").Call("entries", v)
	for i := range entries.Length() {
		entry := entries.Index(i)
		values[entry.Index(0).String()] = entry.Index(1)
	}
	return values
}

// decoded returns a text, or an object of texts.
func decoded(v js.Value) any {
	if v.Type() == js.TypeString {
		return v.String()
	}
	values := object(v)
	for key, text := range values {
		values[key] = text.(js.Value).String()
	}
	return values
}

func rowOf(v any) browser.Row {
	row := browser.Row{}
	for field, text := range object(v) {
		row[field] = text.(js.Value).String()
	}
	return row
}

// numbers has the numbers of a language as the browser knows them.
type numbers struct{ plural, decimal js.Value }

func newNumbers(code string) numbers {
	intl := js.Global().Get("Intl")
	return numbers{intl.Get("PluralRules").New(code), intl.Get("NumberFormat").New(code)}
}

func (n numbers) Form(of int) string  { return n.plural.Call("select", max(of, -of)).String() }
func (n numbers) Write(of int) string { return n.decimal.Call("format", of).String() }

// valueOf returns a screen as JavaScript has it.
func valueOf(d browser.Drawn) map[string]any {
	cells := list(d.Cells, func(c browser.Cell) any {
		return map[string]any{"name": c.Name, "mark": c.Mark, "look": c.Look, "say": c.Say, "value": c.Value, "do": c.Do}
	})
	buttons := list(d.Buttons, func(b browser.Button) any {
		return map[string]any{"label": b.Label, "do": b.Do, "weight": b.Weight, "off": b.Off, "copy": b.Copy, "ask": list(b.Ask, text)}
	})
	menus := list(d.Menus, func(m browser.Menu) any {
		return map[string]any{"name": m.Name, "label": m.Label, "options": list(m.Options, func(o browser.Option) any {
			return map[string]any{"label": o.Label, "value": o.Value, "chosen": o.Chosen}
		})}
	})
	return map[string]any{
		"tab": d.Tab, "tone": d.Tone, "lines": list(d.Lines, text), "notes": list(d.Notes, text), "paste": d.Paste, "grid": d.Grid,
		"columns": d.Columns, "cells": cells, "line": list(d.Line, func(i int) any { return i }), "buttons": buttons, "menus": menus,
		"until": float64(d.Until), "expire": d.Expire, "again": d.Again, "link": d.Link, "self": d.Self,
	}
}

func text(s string) any { return s }

func list[T any](of []T, value func(T) any) []any {
	values := []any{}
	for _, v := range of {
		values = append(values, value(v))
	}
	return values
}
