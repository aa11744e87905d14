package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/longtest"
	"tictactoe/internal/puzzles/puzzle"
)

// required reports whether a test must fail, rather than be skipped, if the tool is missing.
func required(tool string) bool {
	for name := range strings.SplitSeq(os.Getenv("TICTACTOE_REQUIRE"), ",") {
		if strings.TrimSpace(name) == tool {
			return true
		}
	}
	return false
}

// built returns the page, with a compressed program beside it. It is built once for all tests.
var built = sync.OnceValues(func() (map[string][]byte, error) {
	files, err := build(context.Background())
	for name, content := range files {
		if compressed(name) {
			var br bytes.Buffer
			if err := pack(brotli.NewWriterOptions(&br, brotli.WriterOptions{Quality: 5, LGWin: 22}), content); err != nil {
				return nil, err
			}
			defer func() { files[name+".br"] = br.Bytes() }()
		}
	}
	return files, err
})

func pageOf(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// shared is the browser of all tests. Each test has tabs of its own in it, whose data no other test sees.
var shared struct {
	once sync.Once
	ctx  context.Context
	stop func()
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.stop != nil {
		shared.stop()
	}
	os.Exit(code)
}

// chromium starts the headless browser for the first test that needs it, and returns it for all. Without one it skips the test.
func chromium(t *testing.T) context.Context {
	t.Helper()
	found := ""
	for _, name := range []string{"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"} {
		if at, err := exec.LookPath(name); err == nil {
			found = at
			break
		}
	}
	if found == "" {
		if required("browser") {
			t.Fatal("no chromium found, and TICTACTOE_REQUIRE asks for a browser")
		}
		t.Skip("skipped: no chromium found in PATH, so the page is not tried in a browser")
	}
	shared.once.Do(func() { startBrowser(found) })
	if shared.err != nil {
		t.Fatalf("starting the browser: %v", shared.err)
	}
	return shared.ctx
}

func startBrowser(program string) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("lang", "en-US"), chromedp.WSURLReadTimeout(patience), chromedp.NoSandbox)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	shared.ctx, shared.stop = ctx, func() { cancel(); stop() }
	shared.err = chromedp.Do(ctx)
}

// patience is how long something may take on a busy machine.
const patience = 40 * time.Second

// window is one tab on the page.
type window struct {
	t     *testing.T
	ctx   context.Context
	url   string
	mu    sync.Mutex
	noise []string // the errors and warnings of the console

	server *httptest.Server
	files  map[string][]byte // guarded by mu
	forget bool              // the test takes the network away, so errors are expected
}

// open opens a tab on the page, without data from earlier visits.
func open(t *testing.T, parent context.Context, width, height int64) *window {
	t.Helper()
	return serve(t, parent, pageOf(t), width, height)
}

// serve opens a tab on some files, which the test may change while it holds the window's lock.
func serve(t *testing.T, parent context.Context, files map[string][]byte, width, height int64) *window {
	t.Helper()
	var w *window
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		now := maps.Clone(w.files)
		w.mu.Unlock()
		handler(now).ServeHTTP(out, r)
	}))
	t.Cleanup(server.Close)
	ctx, cancel := chromedp.NewContext(parent, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	w = watched(t, ctx, server.URL+"/", width, height)
	w.server, w.files = server, files
	return w
}

// watched returns a window whose console must stay silent.
func watched(t *testing.T, ctx context.Context, url string, width, height int64) *window {
	t.Helper()
	w := &window{t: t, ctx: ctx, url: url}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height)); err != nil { // without a deadline, which would be the tab's
		t.Fatal(err)
	}
	w.look(false, true)
	console := chromedp.Console(ctx)
	go func() {
		for message, err := range console {
			if err != nil {
				return
			}
			if kind := message.String(); message.IsException() || strings.HasPrefix(kind, "error") || strings.HasPrefix(kind, "warning") {
				w.mu.Lock()
				w.noise = append(w.noise, kind+" "+message.URL)
				w.mu.Unlock()
			}
		}
	}()
	t.Cleanup(func() {
		w.screenshot("end")
		w.mu.Lock()
		defer w.mu.Unlock()
		if len(w.noise) > 0 && !w.forget {
			t.Errorf("the console said:\n%s", strings.Join(w.noise, "\n"))
		}
	})
	return w
}

func (w *window) do(actions ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		w.screenshot("failed")
		w.t.Fatal(err)
	}
}

