package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"tictactoe/discordsim"
)

// TestFrontPicture makes the picture at the top of the README, if TICTACTOE_SHOTS names a folder: a match, an arena, a profile and the
// daily puzzle. Reduce it to 256 colours before it goes into docs/images. The pictures whose names begin with listing are for docs/listing.md.
func TestFrontPicture(t *testing.T) {
	folder := os.Getenv("TICTACTOE_SHOTS")
	if folder == "" {
		t.Skip("TICTACTOE_SHOTS names no folder for pictures")
	}
	chromium := openBrowser(t)
	d := noon(t)
	const win, draw, loss = "b2 a1 c1 a3 a2 b1 c2", "b2 a1 c1 a3 a2 c2 b1 b3 c3", "b2 a1 a2 c2 b3 b1 a3 c1"
	for i, moves := range []string{win, loss, win, draw, win, win, draw, win} { // rated matches, so that the profile has something to tell
		other := []string{"bob", "carol"}[i%2]
		d.advance("7h")
		board := d.accepted("alice", other)
		for ply, square := range strings.Fields(moves) {
			d.press([]string{"alice", other}[ply%2], board, square)
		}
	}
	d.advance("16h")
	board := d.accepted("alice", "bob")
	for i, square := range []string{"b2", "a1", "c1", "a3", "a2"} {
		d.press([]string{"alice", "bob"}[i%2], board, square)
	}
	alice, wide := openTab(t, chromium, d.url, "alice", 430, 1400), openTab(t, chromium, d.url, "alice", 1600, 900)
	wide.do(chromedp.EmulateViewport(1600, 900, chromedp.EmulateScale(1.6)))
	var pictures []image.Image
	show := func(name, selector, text string) {
		pictures = append(pictures, alice.part(selector, text))
		wide.sees(text)
		wide.keep("listing-" + name)
	}
	show("match", "", "Bob to move")

	d.arena("Friday night")
	wide.sees("Only you can see this")
	wide.press("Dismiss message")
	show("arena", ":not(.ephemeral)", "Ends in")

	d.advance("11m")
	d.command("alice", "tictactoe profile", nil)
	show("profile", "", "Latest matches")
	d.command("alice", "tictactoe daily", nil)
	show("puzzle", "", "Daily puzzle")

	file, err := os.Create(filepath.Join(folder, "front.png"))
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(file, inColumns(pictures)); err != nil {
		t.Error(err)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
}

// accepted has one person challenge another, who accepts, and returns the board.
func (d *driver) accepted(by, other string) string {
	d.t.Helper()
	d.advance("1m")
	d.command(by, "tictactoe challenge", map[string]any{"opponent": other, "first": "me", "clock": "5m"})
	board := d.latest()
	d.press(other, board, "Accept")
	return board
}

// arena has three people play three games of an arena.
func (d *driver) arena(name string) {
	d.t.Helper()
	d.advance("1m")
	opened := d.command("alice", "tictactoe arena", nil)
	d.act("modal", map[string]any{"as": "alice", "interaction": opened.Interaction, "fields": map[string]any{"starts": "1", "lasts": "10m0s", "name": name}})
	arena := d.latest()
	for _, who := range []string{"alice", "bob", "carol"} {
		d.press(who, arena, "Join")
	}
	d.advance("5s") // the bot opens the thread
	d.advance("1m")
	for range 3 {
		var thread []*discordsim.Message
		toMove := func(m *discordsim.Message) bool { return strings.Contains(textOf(m), "to move") }
		waitUntil(d.t, "a board is in the thread of the arena", func() bool {
			d.advance("1s")
			d.ask("GET", "messages?as=alice&channel="+arena, nil, &thread)
			return slices.ContainsFunc(thread, toMove)
		})
		board := thread[slices.IndexFunc(thread, toMove)]
		for _, square := range []string{"a4", "b4", "a3", "b3", "a2", "b2", "a1"} {
			d.ask("GET", "messages?as=alice&channel="+arena, nil, &thread)
			board = thread[slices.IndexFunc(thread, func(m *discordsim.Message) bool { return m.ID == board.ID })]
			before, _, _ := strings.Cut(textOf(board), "** to move")
			who := strings.ToLower(before[strings.LastIndex(before, "*")+1:])
			for _, b := range buttonsOf(board) {
				if strings.HasSuffix(b.CustomID, ":"+square) {
					d.act("click", map[string]any{"as": who, "message": board.ID, "custom_id": b.CustomID})
				}
			}
		}
	}
	d.advance("3s")
}

// part takes a picture of the latest message that matches a selector and contains a text.
func (w *tab) part(selector, text string) image.Image {
	w.t.Helper()
	last := fmt.Sprintf(`[...document.querySelectorAll(".message%s")].filter((m) => m.innerText.includes(%q)).at(-1)`, selector, text)
	w.until(last)
	eval[bool](w, `(document.querySelectorAll("[data-picture]").forEach((e) => e.removeAttribute("data-picture")), document.body.style.pointerEvents = "none", `+last+`.setAttribute("data-picture", ""), true)`)
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	drawn, err := chromedp.Run(ctx, chromedp.ScreenshotScale(chromedp.CSS("[data-picture]"), 2))
	if err != nil {
		w.t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(drawn))
	if err != nil {
		w.t.Fatal(err)
	}
	return picture
}

// inColumns draws the first two pictures one above the other, and each of the others in a column of its own.
func inColumns(pictures []image.Image) image.Image {
	const margin = 24
	width, x, y := pictures[0].Bounds().Dx(), margin, margin
	sheet := image.NewRGBA(image.Rect(0, 0, margin+(len(pictures)-1)*(width+margin), 2000))
	draw.Draw(sheet, sheet.Bounds(), image.NewUniform(color.RGBA{0x31, 0x33, 0x38, 0xff}), image.Point{}, draw.Src)
	high := 0
	for i, p := range pictures {
		if i > 1 {
			x, y = x+width+margin, margin
		}
		draw.Draw(sheet, p.Bounds().Add(image.Pt(x, y)), p, image.Point{}, draw.Src)
		y += p.Bounds().Dy() + margin
		high = max(high, y)
	}
	return sheet.SubImage(image.Rect(0, 0, sheet.Bounds().Dx(), high))
}
