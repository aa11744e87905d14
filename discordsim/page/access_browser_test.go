package page_test

import (
	"fmt"
	"image/color"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tictactoe/internal/longtest"
)

// tinyWidth and tinyHeight are the size of a window of 1280x1024 at a zoom of 400 %.
const tinyWidth, tinyHeight = 320, 256

const axeFile = "testdata/axe/node_modules/axe-core/axe.min.js"

// axe fails for every issue that axe-core finds in the visible page. On a laptop it looks at both themes. Smaller windows are looked at in
// one, since their colours are the same.
func (w *window) axe(what string) {
	w.t.Helper()
	themes := []bool{true, false}
	if eval[int](w, "innerWidth") < desktopWidth {
		themes = themes[:1]
	}
	for _, dark := range themes {
		w.dark(dark)
		found := eval[string](w, `axe.run(document, { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }).then(({ violations }) =>
			violations.flatMap((v) => v.nodes.map((n) => v.id + " " + n.target.join(" ") + ": " + n.html.slice(0, 120))).slice(0, 12).join("\n"))`)
		if found != "" {
			w.t.Errorf("axe-core finds in %s (dark %t):\n%s", what, dark, found)
		}
		w.screenshot(fmt.Sprintf("%s-dark-%t", what, dark))
	}
	w.dark(true)
}

func TestAxeFindsNoIssue(t *testing.T) {
	longtest.Only(t)
	script, err := os.ReadFile(axeFile)
	if err != nil {
		if required("axe") {
			t.Fatal("no axe-core found, and TICTACTOE_REQUIRE asks for it: ", err)
		}
		t.Skip("skipped: axe-core is not installed; run npm --prefix discordsim/page/testdata/axe ci --ignore-scripts")
	}
	ctx := browser(t)
	for _, size := range []struct {
		name          string
		width, height int64
	}{{"laptop", desktopWidth, desktopHeight}, {"phone", phoneWidth, phoneHeight}, {"tiny", tinyWidth, tinyHeight}} {
		t.Run(size.name, func(t *testing.T) {
			sim := newFake()
			for _, name := range []string{"tictactoe ai", "show everything", "show silence"} {
				sim.command(object{"as": "alice", "name": name})
			}
			w := fresh(t, ctx, sim, size.width, size.height)
			w.visit("")
			eval[bool](w, string(script)+";true")
			w.until(`document.querySelector(".tour")`)
			w.axe("the welcome")
			w.click(".tour-close")
			w.axe("the channel")
			const small = `[...document.querySelectorAll(".author")].filter((e) => e.getBoundingClientRect().height < 24 || e.getBoundingClientRect().width < 24).length`
			if n := eval[int](w, small); n > 0 {
				t.Errorf("%d names are smaller than the 24 pixels of WCAG 2.2 (2.5.8)", n)
			}
			w.compose("/chall")
			w.until(`document.querySelector(".menu-row")`)
			w.axe("the commands")
			w.typed(kb.Tab)
			w.until(`document.activeElement.dataset.option === "opponent"`)
			w.axe("an option")
			w.typed(kb.Escape + kb.Escape)
			w.until(`document.querySelector(".composer textarea")`)
			eval[bool](w, `(document.querySelector(".message [aria-label=More]").click(), true)`)
			w.until(`document.querySelector("[role=menu]")`)
			w.axe("a menu")
			w.typed(kb.Escape)
			sim.say("alice", "Shall we play?", nil)
			w.until(`document.querySelector(".tools [aria-label=Edit]")`)
			eval[bool](w, `(document.querySelector(".tools [aria-label=Edit]").click(), document.querySelector(".tools [aria-label=Reply]").click(), true)`)
			w.until(`document.querySelector(".edit") && document.querySelector(".replying")`)
			w.axe("a reply and an edit")
			eval[bool](w, `(document.querySelector(".edit .textual").click(), document.querySelector(".replying button").click(), true)`)
			eval[bool](w, `(document.querySelector('.chat [title="Maker\'s tools"]').click(), true)`)
			w.until(`document.querySelector(".maker")`)
			w.axe("the maker's tools")
			for i, tab := range []string{"interactions", "transcript"} {
				eval[bool](w, fmt.Sprintf(`(document.querySelectorAll("[role=tab]")[%d].click(), true)`, i+1))
				w.axe("the maker's " + tab)
			}
			eval[bool](w, `(document.querySelector(".maker [aria-label^=Close], .maker [aria-label^=Hide]")?.click(), document.querySelector(".author").click(), true)`)
			w.until(`document.querySelector("dialog.card")`)
			w.axe("a card")
			w.typed(kb.Escape)
			w.visit("?channel=@tictactoe")
			eval[bool](w, string(script)+";true")
			w.axe("direct messages")
			eval[bool](w, `(document.querySelector(".you-bar .you").click(), true)`)
			w.until(`document.querySelector("dialog.switch")`)
			w.axe("a choice of people")
			w.typed(kb.Escape)
			eval[bool](w, `(document.querySelector("[data-server]").click(), true)`)
			w.until(`document.querySelector(".server-name")`)
			eval[bool](w, `(document.querySelector(".server-name").click(), true)`)
			w.until(`document.querySelector("dialog.settings .tri")`)
			w.axe("the settings of a server")
			w.typed(kb.Escape)
			w.compose("/show inputs" + kb.Enter)
			w.typed(kb.Enter)
			w.until(`document.querySelector("dialog.modal")`)
			w.axe("a form")
		})
	}
}