func eval[T any](w *window, script string) T {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, 2*patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		w.t.Fatalf("evaluating %s: %v", script, err)
	}
	return value
}

// until waits for an expression of the page to become true.
func (w *window) until(expression string) {
	w.t.Helper()
	script := fmt.Sprintf(`new Promise((answer) => {
		const end = Date.now() + %d;
		const look = () => {
			let seen = false;
			try { seen = Boolean(%s); } catch { /* not there yet */ }
			if (seen || Date.now() > end) answer(seen); else setTimeout(look, 20);
		};
		look();
	})`, patience.Milliseconds(), expression)
	if !eval[bool](w, script) {
		w.screenshot("failed")
		w.t.Fatalf("never became true: %s\nthe page: %s", expression, eval[string](w, `document.body.innerText.slice(0, 1500)`))
	}
}

// visit opens an address of the page, and waits until it is ready.
func (w *window) visit(address string) {
	w.t.Helper()
	w.do(chromedp.Navigate("about:blank"), chromedp.Navigate(w.url+address))
	w.until(`document.body.dataset.ready && !document.body.dataset.busy`)
}

// press clicks the visible button, link or square with these words or this label.
func (w *window) press(words string) {
	w.t.Helper()
	const find = `[...document.querySelectorAll("button, nav a")].filter((b) => b.checkVisibility() && !b.disabled).find((b) => b.innerText.trim() === %q || b.getAttribute("aria-label") === %[1]q)`
	w.until(fmt.Sprintf(find, words))
	eval[bool](w, fmt.Sprintf(`(b => (b.focus(), b.click(), true))(`+find+`)`, words))
	w.settle()
}

// settle waits until the page has answered.
func (w *window) settle() { w.until(`!document.body.dataset.asking`) }

// square presses a square by its name.
func (w *window) square(name string) {
	w.t.Helper()
	eval[bool](w, fmt.Sprintf(`(document.querySelector("[data-name=%s]").click(), true)`, name))
	w.settle()
}

// typed sends keys to the element that has the focus.
func (w *window) typed(keys string) {
	w.t.Helper()
	w.do(chromedp.KeyEvent(keys))
	w.settle()
}

// forced is the setting of systems that draw all pages in few colours.
var forced = &emulation.MediaFeature{Name: "forced-colors", Value: "active"}

// look sets the theme, whether motion is reduced, and more features of the system.
func (w *window) look(dark, still bool, more ...*emulation.MediaFeature) {
	w.t.Helper()
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}, {Name: "prefers-reduced-motion", Value: "no-preference"}}
	if dark {
		features[0].Value = "dark"
	}
	if still {
		features[1].Value = "reduce"
	}
	if _, err := chromedp.Call(w.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: append(features, more...)}); err != nil {
		w.t.Fatal(err)
	}
}

// screenshot saves a picture if TICTACTOE_SHOTS names a folder.
func (w *window) screenshot(name string) {
	dir := os.Getenv("TICTACTOE_SHOTS")
	if dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		w.t.Logf("no screenshot: %v", err)
		return
	}
	file := strings.NewReplacer("/", "-", " ", "-", "'", "", ",", "").Replace(w.t.Name() + "-" + name + ".png")
	if err := os.WriteFile(filepath.Join(dir, file), picture, 0o600); err != nil {
		w.t.Error(err)
	}
}

// fits fails if the page scrolls sideways, or if something to press is smaller than 44 pixels.
func (w *window) fits() {
	w.t.Helper()
	bad := eval[string](w, `(() => {
		const bad = [], most = document.documentElement.clientWidth;
		if (document.documentElement.scrollWidth > most) bad.push("the page is " + document.documentElement.scrollWidth + " wide");
		for (const e of document.querySelectorAll("button, select, nav a")) {
			if (!e.checkVisibility()) continue;
			const b = e.getBoundingClientRect();
			if (b.width < 44 || b.height < 44) bad.push(e.innerText.slice(0, 20) + " " + b.width + "x" + b.height);
			if (b.right > most + 1 || b.left < -1) bad.push(e.innerText.slice(0, 20) + " is outside");
		}
		return bad.slice(0, 8).join("; ");
	})()`)
	if bad != "" {
		w.t.Errorf("does not fit: %s", bad)
	}
}

