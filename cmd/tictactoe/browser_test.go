package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tictactoe/internal/longtest"
)

// TestThePlaygroundInABrowser and the tests after it drive a real browser on the real playground, which is a separate process. If
// TICTACTOE_SHOTS names a folder, they save screenshots there.
func TestThePlaygroundInABrowser(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	playInABrowser(t, 1280, 800)
}

// TestThePlaygroundOnAPhone plays the same games in a window of the size of a phone.
func TestThePlaygroundOnAPhone(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	playInABrowser(t, 390, 844)
}

// playInABrowser lets three users play in windows of the given size, from a challenge to a restart of the bot.
func playInABrowser(t *testing.T, width, height int64) {
	t.Helper()
	chromium := openBrowser(t)
	db := filepath.Join(t.TempDir(), "playground.db")
	p := start(t, nil, "playground", "--listen", ownAddress(t), "--db", db)
	d := p.discord()
	d.awaitBot()
	as := func(name string) *tab { return openTab(t, chromium, d.url, name, width, height) }
	alice, bob := as("alice"), as("bob")

	// A challenge, and a match with a winner.
	alice.compose("/tictactoe challenge opponent:bob first:me")
	alice.sees("challenges Bob to Tic-Tac-Toe")
	bob.until(`document.querySelector(".message.mentioned .mention.mine")`)
	bob.shot("challenge")
	bob.press("Accept")
	alice.plays("b2")
	bob.plays("a1")
	bob.square("c3") // it is not bob's turn
	bob.sees("It's Alice's turn. Yours comes next.")
	bob.until(`document.querySelector(".message.ephemeral .private").innerText.startsWith("Only you can see this")`)
	bob.shot("refusal")
	alice.doesNotSee("It's Alice's turn")
	carol := as("carol")
	carol.square("c3")
	carol.sees("This match is between Alice and Bob")
	carol.press("Dismiss message")
	carol.doesNotSee("This match is between Alice and Bob")
	alice.plays("c1")
	bob.plays("a3")
	alice.plays("c3")
	bob.plays("b3")
	alice.plays("c2")
	for _, who := range []*tab{alice, bob, carol} {
		who.sees("wins with 3 in a row")
		who.until(`document.querySelectorAll(".square.success").length === 3`)
		who.fits()
	}
	alice.shot("won")

	// The players begin a rematch. It is resigned after the confirmation was first cancelled.
	bob.press("Rematch")
	alice.press("Accept rematch")
	bob.plays("b2")
	alice.plays("a1")
	alice.press("Resign")
	alice.until(`document.querySelector("dialog.modal[open]").innerText.includes("Resign this match?")`)
	alice.fits()
	alice.shot("resign")
	alice.press("Cancel")
	alice.until(`!document.querySelector("dialog.modal")`)
	alice.press("Resign")
	alice.press("Submit")
	alice.until(`!document.querySelector("dialog.modal")`)
	bob.sees("Alice resigned")

	// A game against the computer, to its end.
	alice.compose("/tictactoe ai first:me")
	alice.until(`/the computer \(unbeatable\)/.test([...document.querySelectorAll(".message")].at(-1).innerText)`)
	for !eval[bool](alice, `[...document.querySelectorAll(".message")].at(-1).querySelector(".square:disabled") !== null`) {
		alice.firstEmptySquare()
	}
	alice.until(`/A draw: the board is full|[Tt]he computer \(unbeatable\) wins with 3 in a row/.test([...document.querySelectorAll(".message")].at(-1).innerText)`)
	alice.shot("computer")

	alice.compose("/tictactoe leaderboard")
	alice.until(`/Leaderboard[^]*Alice · 1 won, 0 drawn, 1 lost/.test([...document.querySelectorAll(".message")].at(-1).innerText)`)
	alice.fits()
	alice.shot("leaderboard")

	// A reload, and then a restart while all users watch.
	alice.compose("/tictactoe challenge opponent:bob first:me clock:5m")
	bob.press("Accept")
	called := `[...document.querySelectorAll(".message")].at(-1).innerText.includes("your match against Bob has started")`
	alice.until(called)
	alice.plays("a1")
	alice.until("!" + called) // the bot deletes the turn mention after the player's move
	before := alice.transcript()
	alice.visit()
	if after := alice.transcript(); after != before {
		t.Errorf("the page differs after the reload:\n%s\n--- before:\n%s", after, before)
	}
	for _, who := range []*tab{alice, bob, carol} {
		who.forgiveNetwork()
	}
	p.stop()
	for _, who := range []*tab{alice, bob} {
		who.until(`document.querySelector(".banner").innerText.includes("Connection lost. Reconnecting")`)
	}
	alice.shot("lost")
	start(t, nil, "playground", "--listen", d.address(), "--db", db)
	for _, who := range []*tab{alice, bob} {
		who.until(`!document.querySelector(".banner")`)
	}
	bob.plays("b2")
	alice.plays("c1")
	bob.until(`[...document.querySelectorAll(".message")].at(-1).innerText.includes("to move")`)
	bob.fits()
	bob.shot("healed")
}