func TestTheFirstScreenNeedsOneResponse(t *testing.T) {
	longtest.Only(t)
	w := fresh(t, browser(t), newFake(), desktopWidth, desktopHeight)
	w.visit("")
	if files := eval[int](w, `performance.getEntriesByType("resource").filter((r) => /script|css|link/.test(r.initiatorType) && !/icon|later/.test(r.name)).length`); files > 0 {
		t.Errorf("the first screen needs %d more files", files)
	}
}

func TestTheComposerIsReachedAtOnce(t *testing.T) {
	longtest.Only(t)
	ctx := browser(t)
	const focused = `document.activeElement.matches(".composer textarea")`
	w := fresh(t, ctx, newFake(), desktopWidth, desktopHeight)
	w.visit("")
	w.until(focused)
	w.click(`[data-user="bob"]`)
	w.until(`document.querySelector("dialog.card")`)
	w.typed("/" + kb.Escape)
	w.until(`!document.querySelector("dialog.card") && document.activeElement.matches("[data-user=bob]")`)
	w.typed("/")
	w.until(focused + ` && document.querySelector(".plain").value === "/" && document.querySelector(".menu-row")`)
	w.typed(kb.Escape + kb.Backspace)
	eval[bool](w, `(document.body.tabIndex = -1, document.body.focus(), true)`)
	w.do(chromedp.KeyEvent(kb.Tab))
	w.until(`document.activeElement.innerText === "Skip to the message box"`)
	w.fits()
	w.screenshot("skip")
	w.typed(kb.Enter)
	w.until(focused)
	w.typed("/chall" + kb.Tab)
	w.until(`document.querySelector(".menu-row").innerText.includes("Bob")`) // the menu suggests Bob, not Alice, who uses the command
}

func TestAnUnreachableSimulatorIsToldInWordsWhileItLasts(t *testing.T) {
	longtest.Only(t)
	ctx := browser(t)
	w := fresh(t, ctx, newFake(), desktopWidth, desktopHeight)
	w.visit("")
	w.forget = true // this test makes requests fail
	w.click(".tour-close")
	w.network(network.Conditions{DownloadThroughput: -1, UploadThroughput: -1, Offline: true})
	w.sim.setDown(true)
	w.compose("hello" + kb.Enter)
	w.until(`document.querySelector(".composer-error").innerText.includes("cannot be reached")`)
	w.screenshot("down")
	w.sim.setDown(false)
	w.network(network.Conditions{DownloadThroughput: -1, UploadThroughput: -1})
	w.until(`!document.querySelector(".banner") && !document.querySelector(".composer-error")`)
	if got := eval[string](w, `document.querySelector(".plain").value`); got != "hello" {
		t.Errorf("the message that was not sent became %q", got)
	}
}

