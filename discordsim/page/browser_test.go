package page_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tictactoe/discordsim/page"
	"tictactoe/internal/longtest"
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

// browsers are the programs that can be the browser, the best first. A headless shell has the same engine and no
// windows, and takes a third of the processor time.
var browsers = []string{"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}

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

// browser starts the headless browser for the first test that needs it, and returns it for all. Without one it skips the test.
func browser(t *testing.T) context.Context {
	t.Helper()
	found := ""
	for _, name := range browsers {
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
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("lang", "en-US"), chromedp.WSURLReadTimeout(patience))
	options = append(options, chromedp.NoSandbox) // the sandbox is unavailable to root and in most containers, and all pages are ours
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	shared.ctx, shared.stop = ctx, func() { cancel(); stop() }
	shared.err = chromedp.Do(ctx)
}

// window is one tab on a fake simulator.
type window struct {
	t      *testing.T
	ctx    context.Context
	sim    *fake
	url    string
	mu     sync.Mutex
	noise  []string // the errors and warnings of the console
	forget bool     // the test makes the network fail, so its errors are expected
}

// patience is how long something may take on a busy machine.
const patience = 30 * time.Second

const desktopWidth, desktopHeight, phoneWidth, phoneHeight = 1280, 800, 390, 844

// fresh opens a tab on a fake simulator, without data from earlier visits.
func fresh(t *testing.T, parent context.Context, sim *fake, width, height int64) *window {
	t.Helper()
	w := tab(t, parent, sim, width, height)
	w.sim = sim
	return w
}

// tab is like fresh, for any simulator.
func tab(t *testing.T, parent context.Context, sim http.Handler, width, height int64) *window {
	t.Helper()
	server := httptest.NewServer(page.Handler(sim, page.Options{}))
	ctx, cancel := chromedp.NewContext(parent, chromedp.WithNewBrowserContext())
	w := &window{t: t, ctx: ctx, url: server.URL}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height)); err != nil {
		t.Fatal(err)
	}
	w.dark(true)
	console := chromedp.Console(ctx)
	var listening sync.WaitGroup
	listening.Go(func() {
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
	})
	t.Cleanup(func() {
		w.screenshot("end")
		w.mu.Lock()
		if len(w.noise) > 0 && !w.forget {
			t.Errorf("the console said:\n%s", strings.Join(w.noise, "\n"))
		}
		w.mu.Unlock()
		cancel()
		listening.Wait()
		server.CloseClientConnections()
		server.Close()
	})
	return w
}

func (w *window) do(actions ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, 2*patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		w.screenshot("failed")
		w.t.Fatal(err)
	}
}

