package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdpnetwork "github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tictactoe/internal/longtest"
)

// openPlayground starts a playground and a browser.
func openPlayground(t *testing.T) (chromium context.Context, d *driver) {
	t.Helper()
	chromium = openBrowser(t)
	d = start(t, nil, "playground", "--listen", "127.0.0.1:0", "--db", filepath.Join(t.TempDir(), "playground.db")).discord()
	d.awaitBot()
	return chromium, d
}

// TestEveryBoardInABrowser plays a game against the computer with every offered rule set, alternately by keyboard on a laptop and
// by touch on a phone.
func TestEveryBoardInABrowser(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	chromium, d := openPlayground(t)
	laptop := openTab(t, chromium, d.url, "alice", 1280, 800)
	phone := openTab(t, chromium, d.url, "bob", 390, 844)
	for _, on := range []struct {
		board string
		tabs  []*tab
	}{
		{"classic", []*tab{laptop, phone}}, {"4x4", []*tab{laptop}}, {"5x5", []*tab{phone}}, {"infinite", []*tab{laptop}},
		{"drop", []*tab{laptop, phone}}, {"drop-5x5", []*tab{phone}}, {"misere", []*tab{laptop}},
	} {
		board := on.board
		t.Run(board, func(t *testing.T) {
			for _, who := range on.tabs {
				who := &tab{t: t, ctx: who.ctx, url: who.url, name: who.name}
				before := eval[int](who, `document.querySelectorAll(".message").length`)
				who.compose("/tictactoe ai board:" + board + " first:me")
				who.until(fmt.Sprintf(`document.querySelectorAll(".message").length > %d && `+latest+`.querySelector(".square")`, before))
				who.fits()
				who.shot("begun")
				for range 40 { // infinite boards end too, because the computer wins when it can
					if eval[bool](who, over) {
						break
					}
					if who.name == "alice" {
						who.moveByKeyboard()
					} else {
						who.moveByTouch()
					}
				}
				who.until(over)
				who.fits()
				who.shot("over")
			}
		})
	}
}

// TestTextBoardsFitAPhone tests that each row of a text board fits on one line of a phone throughout the game.
func TestTextBoardsFitAPhone(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	chromium, d := openPlayground(t)
	bob := openTab(t, chromium, d.url, "bob", 390, 844)
	press := func(button string) { eval[bool](bob, `((b) => { b.click(); return true; })(`+button+`)`) }
	bob.compose("/tictactoe settings")
	bob.sees("Your boards use pictures")
	press(`[...document.querySelectorAll("button")].find((b) => b.innerText.trim() === "Use text boards")`)
	bob.sees("Your boards use text")
	const (
		shown = latest + `.querySelector(".container").innerText.replace(/time runs out.*/, "")`
		torn  = `[...` + latest + `.querySelectorAll(".row")].some((row) => /^[a-e][1-5]/.test(row.children[0].innerText.trim()) && new Set([...row.children].map((b) => Math.round(b.getBoundingClientRect().top))).size > 1)`
		free  = `[...` + latest + `.querySelectorAll("button:not(:disabled)")].find((b) => /^[a-e][1-5]$/.test(b.innerText.trim()))`
	)
	for _, board := range []string{"infinite", "4x4", "5x5"} {
		before := eval[int](bob, `document.querySelectorAll(".message").length`)
		bob.compose("/tictactoe ai level:random first:me board:" + board)
		bob.until(fmt.Sprintf(`document.querySelectorAll(".message").length > %d && %s`, before, free))
		for range 25 {
			if eval[bool](bob, torn) {
				bob.shot(board)
				t.Fatalf("%s: a row of the board is broken into two lines", board)
			}
			if eval[bool](bob, over) {
				break
			}
			was := eval[string](bob, shown)
			press(free)
			bob.until(fmt.Sprintf(`%s !== %q && !document.querySelector("[aria-busy]")`, shown, was))
		}
		bob.until(over)
		bob.fits()
		bob.shot(board)
	}
}