func TestPrivateMessagesAreGoneAfterAReload(t *testing.T) {
	longtest.Only(t)
	w := fresh(t, browser(t), newFake(), desktopWidth, desktopHeight)
	w.visit("")
	w.compose("/show private" + kb.Enter)
	w.typed(kb.Enter)
	w.sees("Just for you")
	w.sim.setDown(true)
	w.forget = true
	w.until(`document.querySelector(".banner")?.innerText.includes("Reconnecting")`)
	w.sim.setDown(false)
	w.until(`!document.querySelector(".banner")`)
	w.sees("Just for you") // the page still shows the private message, since it has not been loaded again
	w.visit("")
	if eval[bool](w, `document.querySelector(".messages").innerText.includes("Just for you")`) {
		t.Error("a private message was there after a reload")
	}
}

func TestTheWelcomeFitsTheSmallestWindow(t *testing.T) {
	longtest.Only(t)
	w := fresh(t, browser(t), newFake(), tinyWidth, tinyHeight)
	w.visit("")
	w.until(`document.querySelector(".tour")`)
	const inside = `((e) => { const b = e.getBoundingClientRect(); return b.top >= 0 && b.bottom <= innerHeight && b.left >= 0 && b.right <= innerWidth && document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2)?.closest(".tour, .composer") !== null; })`
	for _, what := range []string{".tour", ".tour-close", ".composer-box"} {
		if !eval[bool](w, inside+`(document.querySelector("`+what+`"))`) {
			t.Errorf("%s is cut off", what)
		}
	}
	eval[bool](w, `(document.querySelector(".tour").scrollTop = 9999, true)`)
	for _, what := range []string{".tour-close", ".tour-actions .button:last-child"} {
		if !eval[bool](w, inside+`(document.querySelector("`+what+`"))`) {
			t.Errorf("%s cannot be scrolled to", what)
		}
	}
	w.fits()
	w.screenshot("scrolled")
	w.click(".tour-close")
	w.until(`!document.querySelector(".tour")`)
	w.fits()
}

func TestDirectMessagesAreCalledByTheName(t *testing.T) {
	onBoth(t, func(t *testing.T, w *window, d *discord) {
		w.visit("?as=alice")
		eval[bool](w, `(document.querySelector('[data-user="carol"]').click(), true)`)
		w.press("Message")
		w.until(`document.querySelector(".place").innerText === "Carol" && document.querySelector(".beginning h2").innerText === "Carol" && document.querySelector(".plain").placeholder === "Message @Carol" && document.title.startsWith("@Carol")`)
		w.screenshot("dark")
		// A mention arrives meanwhile. The server then has a small badge at its corner.
		if _, err := d.User("bob").Write("general", "<@"+d.User("alice").ID()+"> look"); err != nil {
			t.Fatal(err)
		}
		w.until(`document.querySelector("[data-server] .badge")`)
		if size := eval[string](w, `((b) => b.height < 25 && b.width < 25 ? "" : b.width + "x" + b.height)(document.querySelector("[data-server] .badge").getBoundingClientRect())`); size != "" {
			t.Errorf("the badge of the server is %s", size)
		}
		w.screenshot("badge")
	})
}

func TestWhatIsAnnouncedIsWhatTheMessageSays(t *testing.T) {
	onLaptop(t, func(t *testing.T, w *window, d *discord) {
		w.visit("?as=alice")
		d.rest(http.MethodGet, "/users/@me", "")
		channel, id := d.say(`{"flags":32768,"components":[{"type":10,"content":"Bob to move"},{"type":1,"components":[{"type":2,"style":2,"custom_id":"a","label":"a1"},{"type":2,"style":2,"custom_id":"b","label":"b1"}]}]}`)
		w.until(`document.querySelector("[aria-live]").innerText === "tictactoe: Bob to move"`)
		d.rest(http.MethodPatch, "/channels/"+channel+"/messages/"+id, `{"components":[{"type":10,"content":"**Bob** played b2. Alice to move"},{"type":1,"components":[{"type":2,"style":2,"custom_id":"a","label":"a1"},{"type":2,"style":2,"custom_id":"b","label":"b1"}]}]}`)
		w.until(`document.querySelector("[aria-live]").innerText === "tictactoe: Bob played b2. Alice to move"`)
		emoji := d.emoji("mark_x", color.RGBA{0xff, 0, 0, 0xff})
		channel, id = d.say(`{"flags":32768,"components":[{"type":10,"content":"# Alice <:mark_x:` + emoji + `>\n# against Bob"},{"type":10,"content":"Alice to move"}]}`)
		w.until(`document.querySelector("[aria-live]").innerText === "tictactoe: Alice mark x against Bob Alice to move"`)
		d.rest(http.MethodPatch, "/channels/"+channel+"/messages/"+id, `{"components":[{"type":10,"content":"# Alice <:mark_x:`+emoji+`>\n# against Bob"},{"type":10,"content":"Bob to move"}]}`)
		w.until(`document.querySelector("[aria-live]").innerText === "tictactoe: Bob to move"`)
	})
}