func (w *window) visit(query string) {
	w.t.Helper()
	w.do(chromedp.Navigate(w.url + "/" + query))
	w.until(`document.querySelector(".messages") && !document.querySelector(".waiting")`)
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

func (w *window) click(selector string) {
	w.t.Helper()
	w.do(chromedp.Click(chromedp.CSS(selector)))
}

// press clicks the button with these words.
func (w *window) press(words string) {
	w.t.Helper()
	w.until(fmt.Sprintf(`[...document.querySelectorAll("button")].some((b) => b.checkVisibility() && b.innerText.trim() === %q)`, words))
	eval[bool](w, fmt.Sprintf(`(document.querySelectorAll("[data-test]").forEach((b) => b.removeAttribute("data-test")),
		[...document.querySelectorAll("button")].find((b) => b.checkVisibility() && b.innerText.trim() === %q).setAttribute("data-test", ""), true)`, words))
	w.click("[data-test]")
}

// typed sends keys to the element that has the focus.
func (w *window) typed(keys string) {
	w.t.Helper()
	w.do(chromedp.KeyEvent(keys))
}

// compose types into the empty composer.
func (w *window) compose(keys string) {
	w.t.Helper()
	w.click(".composer textarea")
	w.typed(keys)
}

func (w *window) sees(text string) {
	w.t.Helper()
	w.until(fmt.Sprintf(`document.querySelector(".messages").innerText.includes(%q)`, text))
}

// calls waits until the page has made a call whose path and body contain all parts.
func (w *window) calls(parts ...string) {
	w.t.Helper()
	deadline, tick := time.After(patience), time.NewTicker(10*time.Millisecond)
	defer tick.Stop()
	for !w.sim.asked(parts...) {
		select {
		case <-deadline:
			w.screenshot("failed")
			w.sim.mu.Lock()
			defer w.sim.mu.Unlock()
			w.t.Fatalf("the page never asked for %q; it asked for %q", parts, w.sim.calls)
		case <-tick.C:
		}
	}
}

// network sets the network conditions of the window. It sets Offline twice, because Chromium 148 reads it outside the
// list of conditions and Chromium 156 inside the list.
func (w *window) network(conditions network.Conditions) {
	w.t.Helper()
	type params struct {
		Offline                  bool                 `json:"offline"`
		MatchedNetworkConditions []network.Conditions `json:"matchedNetworkConditions"`
	}
	emulate := cdp.Command[params, network.EmulateNetworkConditionsByRuleResult]{Method: network.CommandEmulateNetworkConditionsByRule}
	if _, err := chromedp.Call(w.ctx, emulate, params{conditions.Offline, []network.Conditions{conditions}}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *window) dark(dark bool) {
	w.t.Helper()
	value := "light"
	if dark {
		value = "dark"
	}
	if _, err := chromedp.Call(w.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}, {Name: "prefers-reduced-motion", Value: "reduce"}}}); err != nil {
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

// fits fails if anything is wider than the window or a row of a board is broken.
func (w *window) fits() {
	w.t.Helper()
	wide := eval[string](w, `(() => {
		const most = document.documentElement.clientWidth, bad = [];
		if (document.documentElement.scrollWidth > most) bad.push("page " + document.documentElement.scrollWidth);
		for (const s of document.querySelectorAll(".scroller, .members, .channels, .dialog-body")) if (s.checkVisibility() && s.scrollWidth > s.clientWidth) bad.push(s.className + " scrolls " + s.scrollWidth + ">" + s.clientWidth);
		for (const e of document.querySelectorAll(".chat *")) {
			if (!e.checkVisibility({ visibilityProperty: true }) || e.closest(".sr, svg")) continue;
			const b = e.getBoundingClientRect();
			if (b.width && (b.right > most + 1 || b.left < -1)) bad.push(e.tagName + "." + e.className + " " + Math.round(b.left) + ".." + Math.round(b.right));
		}
		for (const row of document.querySelectorAll(".row.grid")) {
			const boxes = [...row.children].map((b) => b.getBoundingClientRect());
			if (boxes.some((b) => Math.abs(b.width - boxes[0].width) > 0.6 || Math.abs(b.top - boxes[0].top) > 0.6)) bad.push("board torn");
		}
		return bad.slice(0, 8).join("; ");
	})()`)
	if wide != "" {
		w.t.Errorf("does not fit: %s", wide)
	}
}

func TestThePageInABrowser(t *testing.T) {
	longtest.Only(t)
	ctx := browser(t)
	both := func(t *testing.T, test func(t *testing.T, w *window)) {
		for _, size := range []struct {
			name          string
			width, height int64
		}{{"laptop", desktopWidth, desktopHeight}, {"phone", phoneWidth, phoneHeight}} {
			t.Run(size.name, func(t *testing.T) { test(t, fresh(t, ctx, newFake(), size.width, size.height)) })
		}
	}
	laptop := func(t *testing.T) *window { return fresh(t, ctx, newFake(), desktopWidth, desktopHeight) }

	t.Run("the first visit offers a game and fits", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.visit("")
			w.fits()
			w.screenshot("tour")
			w.dark(false)
			w.screenshot("tour-light")
			w.dark(true)
			w.press("Play the computer")
			w.calls("/sim/command", `"application":"`+fakeApp+`"`, `"name":"tictactoe ai"`, `"as":"alice"`)
			w.sees("Time runs out")
			w.until(`document.querySelector(".used").innerText.replace(/\s+/g, " ").includes("Alice used /tictactoe ai")`)
			w.fits()
			w.screenshot("board")
			w.visit("")
			if eval[bool](w, `document.querySelector(".tour") !== null`) {
				t.Error("the tour came again on the second visit")
			}
		})
	})

	t.Run("a board is played by its squares", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.visit("?as=bob")
			w.click(".tour-close")
			w.compose("/tictactoe ai" + kb.Enter)
			w.typed(kb.Enter)
			w.sees("Time runs out")
			w.click(`[data-custom-id="play:4:........."]`)
			w.calls("/sim/click", `"as":"bob"`, `"custom_id":"play:4:........."`)
			w.until(`document.querySelector('[data-custom-id="play:0:O...X...."]')`)
			w.until(`document.activeElement.getAttribute("aria-label") === "x"`)
			w.click(`[data-custom-id="play:8:O...X...."]`)
			w.until(`document.querySelector('[data-custom-id="play:1:OO..X...X"]')`)
			w.fits()
			w.screenshot("played")
			w.dark(false)
			w.screenshot("played-light")
			w.click(`[data-custom-id="play:8:OO..X...X"]`)
			w.sees("That square is taken.")
			w.sees("Only you can see this")
			w.press("Dismiss message")
			w.calls("/sim/dismiss", `"as":"bob"`)
			w.until(`!document.querySelector(".messages").innerText.includes("That square is taken.")`)
		})
	})

	t.Run("every component is drawn and fits", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.sim.command(object{"as": "alice", "name": "show everything"})
			w.visit("")
			w.click(".tour-close")
			w.sees("Section with a button")
			w.fits()
			w.screenshot("everything")
			w.dark(false)
			w.screenshot("everything-light")
			w.click(`[data-custom-id="pick"]`)
			w.until(`document.querySelector("dialog .options")`)
			w.screenshot("select")
			w.press("Unbeatable")
			w.calls("/sim/select", `"values":["hard"]`)
			w.sees("picked [hard]")
			w.click(`[data-custom-id="many"]`)
			w.until(`document.querySelector("dialog .options")`)
			w.press("C")
			w.press("Done")
			w.calls("/sim/select", `"values":["a","c"]`)
		})
	})

	t.Run("a menu that closes sends a choice that has changed", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.sim.command(object{"as": "alice", "name": "show everything"})
			w.visit("")
			w.click(".tour-close")
			const choices = `document.querySelectorAll("dialog .option").length === 3`
			open := func() {
				w.click(`[data-custom-id="many"]:not([aria-disabled])`) // the page may show a choice before its call has ended
				w.until(choices)
			}
			open()
			w.typed(kb.Escape)
			w.until(`!document.querySelector("dialog")`)
			if w.sim.asked("/sim/select") {
				t.Error("a choice that has not changed was sent")
			}
			open()
			w.press("C")
			w.typed(kb.Escape)
			w.calls("/sim/select", `"values":["a","c"]`)
			w.sees("picked [a c]")
			open()
			w.typed(kb.ArrowDown + kb.Enter)
			w.until(`document.querySelectorAll("dialog .option[aria-pressed=true]").length === 2`)
			w.do(chromedp.MouseClickXY(3, 3))
			w.calls("/sim/select", `"values":["a","b"]`)
			w.until(`!document.querySelector("dialog")`)
		})
	})

	t.Run("a text after the command fills the first option", func(t *testing.T) {
		w := laptop(t)
		w.visit("")
		w.compose("/show greeting bo")
		w.until(`/^boldly.*Bob/.test([...document.querySelectorAll(".menu-row")].map((row) => row.textContent).join(" "))`)
		w.typed("b" + kb.Tab)
		w.until(`document.querySelector('[data-option="whom"]').value === "Bob" && document.activeElement.dataset.option === ""`)
		w.typed(kb.Enter)
		w.calls("/sim/command", `"name":"show greeting"`, `"whom":"2"`)
		w.until(`document.querySelector(".composer textarea").value === ""`)
		w.compose("/show greeting nobody" + kb.Enter)
		w.until(`document.querySelector(".composer-error").innerText.includes("No such person") && document.activeElement.dataset.option === "whom"`)
		w.typed(kb.Escape)
		w.until(`document.querySelector(".composer textarea")`)
		w.compose("/show greeting nobody" + kb.Tab)
		w.until(`document.activeElement.value === "nobody" && document.activeElement.dataset.option === "whom"`)
		w.typed(kb.Escape)
		w.until(`document.querySelector(".composer textarea")`)
		w.compose("/show greeting carol boldly:very" + kb.Enter)
		w.calls("/sim/command", `"boldly":"very"`, `"whom":"3"`)
		w.until(`document.querySelector(".composer textarea")`)
		w.compose("/show everything at once" + kb.Enter)
		w.until(`document.querySelector(".composer-error").innerText.includes("no further option")`)
	})

	t.Run("the composer completes a command by keyboard", func(t *testing.T) {
		w := laptop(t)
		w.visit("")
		w.compose("/chall")
		w.until(`document.querySelector(".menu-row.current").innerText.includes("/tictactoe challenge")`)
		w.screenshot("commands")
		w.typed(kb.Tab)
		w.until(`document.activeElement.dataset.option === "opponent"`)
		w.typed("bo")
		w.until(`document.querySelectorAll(".menu-row").length === 1 && document.querySelector(".menu-row").innerText.includes("Bob")`)
		w.typed(kb.Tab)
		w.until(`document.activeElement.dataset.option === ""`)
		w.screenshot("options")
		w.typed("clo" + kb.Tab)
		w.until(`document.activeElement.dataset.option === "clock"`)
		w.typed("5" + kb.Enter)
		w.until(`document.querySelector('[data-option="clock"]').value === "5 minutes"`)
		w.fits()
		w.screenshot("filled")
		w.typed(kb.Enter)
		w.calls("/sim/command", `"application":"`+fakeApp+`"`, `"name":"tictactoe challenge"`, `"clock":"5m"`, `"opponent":"2"`)
		w.sees("challenges you")
		w.until(`document.activeElement.matches(".composer textarea")`)
	})

	t.Run("the composer fits a phone", func(t *testing.T) {
		w := fresh(t, ctx, newFake(), phoneWidth, phoneHeight)
		w.visit("")
		w.click(".tour-close")
		w.click(`[aria-label="Commands"]`)
		w.until(`document.querySelectorAll(".menu-row").length > 3`)
		w.fits()
		w.screenshot("commands")
		w.typed("chall" + kb.Tab)
		w.until(`document.activeElement.dataset.option === "opponent"`)
		w.fits()
		w.screenshot("option")
		w.click(`.menu-row:nth-child(1)`)
		w.until(`document.querySelector('[data-option="opponent"]').value === "Bob"`)
		w.click(`[aria-label="Send"]`)
		w.calls("/sim/command", `"opponent":"2"`)
	})

	t.Run("a typed line with named options is understood", func(t *testing.T) {
		w := laptop(t)
		w.visit("")
		w.compose("/tictactoe challenge opponent:bob clock:1h")
		w.typed(kb.Enter)
		w.calls("/sim/command", `"clock":"1h"`, `"opponent":"2"`)
	})

	t.Run("a command typed to its end needs no choosing", func(t *testing.T) {
		w := laptop(t)
		w.visit("")
		w.compose("/tictactoe ai" + kb.Escape + kb.Enter)
		w.calls("/sim/command", `"name":"tictactoe ai"`)
		w.until(`document.querySelector(".composer textarea").value === ""`)
		w.compose("/tictactoe challenge")
		w.click(`[aria-label="Send"]`)
		w.until(`document.activeElement.dataset.option === "opponent"`)
	})

	t.Run("a missing or wrong option is told and not sent", func(t *testing.T) {
		w := laptop(t)
		w.visit("")
		w.compose("/tictactoe challenge ")
		w.until(`document.activeElement.dataset.option === "opponent"`)
		w.typed("nobody" + kb.Enter)
		w.until(`document.querySelector(".composer-error").innerText.includes("No such person")`)
		w.screenshot("error")
		w.typed(kb.Escape)
		w.until(`document.querySelector(".composer textarea")`)
		w.compose("/show number 12" + kb.Enter)
		w.until(`document.querySelector(".composer-error").innerText.includes("Must be 9 or less")`)
		if w.sim.asked("/sim/command") {
			t.Error("a wrong command was sent")
		}
		w.typed(kb.Backspace + kb.Enter)
		w.calls("/sim/command", `"count":1`)
	})

	t.Run("plain text is a message", func(t *testing.T) {
		w := laptop(t)
		w.visit("?as=carol")
		w.compose("hello **there** <@1>" + kb.Enter)
		w.calls("/sim/message", `"as":"carol"`, "hello **there** ")
		w.until(`document.querySelector(".messages strong").innerText === "there" && document.querySelector(".markdown .mention").innerText === "@Alice"`)
		w.until(`document.querySelector(".composer textarea").value === ""`)
	})

	t.Run("a command in a text is pressed into the composer, and one that is not registered is not", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.sim.say("bob", "Try </tictactoe challenge:801>, not </tictactoe ai:999> or </tictactoe:801>", nil)
			w.visit("")
			w.click(".tour-close")
			w.sees("Try /tictactoe challenge, not /tictactoe ai or /tictactoe")
			if n := eval[int](w, `document.querySelectorAll(".markdown button.mention").length`); n != 1 {
				t.Errorf("%d commands can be pressed, want 1", n)
			}
			w.click(`.markdown button.mention`)
			w.until(`document.querySelector(".command-chip").innerText === "/tictactoe challenge" && document.activeElement.dataset.option === "opponent"`)
			w.fits()
		})
	})

	t.Run("hostile names and texts are shown as they are", func(t *testing.T) {
		w := laptop(t)
		w.sim.say("mallory", `<img src=x onerror="window.hit=1"><script>window.hit=1</script> [click](javascript:alert(1)) \*\*escaped\*\*`, nil)
		w.visit("")
		w.sees(`<img src=x onerror="window.hit=1"><script>window.hit=1</script> [click](javascript:alert(1)) **escaped**`)
		w.until(`document.querySelector(".message .author").innerText === ` + fmt.Sprintf("%q", hostile))
		if bad := eval[string](w, `[...document.querySelectorAll(".chat img, .chat script, .chat a[href^=javascript], .members img")].map((e) => e.outerHTML).join() + (window.hit ?? "")`); bad != "" {
			t.Errorf("markup came alive: %s", bad)
		}
		w.fits()
		w.screenshot("hostile")
	})

	t.Run("the welcome holds a name as long as names may be", func(t *testing.T) {
		sim := newFake()
		sim.users[1]["global_name"] = strings.Repeat("W", 32)
		w := fresh(t, ctx, sim, phoneWidth, phoneHeight)
		w.visit("?as=bob")
		w.until(`document.querySelector(".tour").innerText.includes("WWWW")`)
		w.fits()
	})

	t.Run("the content security policy holds", func(t *testing.T) {
		w := laptop(t)
		w.visit("")
		w.forget = true
		if eval[bool](w, `(() => { const s = document.createElement("script"); try { s.textContent = "window.hit = 1"; } catch {} document.head.append(s); return Boolean(window.hit); })()`) {
			t.Error("an inline script ran")
		}
		if !eval[bool](w, `fetch("https://example.com/").then(() => false, () => true)`) {
			t.Error("a foreign request was let through")
		}
		if !eval[bool](w, `(() => { try { document.createElement("div").innerHTML = "<b>x</b>"; return false; } catch { return true; } })()`) {
			t.Error("markup could be made from a string")
		}
		if got := eval[string](w, `performance.getEntriesByType("resource").map((e) => new URL(e.name).origin).filter((o) => o !== location.origin && !o.includes("example.com")).join()`); got != "" {
			t.Errorf("the page asked elsewhere: %s", got)
		}
	})

	t.Run("a form is filled in and sent", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.visit("")
			w.click(".tour-close")
			w.compose("/show form" + kb.Enter)
			w.typed(kb.Enter)
			w.until(`document.querySelector("dialog.modal[open]") && document.activeElement.name === "name"`)
			w.screenshot("form")
			w.fits()
			w.press("Submit")
			w.until(`document.querySelector("dialog .error").innerText === "This field is required."`)
			w.typed("Alice")
			w.typed(kb.Enter)
			w.calls("/sim/modal", `"name":"Alice"`, `"interaction":"1`)
			w.until(`!document.querySelector("dialog.modal")`)
			w.sees("submitted map[name:Alice")
		})
	})

	t.Run("a form without fields asks a question", func(t *testing.T) {
		w := laptop(t)
		w.visit("")
		w.compose("/show question" + kb.Enter)
		w.typed(kb.Enter)
		w.until(`document.querySelector("dialog.modal").innerText.includes("Your opponent will win.") && document.activeElement.innerText === "Cancel"`)
		w.screenshot("question")
		w.typed(kb.Escape)
		w.until(`!document.querySelector("dialog.modal")`)
		if w.sim.asked("/sim/modal") {
			t.Error("Escape sent the form")
		}
		w.until(`document.activeElement.matches(".composer textarea")`)
	})

	t.Run("a failure is shown in red", func(t *testing.T) {
		w := laptop(t)
		w.sim.command(object{"as": "alice", "name": "show everything"})
		w.visit("")
		w.click(`[data-custom-id="broken"]`)
		w.until(`document.querySelector(".failure").innerText.startsWith("This interaction failed")`)
		w.screenshot("click")
		w.compose("/show silence" + kb.Enter)
		w.typed(kb.Enter)
		w.sees("The application did not respond")
		w.screenshot("command")
		w.until(`document.querySelector(".composer textarea").value === ""`)
		w.until(`document.querySelector("[data-draft]").innerText.replace(/\s+/g, " ").includes("Alice used /show silence")`)
	})

	t.Run("a private answer is seen by one person only", func(t *testing.T) {
		w := laptop(t)
		w.visit("")
		w.compose("/show private" + kb.Enter)
		w.typed(kb.Enter)
		w.sees("Just for you")
		w.click(".you-bar .you")
		w.until(`document.querySelector("dialog.switch")`)
		w.screenshot("people")
		w.click(`[data-person="bob"]`)
		w.until(`new URL(location.href).searchParams.get("as") === "bob" && document.querySelector(".you-text strong").innerText === "Bob" && document.querySelector(".messages") && !document.querySelector(".waiting")`)
		w.until(`!document.querySelector(".messages").innerText.includes("Just for you")`)
	})

	t.Run("a mention lights up for whom it means", func(t *testing.T) {
		w := laptop(t)
		w.sim.command(object{"as": "alice", "name": "tictactoe challenge", "options": object{"opponent": "bob"}})
		w.visit("?as=bob")
		w.until(`document.querySelector(".message.mentioned .mention.mine").innerText === "@Bob"`)
		w.screenshot("bob")
		w.visit("?as=alice")
		w.until(`document.querySelector(".message:not(.mentioned) .mention")`)
	})

	t.Run("a member's card runs the apps of the context menu", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.visit("")
			w.click(".tour-close")
			w.click(`.chat [aria-label="Members"]`)
			if eval[bool](w, `innerWidth > 1000`) { // a wide window shows the members at first, so the click has hidden them
				w.click(`.chat [aria-label="Members"]`)
			}
			w.until(`document.querySelector('[data-user="bob"]').checkVisibility({ visibilityProperty: true })`)
			w.click(`[data-user="bob"]`)
			w.until(`document.querySelector("dialog.card")`)
			w.fits()
			w.screenshot("card")
			w.click(`dialog.card .menu-item`)
			w.calls("/sim/command", `"application":"`+fakeApp+`"`, `"name":"Challenge to Tic-Tac-Toe"`, `"target":"2"`)
			w.until(`document.querySelector(".used")?.innerText.includes("Challenge to Tic-Tac-Toe")`)
		})
	})

	t.Run("the channels of a phone are a drawer", func(t *testing.T) {
		w := fresh(t, ctx, newFake(), phoneWidth, phoneHeight)
		w.visit("")
		w.click(`.chat [aria-label="Channels"]`)
		w.until(`document.querySelector(".sidebar").getBoundingClientRect().left >= 0`)
		w.screenshot("drawer")
		w.click(`[aria-label="Direct messages"]`)
		w.until(`document.querySelector(".sidebar h2").innerText === "Direct messages"`)
		w.screenshot("direct")
		w.click(`[data-channel="@tictactoe"]`)
		w.until(`document.querySelector(".beginning").innerText.includes("direct messages with @tictactoe") && new URL(location.href).searchParams.get("channel") === "@tictactoe"`)
		w.click(".tour-close")
		w.compose("hi there" + kb.Enter)
		w.calls("/sim/message", `"channel":"@tictactoe"`)
		w.sees("hi there")
		w.fits()
	})

	t.Run("the clock is moved and countdowns follow", func(t *testing.T) {
		w := laptop(t)
		w.sim.command(object{"as": "alice", "name": "tictactoe ai"})
		w.visit("")
		w.until(`/^in (1 minute|\d+ seconds)$/.test(document.querySelector(".stamp").innerText)`)
		w.click(`.chat [title="Maker's tools"]`)
		w.press("+5 min")
		w.calls("/sim/clock", `"advance":"5m"`)
		w.until(`/minutes ago$/.test(document.querySelector(".stamp").innerText) && document.querySelector(".maker").innerText.includes("5 min ahead of real time")`)
		w.screenshot("clock")
	})

	t.Run("a new person can be added and been", func(t *testing.T) {
		w := laptop(t)
		w.visit("")
		w.click(".you-bar .you")
		w.press("Add a person")
		w.until(`document.querySelector("dialog form")`)
		w.do(chromedp.SendKeys(chromedp.CSS("dialog input"), "Dave Ö."))
		w.screenshot("adding")
		w.press("Add and be them")
		w.calls("/sim/users", `"global_name":"Dave Ö."`, `"username":"daveo."`)
		w.until(`document.querySelector(".you-text strong").innerText === "Dave Ö."`)
	})

	t.Run("a lost connection heals and misses nothing", func(t *testing.T) {
		w := laptop(t)
		w.visit("")
		w.forget = true // this test makes requests fail
		w.sim.setDown(true)
		w.until(`document.querySelector(".banner")?.innerText.includes("Reconnecting")`)
		w.screenshot("down")
		if got := eval[string](w, `getComputedStyle(document.querySelector(".spinner")).animationName`); got != "none" {
			t.Errorf("somebody who asked for less motion sees a spinner that moves: %s", got)
		}
		w.sim.say("bob", "said meanwhile", nil)
		w.sim.setDown(false)
		w.sees("said meanwhile")
		w.until(`!document.querySelector(".banner")`)
		w.sim.say("bob", "said after", nil)
		w.sees("said after")
	})

	t.Run("messages of others arrive by themselves and keep the end in view", func(t *testing.T) {
		w := laptop(t)
		for i := range 60 {
			w.sim.say("bob", fmt.Sprintf("line %d", i), nil)
		}
		w.visit("")
		w.sim.say("carol", "the newest", nil)
		w.sees("the newest")
		w.until(`(() => { const s = document.querySelector(".scroller"); return s.scrollHeight - s.scrollTop - s.clientHeight < 4; })()`)
		w.until(`document.querySelector("[aria-live]").innerText.includes("Carol: the newest")`)
		eval[bool](w, `(document.querySelector(".scroller").scrollTop = 0, true)`)
		w.until(`document.querySelector(".present")`)
		w.sim.say("carol", "even newer", nil)
		w.sees("even newer")
		if eval[bool](w, `document.querySelector(".scroller").scrollTop > 50`) {
			t.Error("a new message pulled the reader away")
		}
		w.screenshot("many")
	})

	t.Run("what grows late keeps the end in view, and whoever scrolled up where they are", func(t *testing.T) {
		const (
			atEnd = `(() => { const s = document.querySelector(".scroller"); return s.scrollHeight - s.scrollTop - s.clientHeight < 4; })()`
			grow  = `(document.querySelector(".message:nth-last-child(5)").style.paddingBottom = "%dpx", true)`
		)
		w := laptop(t)
		for i := range 60 {
			w.sim.say("bob", fmt.Sprintf("line %d", i), nil)
		}
		w.visit("")
		w.until(atEnd)
		for px := 300; px <= 1500; px += 300 { // each step stands for one more picture that has loaded
			eval[bool](w, fmt.Sprintf(grow, px))
		}
		w.until(atEnd)
		w.until(`!document.querySelector(".present")`)
		eval[bool](w, `(document.querySelector(".scroller").scrollTop -= 200, true)`)
		w.until(`document.querySelector(".present")`)
		before := eval[int](w, `document.querySelector(".scroller").scrollTop`)
		eval[bool](w, fmt.Sprintf(grow, 1800))
		eval[bool](w, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
		if after := eval[int](w, `document.querySelector(".scroller").scrollTop`); after != before {
			t.Errorf("what grew pulled the reader from %d to %d", before, after)
		}
	})

	t.Run("a link to a message leads to it on this page", func(t *testing.T) {
		w := laptop(t)
		for i := range 150 {
			w.sim.say("bob", fmt.Sprintf("line %d", i), nil)
		}
		w.sim.say("carol", "see [the third](https://discord.com/channels/100/200/1003)", nil)
		w.visit("")
		w.sees("see the third")
		if eval[bool](w, `document.getElementById("m1003") !== null`) {
			t.Error("all messages were drawn at once")
		}
		w.press("the third")
		w.until(`(() => { const b = document.getElementById("m1003").getBoundingClientRect(); return b.top > 0 && b.bottom < innerHeight; })()`)

		w.sim.say("carol", "or [by a name of our own](http://sim:8080/channels/100/200/1150), or [elsewhere](https://other.example/channels/7/8/9)", nil)
		w.sees("elsewhere")
		if eval[string](w, `[...document.querySelectorAll("a")].filter((a) => a.textContent === "elsewhere").map((a) => a.href).join()`) != "https://other.example/channels/7/8/9" {
			t.Error("somebody else's page is no link")
		}
		w.press("by a name of our own")
		w.until(`(() => { const b = document.getElementById("m1150").getBoundingClientRect(); return b.top > 0 && b.bottom < innerHeight; })()`)
	})

	t.Run("two windows are two people", func(t *testing.T) {
		sim := newFake()
		alice, bob := fresh(t, ctx, sim, desktopWidth, desktopHeight), fresh(t, ctx, sim, phoneWidth, phoneHeight)
		alice.visit("?as=alice")
		bob.visit("?as=bob")
		bob.click(".tour-close")
		alice.compose("/tictactoe challenge bob" + kb.Enter)
		alice.typed(kb.Enter)
		bob.press("Accept")
		bob.calls("/sim/click", `"as":"bob"`, `"custom_id":"accept"`)
		alice.sees("@Bob pressed accept")
	})

	t.Run("every control has a name", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.sim.command(object{"as": "alice", "name": "tictactoe ai"})
			w.sim.command(object{"as": "alice", "name": "show everything"})
			w.visit("")
			w.accessible()
			if missing := eval[string](w, `["main", "nav", "aside", "h1", "[aria-live]"].filter((s) => !document.querySelector(s)).join()`); missing != "" {
				t.Errorf("landmarks missing: %s", missing)
			}
		})
	})
}