// browsers are the names of usable browsers, the best first. A headless shell has the same engine without windows, and uses a third
// of the processor time.
var browsers = []string{"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}

// openBrowser starts a browser for a test, or skips it.
func openBrowser(t *testing.T) context.Context {
	t.Helper()
	found := ""
	for _, name := range browsers {
		if at, err := exec.LookPath(name); err == nil {
			found = at
			break
		}
	}
	if found == "" {
		if strings.Contains(os.Getenv("TICTACTOE_REQUIRE"), "browser") {
			t.Fatal("no chromium found, and TICTACTOE_REQUIRE asks for a browser")
		}
		t.Skip("no chromium found in PATH")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(found), chromedp.Flag("lang", "en-US"),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true))
	options = append(options, chromedp.NoSandbox) // the sandbox works neither for root nor in most containers; all pages are ours
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("starting the browser: %v", err)
	}
	return ctx
}

// tab is the page of one user.
type tab struct {
	t    *testing.T
	ctx  context.Context
	url  string
	name string

	mu       sync.Mutex
	noise    []string // errors and warnings on the console
	forgiven bool     // network errors are expected now
}

// openTab opens the page as a user who has seen the introduction.
func openTab(t *testing.T, parent context.Context, url, name string, width, height int64) *tab {
	t.Helper()
	w := openFirst(t, parent, url, name, width, height)
	w.click(`document.querySelector(".tour-close")`)
	return w
}

// openFirst opens the page as a new user.
func openFirst(t *testing.T, parent context.Context, url, name string, width, height int64) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(parent, chromedp.WithNewBrowserContext())
	w := &tab{t: t, ctx: ctx, url: url + "/?as=" + name, name: name}
	if err := chromedp.Do(ctx); err != nil { // the tab exists as long as the context of its first action
		t.Fatal(err)
	}
	soon, done := context.WithTimeout(ctx, patience)
	defer done()
	if _, err := chromedp.Call(soon, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: "dark"}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}}); err != nil {
		t.Fatal(err)
	}
	w.do(chromedp.EmulateViewport(width, height))
	console := chromedp.Console(ctx)
	var listening sync.WaitGroup
	listening.Go(func() {
		for message, err := range console {
			if err != nil {
				return
			}
			if text := message.String(); message.IsException() || strings.HasPrefix(text, "error") || strings.HasPrefix(text, "warning") {
				w.complain(text)
			}
		}
	})
	t.Cleanup(func() {
		if t.Failed() {
			w.shot("failed")
		}
		cancel()
		listening.Wait()
		if len(w.noise) > 0 {
			t.Errorf("%s's console said:\n%s", name, strings.Join(w.noise, "\n"))
		}
	})
	w.visit()
	return w
}

func (w *tab) complain(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.forgiven && (strings.Contains(text, "net::ERR_") || strings.Contains(text, "status of 503")) { // 503 is of a simulator that stops
		return
	}
	w.noise = append(w.noise, text)
}

// forgiveNetwork makes the tab ignore failed requests from now on.
func (w *tab) forgiveNetwork() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.forgiven = true
}

func (w *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		w.t.Fatalf("%s: %v", w.name, err)
	}
}

func eval[T any](w *tab, script string) T {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience+5*time.Second)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		w.t.Fatalf("%s: evaluating %s: %v", w.name, script, err)
	}
	return value
}

// visit loads the page.
func (w *tab) visit() {
	w.t.Helper()
	w.do(chromedp.Navigate(w.url))
	w.until(`document.querySelector(".messages") && !document.querySelector(".waiting") && !document.querySelector(".banner")`)
}

// until waits until an expression in the page is true.
func (w *tab) until(expression string) {
	w.t.Helper()
	if !eval[bool](w, fmt.Sprintf(`new Promise((answer) => {
		const end = Date.now() + %d;
		const look = () => {
			let seen = false;
			try { seen = Boolean(%s); } catch { /* not there yet */ }
			if (seen || Date.now() > end) answer(seen); else setTimeout(look, 15);
		};
		look();
	})`, patience.Milliseconds(), expression)) {
		w.t.Fatalf("%s waited in vain for %s\nthe page:\n%s", w.name, expression, eval[string](w, `document.body.innerText.slice(-3000)`))
	}
}