// Browsers let people choose a larger size for all text. WCAG 2.2 requires support for 200 % (1.4.4).
func TestTheLargestTextFitsAPhone(t *testing.T) {
	longtest.Only(t)
	sim := newFake()
	for _, name := range []string{"tictactoe ai", "show everything"} {
		sim.command(object{"as": "alice", "name": name})
	}
	named := func(emoji object, names string) object { // a row of squares whose labels name them, as in a new installation
		var squares []object
		for name := range strings.FieldsSeq(names) {
			squares = append(squares, button(2, "named:"+name, name, emoji))
		}
		return row(squares...)
	}
	small := object{"emoji": object{"name": "▫️"}}
	sim.post(fakeGeneral, "", sim.bot(), v2(object{"type": 17, "components": []object{
		named(small, "a1 b1 c1"), named(small, "a1 b1 c1 d1"), named(nil, "a1 b1 X d1 O"),
		row(button(2, "1", "", small), button(2, "2", "", small), button(2, "3", "", small), button(2, "4", "", small), button(2, "5", "", small)),
	}}))
	w := fresh(t, browser(t), sim, phoneWidth, phoneHeight)
	w.visit("")
	w.until(`document.querySelector(".tour")`)
	if rows := eval[int](w, `document.querySelectorAll(".row.grid").length`); rows != 7 { // fits checks these rows
		t.Errorf("%d rows are drawn as rows of a board, want 7", rows)
	}
	eval[bool](w, `(document.documentElement.style.fontSize = "200%", true)`)
	w.screenshot("welcome")
	w.fits()
	w.click(".tour-close")
	w.until(`!document.querySelector(".tour")`)
	w.screenshot("channel")
	w.fits()
	if cut := eval[string](w, `[...document.querySelectorAll(".grid .face")].filter((f) => f.getBoundingClientRect().width > f.parentElement.clientWidth).map((f) => f.innerText).join()`); cut != "" {
		t.Errorf("squares are too small for what they show: %s", cut)
	}
}

func TestReducedMotionStopsWhatMovesForEver(t *testing.T) {
	longtest.Only(t)
	w := fresh(t, browser(t), newFake(), phoneWidth, phoneHeight)
	w.dark(true) // dark also asks the page for reduced motion
	w.visit("")
	w.until(`document.querySelector(".composer")`)
	moving := eval[string](w, `(() => {
		const add = (to, tag, kind) => { const e = to.appendChild(document.createElement(tag)); e.className = kind; return e; };
		add(document.body, "i", "spinner");
		add(add(add(document.body, "button", "button loading"), "span", "dots"), "i", "");
		return document.getAnimations().filter((a) => a.effect.getTiming().iterations === Infinity).map((a) => a.animationName).join();
	})()`)
	if moving != "" {
		t.Errorf("these animations go on for ever: %s", moving)
	}
}