// accessible fails if a visible control has no name, or if a text has too little contrast in one of the themes.
func (w *window) accessible() {
	w.t.Helper()
	nameless := eval[string](w, `[...document.querySelectorAll("button, a, input, textarea, select, summary, meter, [role=button], [role=img], dialog")]
		.filter((e) => !e.closest("[aria-hidden=true], [inert]") && !(e.getAttribute("aria-label") || e.labels?.length || e.textContent.replace(/[\s\u200b]/g, "")))
		.map((e) => e.outerHTML.slice(0, 160)).join("\n")`)
	if nameless != "" {
		w.t.Errorf("controls without a name:\n%s", nameless)
	}
	for _, dark := range []bool{false, true} {
		w.dark(dark)
		if pale := eval[string](w, contrastScript); pale != "" {
			w.t.Errorf("contrast below 4.5 (dark %t):\n%s", dark, pale)
		}
	}
}

// contrastScript lists the texts whose contrast with their background is below WCAG AA for small text. It ignores
// disabled controls, as WCAG does.
const contrastScript = `(() => {
	const parse = (c) => (c.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
	const light = ([r, g, b]) => { const f = (v) => ((v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
	const behind = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0.99) return c; } return [255, 255, 255]; };
	const out = new Set();
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const e = walker.currentNode.parentElement;
		if (!walker.currentNode.data.trim() || !e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || e.closest("[aria-hidden=true], :disabled, .sr, .emoji, .member.off")) continue;
		const a = light(parse(getComputedStyle(e).color)), b = light(behind(e)), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5) out.add(ratio.toFixed(2) + " " + e.tagName + "." + e.className + " in " + e.parentElement.className + ": " + walker.currentNode.data.trim().slice(0, 40));
	}
	return [...out].slice(0, 12).join("\n");
})()`