// states are what a person comes across, each with the presses that lead to it from the one before.
var states = []struct {
	name  string
	reach func(w *window)
}{
	{"the first screen", func(w *window) {}},
	{"the form", func(w *window) { w.press("New game") }},
	{"a hint", func(w *window) { w.press("Cancel"); w.square("b2"); w.press("Hint") }},
	{"the end", func(w *window) {
		for _, s := range []string{"a1", "c1", "a3", "c3", "a2", "b1", "b3", "c2"} {
			w.square(s)
		}
	}},
	{"a review", func(w *window) { w.press("Review") }},
	{"a move of it", func(w *window) { w.press("Move by move") }},
	{"the puzzle", func(w *window) { w.press("Puzzle") }},
	{"past puzzles", func(w *window) { w.press("Past puzzles") }},
	{"the course", func(w *window) { w.press("Learn") }},
	{"a lesson", func(w *window) { w.press("Start"); w.square("a3") }},
	{"the analysis", func(w *window) {
		w.press("Analyze")
		w.until(`!document.querySelector("#lines").innerText.includes("Thinking")`)
	}},
	{"a position set up", func(w *window) { w.press("Set up"); w.square("a1"); w.square("b1") }},
	{"the settings", func(w *window) { w.press("Settings") }},
	{"a question", func(w *window) { w.press("Delete everything") }},
}

// Ways in which people and systems change a page: all text twice as large, for weak eyes; and the layout of a language that is written from
// right to left, of which there is none yet.
const (
	large       = `(document.documentElement.style.fontSize = "200%", true)`
	rightToLeft = `(document.documentElement.dir = "rtl", true)`
)

func TestEveryStateFitsAndAxeFindsNoIssue(t *testing.T) {
	longtest.Only(t)
	axe, err := os.ReadFile("../../discordsim/page/testdata/axe/node_modules/axe-core/axe.min.js")
	if err != nil && required("axe") {
		t.Fatal("no axe-core found, and TICTACTOE_REQUIRE asks for it: ", err)
	}
	ctx := chromium(t)
	for _, size := range []struct {
		name          string
		width, height int64
		dark          bool
		change        string
		forced        []*emulation.MediaFeature
	}{
		{"laptop", 1280, 800, false, "true", nil}, {"phone", 390, 844, true, "true", nil}, {"phone with large text", 390, 844, false, large, nil},
		{"from right to left", 390, 844, false, rightToLeft, nil}, {"forced colours", 390, 844, true, "true", []*emulation.MediaFeature{forced}},
	} {
		t.Run(size.name, func(t *testing.T) {
			w := open(t, ctx, size.width, size.height)
			w.look(size.dark, true, size.forced...)
			w.visit("")
			seen := axe != nil && size.change == "true" && size.forced == nil // axe looks for nothing that depends on size or direction, and not at forced colours
			if seen {
				eval[bool](w, string(axe)+";true")
			}
			for _, state := range states {
				state.reach(w)
				eval[bool](w, size.change)
				w.fits()
				w.screenshot(state.name)
				if !seen {
					continue
				}
				if found := eval[string](w, `axe.run(document, { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }).then(({ violations }) =>
					violations.flatMap((v) => v.nodes.map((n) => v.id + " " + n.target.join(" ") + ": " + n.html.slice(0, 120))).slice(0, 12).join("\n"))`); found != "" {
					t.Errorf("axe-core finds in %s:\n%s", state.name, found)
				}
			}
		})
	}
}