func TestAMentionOutOfViewIsSeenOnAPhone(t *testing.T) {
	longtest.Only(t)
	d := newDiscord(t)
	w := tab(t, browser(t), d.Handler(), phoneWidth, phoneHeight)
	d.drive("POST", "channels", `{"name":"lobby"}`)
	thread := d.drive("POST", "channels", `{"name":"🏟️ Arena","type":11,"parent":"lobby"}`)
	d.rest(http.MethodGet, "/users/@me", "")
	w.visit("?as=alice")
	w.click(".tour-close")
	mention := func(words string) {
		d.rest(http.MethodPost, "/channels/"+thread.ID+"/messages", `{"content":"<@`+d.User("alice").ID()+`> `+words+`"}`)
	}
	mention("your board is here")
	w.until(`document.querySelector(".ping").innerText.includes("🏟") === false && /tictactoe.*Arena\s*@Alice your board is here/s.test(document.querySelector(".ping").innerText)`)
	w.until(`document.querySelector('.ping svg, .ping img') && document.querySelector('[aria-label="Channels, 1 new"] .badge').innerText === "1"`)
	w.fits()
	w.screenshot("banner")
	w.until(`!document.querySelector(".ping")`) // after 5 seconds
	w.side()
	w.until(`document.querySelector(".under .channel .badge").innerText === "1"`)
	w.screenshot("menu")
	w.typed(kb.Escape)
	w.until(`document.querySelector(".side").getBoundingClientRect().right <= 0`)
	mention("it is your turn")
	w.click(".ping button")
	w.until(`document.querySelector(".place").innerText.trim() === "Arena" && document.querySelector(".place svg.emoji")`)
	w.sees("it is your turn")
	w.until(`!document.querySelector(".ping") && !document.querySelector('[aria-label^="Channels"] .badge')`)
	for i := range 30 { // a person who reads older messages
		if _, err := d.User("bob").Write("🏟️ Arena", fmt.Sprintf("line %d", i)); err != nil {
			t.Fatal(err)
		}
	}
	w.sees("line 29")
	eval[bool](w, `(document.querySelector(".scroller").scrollTop = 0, true)`)
	w.until(`document.querySelector(".present")`)
	if covered := eval[bool](w, `document.querySelector(".present").getBoundingClientRect().top < document.querySelector(".scroller").getBoundingClientRect().bottom`); covered {
		t.Error("Jump to present covers messages")
	}
	mention("the next board")
	w.until(`document.querySelector(".ping")?.innerText.includes("the next board")`)
	w.compose("on my way" + kb.Enter)
	w.until(`!document.querySelector(".present") && ((s) => s.scrollHeight - s.scrollTop - s.clientHeight < 4)(document.querySelector(".scroller"))`)
}

func TestFingersFindWhatTheyPress(t *testing.T) {
	longtest.Only(t)
	sim := newFake()
	for _, name := range []string{"tictactoe ai", "show everything", "show silence"} {
		sim.command(object{"as": "alice", "name": name})
	}
	sim.say("bob", "See [the rules](https://example.com) or ask <@2>", nil)
	w := fresh(t, browser(t), sim, phoneWidth, phoneHeight)
	if _, err := chromedp.Call(w.ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
	check := func(where string) {
		t.Helper()
		small := eval[string](w, `[...document.querySelectorAll("button, a, select, input:not(.sr, [type=checkbox], [type=radio]), textarea, summary")]
			.filter((e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.matches(".skip"))
			.map((e) => [e, e.getBoundingClientRect()]).filter(([e, b]) => b.width && (b.height < 43.5 || b.width < 43.5 && !e.innerText))
			.map(([e, b]) => e.tagName + "." + e.className + " " + Math.round(b.width) + "x" + Math.round(b.height)).join("; ")`)
		if small != "" {
			t.Errorf("%s: too small for a finger: %s", where, small)
		}
		w.fits()
		w.screenshot(where)
	}
	w.visit("")
	w.until(`document.querySelector(".tour")`)
	check("welcome")
	w.click(".tour-close")
	check("channel")
	w.compose("/chall" + kb.Tab)
	w.until(`document.activeElement.dataset.option === "opponent"`)
	check("command")
	w.typed(kb.Escape + kb.Escape)
	w.side()
	check("menu")
	w.click(".you-bar .you")
	w.until(`document.querySelector("dialog.switch")`)
	check("people")
	w.press("Add a person")
	w.until(`document.activeElement === document.querySelector("dialog.switch input")`)
	check("a new person")
	w.typed(kb.Escape)
	eval[bool](w, `(document.querySelector('.chat [title="Maker\'s tools"]').click(), true)`)
	w.until(`document.querySelector(".maker .setting")`)
	check("the maker's tools")
}