// TestThePageOnASlowPhone tests a phone with 400 kbit/s and a delay of 400 ms. The page shows an empty channel after 40 KB (40,858 bytes;
// ids and dates compress differently), and has loaded all of a channel with 60 messages, half of them boards with pictures, after
// 124 KB.
func TestThePageOnASlowPhone(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	chromium, d := openPlayground(t)
	newEmojiAt(t, d).wantWhole(0)
	begun := time.Now()
	waitUntil(t, "the bot knows of its emoji", func() bool { return time.Since(begun) > 12*time.Second }) // the bot does not report when its emoji are uploaded
	for _, channel := range []struct {
		name                 string
		messages, soon, most int
	}{{"empty", 0, 40 << 10, 60 << 10}, {"full", 60, 48 << 10, 150 << 10}} {
		t.Run(channel.name, func(t *testing.T) {
			for i := range channel.messages / 2 { // each match has another player, because one player may have only a few open matches
				player := fmt.Sprint("player", i)
				d.ask("POST", "users", map[string]any{"username": player}, new(any))
				d.command(player, "tictactoe ai", map[string]any{"level": "easy"})
				d.ask("POST", "message", map[string]any{"as": "bob", "channel": "general", "content": "how is it going?"}, new(any))
			}
			w := openFirst(t, chromium, d.url, "alice", 390, 844)
			if _, err := chromedp.Call(w.ctx, cdpnetwork.ClearBrowserCache, chromedp.Void{}); err != nil {
				t.Fatal(err)
			}
			type params struct {
				Offline                  bool                    `json:"offline"`
				MatchedNetworkConditions []cdpnetwork.Conditions `json:"matchedNetworkConditions"`
			}
			emulate := cdp.Command[params, cdpnetwork.EmulateNetworkConditionsByRuleResult]{Method: cdpnetwork.CommandEmulateNetworkConditionsByRule}
			slow := cdpnetwork.Conditions{Latency: 400, DownloadThroughput: 50 << 10, UploadThroughput: 50 << 10}
			if _, err := chromedp.Call(w.ctx, emulate, params{MatchedNetworkConditions: []cdpnetwork.Conditions{slow}}); err != nil {
				t.Fatal(err)
			}
			w.visit()
			w.until(`[...document.images].every((i) => i.complete) && document.querySelector("#compose")`)
			type seen struct{ Shown, Soon, All int }
			got := eval[seen](w, `(() => {
				const [page] = performance.getEntriesByType("navigation"), others = performance.getEntriesByType("resource");
				const needed = ["/sim/state", "/sim/messages"].map((call) => others.find((r) => r.name.includes(call))); // the first of each kind
				const sum = (list) => list.reduce((bytes, r) => bytes + r.encodedBodySize, 0);
				return { shown: Math.round(performance.getEntriesByName("messages")[0].startTime), soon: sum([page, ...needed]), all: sum([page, ...others]) };
			})()`)

			if n := eval[int](w, `document.querySelectorAll("img.emoji").length`); n < 200 && channel.messages > 0 {
				t.Errorf("only %d squares have pictures", n)
			}
			t.Logf("the messages are shown after %d ms and %d bytes; the whole page takes %d bytes", got.Shown, got.Soon, got.All)
			if got.Soon > channel.soon || got.All > channel.most {
				t.Errorf("the messages take %d bytes, and the whole page takes %d; want at most %d and %d", got.Soon, got.All, channel.soon, channel.most)
			}
		})
	}
}

// These are JavaScript expressions about the newest message on the page.
const (
	latest   = `[...document.querySelectorAll(".message")].at(-1)`
	over     = `[...` + latest + `.querySelectorAll("button")].some((b) => b.innerText.trim() === "Play again")`
	empties  = `[...` + latest + `.querySelectorAll(".square:not(:disabled)")].filter((b) => /empty|white_small_square/.test(b.ariaLabel))`
	position = `[...` + latest + `.querySelectorAll(".square")].map((b) => b.ariaLabel + b.className + b.disabled).join()`
)

// settled waits until the board differs from the board before, and no request is open.
func (w *tab) settled(before string) {
	w.t.Helper()
	w.until(fmt.Sprintf(`%s !== %q && !document.querySelector("[aria-busy]")`, position, before))
}

func (w *tab) moveByTouch() {
	w.t.Helper()
	before := eval[string](w, position)
	w.click(empties + `[0]`)
	w.settled(before)
}

// moveByKeyboard goes to an empty square by Tab and the arrow keys and presses Enter. It requires that the focus stays in the message.
func (w *tab) moveByKeyboard() {
	w.t.Helper()
	before := eval[string](w, position)
	if !eval[bool](w, latest+`.contains(document.activeElement)`) {
		w.do(chromedp.Click(chromedp.CSS(".composer textarea")))
		for range 12 { // moves the focus backwards over the elements between the input and the board
			w.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift)))
			if eval[bool](w, latest+`.querySelector(".grid").contains(document.activeElement)`) {
				break
			}
		}
	}
	// The focus moves in a snake line over all rows, from a corner, until a square is empty.
	w.do(chromedp.KeyEvent(strings.Repeat(kb.ArrowUp, 5) + strings.Repeat(kb.ArrowLeft, 5)))
	const here = empties + `.includes(document.activeElement)`
	along, back := kb.ArrowRight, kb.ArrowLeft
	for row := 0; row < 5 && !eval[bool](w, here); row++ {
		for column := 0; column < 4 && !eval[bool](w, here); column++ {
			w.do(chromedp.KeyEvent(along))
		}
		if !eval[bool](w, here) {
			w.do(chromedp.KeyEvent(kb.ArrowDown))
		}
		along, back = back, along
	}
	w.until(here)
	w.do(chromedp.KeyEvent(kb.Enter))
	w.settled(before)
	w.until(latest + `.contains(document.activeElement)`)
}