// A person without a mouse, or who sees nothing, plays the same board.
func TestTheKeyboardAndWhatIsSaidAloud(t *testing.T) {
	longtest.Only(t)
	w := open(t, chromium(t), 1280, 800)
	w.visit("")
	const stops = `document.querySelectorAll("[role=gridcell][tabindex='0']").length`
	const focused = `document.activeElement.dataset.name`
	if n := eval[int](w, stops); n != 1 {
		t.Errorf("the board has %d tab stops", n)
	}
	eval[bool](w, `(document.querySelector("#settings").focus(), true)`)
	w.typed(kb.Tab)
	w.typed(kb.ArrowRight + kb.ArrowDown + kb.ArrowDown)
	if at := eval[string](w, focused); at != "b3" {
		t.Errorf("right, down, down leads to %q", at)
	}
	w.typed(kb.Enter)
	w.until(`document.querySelectorAll(".square .X").length === 1 && document.querySelectorAll(".square .O").length === 1`)
	if at := eval[string](w, focused); at != "b3" {
		t.Errorf("after a move the focus is on %q", at)
	}
	said := eval[string](w, `document.querySelector("[role=status]").textContent`)
	if !strings.HasPrefix(said, "You played b3, and the computer answered with ") || strings.Contains(said, "turn. You") {
		t.Errorf("after a move the page says %q", said)
	}
	names := eval[string](w, `[...document.querySelectorAll("[role=gridcell]")].map((s) => s.getAttribute("aria-label")).join(" | ")`)
	if !strings.Contains(names, "b3 X") || !strings.Contains(names, "O last") {
		t.Errorf("the squares are named %s", names)
	}
	w.press("Take back")
	if said := eval[string](w, `document.querySelector("[role=status]").textContent`); said != "X Your turn." {
		t.Errorf("after a take-back the page says %q", said)
	}
	w.typed("b2")
	w.until(`document.querySelector("[data-name=b2] .X")`)
	if at := eval[string](w, focused); at != "b2" {
		t.Errorf("after typing b2 the focus is on %q", at)
	}
	w.press("New game")
	w.typed(kb.Escape)
	w.until(`!document.querySelector("dialog")`)
	if words := eval[string](w, `document.activeElement.innerText`); words != "New game" {
		t.Errorf("after the form the focus is on %q", words)
	}
}

func TestTheFirstPressCountsBeforeTheProgramIsThere(t *testing.T) {
	longtest.Only(t)
	w := open(t, chromium(t), 390, 844)
	w.do(chromedp.Navigate(w.url))
	eval[bool](w, `new Promise((pressed) => { const look = () => { const s = document.querySelector("[data-name=c3]"); if (s) { s.click(); pressed(true); } else setTimeout(look, 5); }; look(); })`)
	w.until(`document.body.dataset.ready && document.querySelector("[data-name=c3] .X") && document.querySelectorAll(".square .O").length === 1`)
}

func TestOfflineAfterTheFirstVisit(t *testing.T) {
	longtest.Only(t)
	w := open(t, chromium(t), 390, 844)
	w.visit("")
	w.square("b2")
	w.until(`document.querySelectorAll(".square .O").length === 1`)
	w.until(`navigator.serviceWorker.controller`)
	board := eval[string](w, `[...document.querySelectorAll(".square")].map((s) => s.getAttribute("aria-label")).join()`)
	w.server.CloseClientConnections()
	w.server.Close()
	w.forget = true
	w.visit("")
	if now := eval[string](w, `[...document.querySelectorAll(".square")].map((s) => s.getAttribute("aria-label")).join()`); now != board {
		t.Errorf("offline the board is %s, not %s", now, board)
	}
	w.press("Puzzle")
	w.until(`document.querySelector("#lines").innerText.includes("Daily puzzle")`)
}

func TestTwoTabsAndAnotherLanguage(t *testing.T) {
	longtest.Only(t)
	ctx := chromium(t)
	a := open(t, ctx, 1280, 800)
	a.visit("")
	other, cancel := chromedp.NewContext(a.ctx)
	t.Cleanup(cancel)
	b := watched(t, other, a.url, 1280, 800)
	b.visit("")
	a.square("a1")
	a.until(`document.querySelectorAll(".square .O").length === 1`)
	b.until(`document.querySelector("[data-name=a1] .X") && document.querySelectorAll(".square .O").length === 1`)
	a.press("Settings")
	eval[bool](a, `(document.querySelector("dialog select").value = "ru", document.querySelector("dialog select").dispatchEvent(new Event("change")), true)`)
	a.until(`document.documentElement.lang === "ru" && document.querySelector("dialog")`)
	a.until(`document.querySelector("#lines").innerText.includes("Твой ход") && document.querySelector("dialog h2").innerText !== "Settings"`)
	a.screenshot("ru")
}