func (w *tab) sees(text string) {
	w.t.Helper()
	w.until(fmt.Sprintf(`document.querySelector(".messages").innerText.includes(%q)`, text))
}

func (w *tab) doesNotSee(text string) {
	w.t.Helper()
	w.until(fmt.Sprintf(`!document.querySelector(".messages").innerText.includes(%q)`, text))
}

// transcript returns the channel's text, without the countdowns.
func (w *tab) transcript() string {
	w.t.Helper()
	return eval[string](w, `(() => { const copy = document.querySelector(".messages").cloneNode(true);
		copy.querySelectorAll(".stamp, time, .quoted").forEach((e) => e.remove());
		return [...copy.querySelectorAll(".message")].map((m) => m.textContent + [...m.querySelectorAll(".square")].map((b) => b.getAttribute("aria-label"))).join("\n"); })()`)
}

// compose types a line in the input field below the messages and sends it.
func (w *tab) compose(line string) {
	w.t.Helper()
	w.do(chromedp.Click(chromedp.CSS(".composer textarea")), chromedp.KeyEvent(line), chromedp.KeyEvent(kb.Enter))
	if !strings.Contains(line, ":") { // the first Enter has picked the command, and the page offers its options
		w.until(`document.activeElement.dataset.option === ""`)
		w.do(chromedp.KeyEvent(kb.Enter))
	}
	w.until(`document.querySelector(".composer textarea")?.value === ""`) // the line was accepted
}

// press waits until the latest button with this label is enabled, and clicks it.
func (w *tab) press(words string) {
	w.t.Helper()
	w.click(fmt.Sprintf(`[...document.querySelectorAll("button")].filter((b) => b.checkVisibility() && !b.disabled && b.innerText.trim() === %q).at(-1)`, words))
}

// square clicks a square of the latest board.
func (w *tab) square(name string) {
	w.t.Helper()
	w.click(fmt.Sprintf(`[...document.querySelectorAll('[data-custom-id$=":%s"]')].at(-1)`, name))
}

// plays clicks a square and waits until it shows the last mark, by the bot's own emoji or, before those are uploaded, by Unicode emoji.
func (w *tab) plays(name string) {
	w.t.Helper()
	w.until(`!document.querySelector("[aria-busy]") && [...document.querySelectorAll(".message")].at(-1).innerText.includes(` + fmt.Sprintf("%q", strings.ToUpper(w.name[:1])+w.name[1:]+" to move") + `)`)
	w.square(name)
	w.until(fmt.Sprintf(`/^(%s_[xo]_(last|wins)|x|o|o2|negative_squared_cross_mark)$/.test([...document.querySelectorAll('[data-custom-id$=":%s"]')].at(-1).getAttribute("aria-label"))`, name, name))
}

// firstEmptySquare plays on the latest board, and waits until the board has changed.
func (w *tab) firstEmptySquare() {
	w.t.Helper()
	const empty = `[...[...document.querySelectorAll(".message")].at(-1).querySelectorAll(".square")].filter((b) => b.getAttribute("aria-label").match(/^(white_small_square|.._empty)$/))`
	left := eval[int](w, empty+`.length`)
	w.click(empty + `[0]`)
	w.until(fmt.Sprintf(`%s.length < %d && !document.querySelector("[aria-busy]")`, empty, left))
}

// click scrolls an element into view and clicks it as a mouse does. It tries again if the page has moved meanwhile.
func (w *tab) click(element string) {
	w.t.Helper()
	for range 5 {
		w.until(element)
		eval[bool](w, `((e) => {
			document.querySelectorAll("[data-test]").forEach((other) => other.removeAttribute("data-test"));
			e.setAttribute("data-test", "");
			window.clicked = false;
			e.addEventListener("click", () => { window.clicked = true; }, { once: true, capture: true });
			return true;
		})(`+element+`)`)
		w.do(chromedp.Click(chromedp.CSS("[data-test]")))
		if eval[bool](w, "window.clicked") {
			return
		}
	}
	w.t.Fatalf("%s could not click on %s", w.name, element)
}