// The browser's button leads back one screen, and a reload shows the screen that was there.
func TestTheWayBackAndAReload(t *testing.T) {
	longtest.Only(t)
	w := open(t, chromium(t), 390, 844)
	w.visit("")
	headline := func(start string) {
		t.Helper()
		w.until(fmt.Sprintf(`!document.body.dataset.asking && document.querySelector(".headline").innerText.startsWith(%q)`, start))
	}
	back := func() { t.Helper(); eval[bool](w, `(history.back(), true)`) }
	w.press("New game")
	eval[bool](w, `(document.querySelector("dialog [name=opponent]").value = "friend", true)`)
	w.press("Start")
	for _, s := range []string{"a1", "b1", "b2", "c1", "c3"} {
		w.square(s)
	}
	w.press("Review")
	w.press("Move by move")
	const next = `[...document.querySelectorAll("#below button")].find((b) => b.innerText === "Next").getBoundingClientRect().top`
	at := eval[float64](w, next)
	if w.press("Next"); eval[float64](w, next) != at {
		t.Error("the button for the next move has gone elsewhere with the first press")
	}
	back()
	headline("🔎 Review")
	w.do(chromedp.Reload())
	w.until(`document.body.dataset.ready`)
	headline("🔎 Review")
	back()
	headline("🏆")
	w.press("Learn")
	w.press("Start")
	w.square("c1")
	back()
	headline("🎓 Learn")
	back()
	headline("🏆")
}

// A phone on its side shows the board and the buttons at once.
func TestAPhoneOnItsSide(t *testing.T) {
	longtest.Only(t)
	w := open(t, chromium(t), 844, 390)
	w.visit("")
	w.square("b2")
	w.fits()
	if low := eval[float64](w, `Math.max(...[...document.querySelectorAll(".field, #below button")].map((e) => e.getBoundingClientRect().bottom)) - innerHeight`); low > 0 {
		t.Errorf("the board or a button ends %.0f pixels below the window", low)
	}
	w.press("New game")
	eval[bool](w, `(document.querySelector("dialog [name=opponent]").value = "friend", true)`)
	w.press("Start")
	for _, s := range []string{"a1", "b1", "b2", "c1", "c3"} {
		w.square(s)
	}
	w.press("Review")
	w.press("Move by move")
	const top = `document.querySelector("#below").getBoundingClientRect().top`
	at := eval[float64](w, top)
	w.press("Next")
	if now := eval[float64](w, top); now != at {
		t.Errorf("with the second move of a review, the buttons move by %.0f pixels", now-at)
	}
	if empty := eval[float64](w, top+` - document.querySelector("#lines p:last-child").getBoundingClientRect().bottom`); empty > 30 {
		t.Errorf("%.0f pixels are empty above the buttons", empty)
	}
}

// In a browser without a database or without room, the page says so.
func TestABrowserThatKeepsNothing(t *testing.T) {
	longtest.Only(t)
	for _, tt := range []struct{ name, broken, says string }{
		{"no database", `IDBFactory.prototype.open = () => { throw new Error("private"); }`, "keeps nothing"},
		{"no room", `{ const put = IDBObjectStore.prototype.put; let n = 0;
			IDBObjectStore.prototype.put = function (...a) { if (++n > 1) { Object.defineProperty(this.transaction, "error", { value: new DOMException("full", "QuotaExceededError") }); this.transaction.abort(); return {}; } return put.apply(this, a); }; }`, "couldn't save"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := maps.Clone(pageOf(t))
			for name := range files {
				if strings.HasSuffix(name, "/worker.mjs") {
					files[name] = append([]byte(tt.broken+";\n"), files[name]...)
					delete(files, name+".br")
				}
			}
			w := serve(t, chromium(t), files, 390, 844)
			w.visit("")
			w.square("b2")
			w.until(fmt.Sprintf(`document.body.innerText.includes(%q)`, tt.says))
			w.screenshot("said")
		})
	}
}

// The database of a browser that had the first version of the page opens in this one. The file must never change.
func TestTheStorageOfTheFirstVersionOpensInABrowser(t *testing.T) {
	longtest.Only(t)
	content, err := os.ReadFile("../../internal/browser/testdata/format-1.json")
	if err != nil {
		t.Fatal(err)
	}
	w := open(t, chromium(t), 390, 844)
	w.visit("")
	eval[bool](w, `new Promise((written, failed) => {
		const request = indexedDB.open("tictactoe", 1);
		request.onsuccess = () => {
			const write = request.result.transaction("rows", "readwrite"), store = write.objectStore("rows");
			store.clear();
			for (const [key, row] of Object.entries((`+string(content)+`).rows)) store.put(row, key);
			write.oncomplete = () => written(true);
			write.onabort = failed;
		};
	})`)
	w.visit("")
	w.until(`document.querySelector("[data-name=a1] .X") && document.querySelector("[data-name=b2] .O")`)
	w.square("c3")
	w.until(`document.querySelector("[data-name=c3] .X")`)
	w.press("Learn")
	w.until(`document.querySelector("#lines").innerText.includes("1 of 10")`)
}