// fits fails if any element is wider than the window, or a board is broken across lines.
func (w *tab) fits() {
	w.t.Helper()
	if wide := eval[string](w, `(() => {
		const most = document.documentElement.clientWidth, bad = [];
		if (document.documentElement.scrollWidth > most) bad.push("the page: " + document.documentElement.scrollWidth);
		for (const s of document.querySelectorAll(".scroller, .members, .channels, dialog")) if (s.checkVisibility() && s.scrollWidth > s.clientWidth) bad.push(s.className + " scrolls");
		for (const e of document.querySelectorAll(".chat *, dialog *")) {
			if (!e.checkVisibility({ visibilityProperty: true }) || e.closest(".sr, svg, .quoted *")) continue; // a quoted message is one line, which may be cut off
			const b = e.getBoundingClientRect();
			if (b.width && (b.right > most + 1 || b.left < -1)) bad.push(e.tagName + "." + e.className + " " + Math.round(b.left) + ".." + Math.round(b.right));
		}
		for (const row of document.querySelectorAll(".row.grid")) {
			const boxes = [...row.children].map((b) => b.getBoundingClientRect());
			if (boxes.some((b) => Math.abs(b.width - boxes[0].width) > 0.6 || Math.abs(b.top - boxes[0].top) > 0.6)) bad.push("a torn board");
		}
		return bad.slice(0, 8).join("; ");
	})()`); wide != "" {
		w.t.Errorf("%s: these elements do not fit: %s", w.name, wide)
	}
}

// shot saves a screenshot whose name contains the test and the user.
func (w *tab) shot(what string) {
	w.keep(strings.NewReplacer("/", "-", " ", "-", "_", "-").Replace(w.t.Name() + "-" + w.name + "-" + what))
}

// keep saves a screenshot in the folder that TICTACTOE_SHOTS names.
func (w *tab) keep(name string) {
	dir := os.Getenv("TICTACTOE_SHOTS")
	if dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		w.t.Errorf("no picture: %v", err)
		return
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o600); err != nil {
		w.t.Error(err)
	}
}

// TestPictures makes the pictures of docs/playground.md if TICTACTOE_SHOTS names a folder. Reduce them to 256 colours before they go
// into docs/images.
func TestPictures(t *testing.T) {
	if os.Getenv("TICTACTOE_SHOTS") == "" {
		t.Skip("TICTACTOE_SHOTS names no folder for pictures")
	}
	chromium := openBrowser(t)
	d := noon(t)
	say := func(as, words string) {
		var said struct{}
		d.ask("POST", "message", map[string]any{"as": as, "channel": "general", "content": words}, &said)
	}
	say("bob", "lunch break. anyone for a quick one?")
	say("alice", "always 😄")
	d.command("alice", "tictactoe challenge", map[string]any{"opponent": "bob", "first": "me", "clock": "5m"})
	board := d.latest()
	d.press("bob", board, "Accept")
	d.advance("48s")
	for i, square := range []string{"b2", "a1", "c1", "a3", "a2"} {
		d.press([]string{"alice", "bob"}[i%2], board, square)
	}
	phone := openTab(t, chromium, d.url, "bob", 390, 844)
	phone.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(2)))
	phone.square("c1")
	phone.sees("That square is taken")
	phone.shot("phone")

	d.advance("35s")
	d.command("carol", "tictactoe ai", map[string]any{"first": "me"})
	computer := d.latest()
	for _, square := range []string{"b2", "b1", "b3"} {
		if strings.Count(d.board(computer), "X") < 2 {
			d.press("carol", computer, square)
		}
	}
	maker := openTab(t, chromium, d.url, "carol", 1280, 800)
	maker.do(chromedp.EmulateViewport(1280, 800, chromedp.EmulateScale(2)))
	light := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}}}
	if _, err := chromedp.Call(maker.ctx, emulation.SetEmulatedMedia, light); err != nil {
		t.Fatal(err)
	}
	maker.click(`document.querySelector('.chat [title^="Maker\'s tools"]')`)
	maker.until(`document.querySelector("[data-fault]")`)
	maker.shot("maker")
}

// noon starts a playground with all its emoji. Its clock shows shortly after twelve, so that the pictures do not depend on the time
// of day.
func noon(t *testing.T) *driver {
	t.Helper()
	p := start(t, nil, "playground", "--listen", "127.0.0.1:0", "--db", filepath.Join(t.TempDir(), "playground.db"))
	d := p.discord()
	d.awaitBot()
	d.ask("PUT", "rate-limits", map[string]bool{"on": false}, new(any))
	begun := time.Now()
	waitUntil(t, "the bot knows of its emoji", func() bool { return time.Since(begun) > 12*time.Second }) // the bot does not report when its emoji are uploaded
	d.ask("PUT", "rate-limits", map[string]bool{"on": true}, new(any))
	now := time.Now().UTC()
	d.advance(now.Truncate(24 * time.Hour).Add(36*time.Hour + 24*time.Minute).Sub(now).Round(time.Second).String())
	return d
}