func TestANewVersionIsOffered(t *testing.T) {
	longtest.Only(t)
	files := maps.Clone(pageOf(t))
	w := serve(t, chromium(t), files, 390, 844)
	w.visit("")
	w.until(`navigator.serviceWorker.controller`)
	w.mu.Lock()
	w.files["sw.js"] = append(slices.Clone(files["sw.js"]), "// newer"...)
	delete(w.files, "sw.js.br")
	w.mu.Unlock()
	eval[bool](w, `navigator.serviceWorker.getRegistration().then((r) => r.update()).then(() => true)`)
	w.until(`document.querySelector("#news").innerText.includes("new version")`)
	eval[bool](w, `(window.before = true, document.querySelector("#news .main").click(), true)`)
	tick, end := time.NewTicker(50*time.Millisecond), time.After(patience)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-end:
			t.Fatal("the page has not loaded the new version")
		}
		again, err := chromedp.Run(w.ctx, chromedp.Evaluate[bool](`!window.before && Boolean(document.body?.dataset.ready)`))
		if err == nil && again { // while the page is loading there is nothing to ask
			return
		}
	}
}

// The values of an analysis and the puzzles of the days are the ones of the program outside of browsers.
func TestValuesAndPuzzlesInTheBrowser(t *testing.T) {
	longtest.Only(t)
	w := open(t, chromium(t), 390, 844)
	w.visit("")
	random := rand.New(rand.NewPCG(7, 40))
	var positions [][2]string
	var values []string
	solvers := map[string]*ai.Solver{}
	offered := game.Offered()
	for len(positions) < 700 { // all boards in turn
		offer := offered[len(positions)%len(offered)]
		p := game.Start(offer.Rules)
		least := 0
		if n := offer.Rules.Squares(); n >= 16 {
			least = n - 12 // earlier positions take long
		}
		for plies := least + random.IntN(9); plies > 0 && p.Legal() != 0; plies-- {
			legal := slices.Collect(p.Legal().All())
			p, _ = p.Play(legal[random.IntN(len(legal))])
		}
		if p.Legal() == 0 {
			continue
		}
		solver := solvers[offer.Name]
		if solver == nil {
			var err error
			if solver, err = ai.NewSolver(offer.Rules); err != nil {
				t.Fatal(err)
			}
			solvers[offer.Name] = solver
		}
		said := ""
		for _, m := range solver.Moves(p) {
			said += fmt.Sprintf("%s %v, ", offer.Rules.Name(m.Square), m.Eval)
		}
		positions, values = append(positions, [2]string{offer.Name, p.String()}), append(values, said)
	}
	for i, got := range asked[[]string](w, "values", positions) {
		if got != values[i] {
			t.Errorf("%s in the browser: %s, not %s", positions[i], got, values[i])
		}
	}
	days := map[int]string{}
	from := puzzle.DayOf(time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC))
	for day := from; day < from+14; day++ { // two weeks have every board
		p, err := puzzle.Of(t.Context(), day)
		if err != nil {
			t.Fatal(err)
		}
		days[int(day)] = told(p)
	}
	for day, want := range days {
		if got := asked[string](w, "puzzle", day); got != want {
			t.Errorf("the puzzle of day %d in the browser: %s, not %s", day, got, want)
		}
	}
}

// asked calls the program in the browser.
func asked[T any](w *window, what string, arg any) T {
	w.t.Helper()
	content, err := json.Marshal(arg)
	if err != nil {
		w.t.Fatal(err)
	}
	eval[bool](w, "(globalThis.asked = null, globalThis.tictactoeCall("+strconv.Quote(what)+", "+string(content)+").then((a) => { globalThis.asked = a; }), true)")
	w.until(`globalThis.asked !== null`)
	return eval[T](w, `globalThis.asked`)
}

// told writes a puzzle with its solution, as the program in the browser does for this test.
func told(p puzzle.Puzzle) string {
	text := p.Board + " " + p.Start.String() + " " + p.Goal.String()
	for _, m := range p.Solution() {
		text += fmt.Sprint(" ", int(m.Right), " ", int(m.Answer))
	}
	return text
}
