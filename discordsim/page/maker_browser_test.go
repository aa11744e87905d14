package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"tictactoe/internal/longtest"
)

// quiet opens the page for somebody who has seen the welcome.
func (w *window) quiet(query string) {
	w.t.Helper()
	w.visit(query)
	w.click(".tour-close")
}

// drawer makes sure that a narrow window shows its left side.
func (w *window) drawer() {
	w.t.Helper()
	if eval[bool](w, `innerWidth < 768`) {
		w.click(`.chat [aria-label="Channels"]`)
		w.until(`document.querySelector(".side").getBoundingClientRect().left >= 0`)
	}
}

// change sets a form control to a value, with the events that follow when a person picks or types the value.
func (w *window) change(selector, value string) {
	w.t.Helper()
	w.until(fmt.Sprintf(`document.querySelector(%q)`, selector))
	eval[bool](w, fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.value = %q; for (const kind of ["input", "change"]) e.dispatchEvent(new Event(kind, { bubbles: true })); return true; })()`, selector, value))
}

func TestWhatMakersDoInABrowser(t *testing.T) {
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
	const tools = `.chat [aria-label^="Maker's tools"]`

	t.Run("the tools are hidden until they are asked for", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.quiet("")
			if eval[bool](w, `document.querySelector(".maker") !== null`) {
				t.Error("the maker's tools were on show")
			}
			w.click(tools)
			w.until(`document.querySelector(".maker").checkVisibility({ visibilityProperty: true }) && document.querySelectorAll("[role=tab]").length === 3`)
			w.fits()
			w.screenshot("controls")
			w.click(`[aria-label="Close the maker's tools"]`)
			w.until(`!document.querySelector(".maker")?.checkVisibility({ visibilityProperty: true })`)
		})
	})

	t.Run("what is not simulated is told", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.quiet("")
			if eval[bool](w, `/not simulated/.test(document.querySelector(".chat").innerHTML)`) {
				t.Error("something is said to be not simulated")
			}
			w.sim.mu.Lock()
			w.sim.absent = []object{{"what": "PUT /channels/{channel_id}/pins/{message_id}", "times": 2}}
			w.sim.send("state", object{}, "")
			w.sim.mu.Unlock()
			w.until(`document.querySelector('.chat [aria-label*="asked for what is not simulated"] .dot') !== null`)
			w.click(tools)
			w.until(`/asked for what Discord has and this simulator does not have:\s*PUT \/channels\/\{channel_id\}\/pins\/\{message_id\} 2 times/.test(document.querySelector(".maker").innerText)`)
			w.fits()
			w.screenshot("absent")
			w.press("Transcript")
			w.until(`document.querySelector(".lines").innerText.includes("not simulated")`)
			w.fits()
			w.screenshot("absent-transcript")
		})
	})

	t.Run("a forward is shown with what it forwards", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.quiet("")
			w.sim.say("2", "", object{"flags": 1 << 14, "message_reference": object{"type": 1, "message_id": "7", "channel_id": fakeGeneral}, "message_snapshots": []object{{"message": object{
				"type": 0, "content": "**first** words", "timestamp": w.sim.now(), "embeds": []object{{"title": "An embed"}}, "attachments": []object{}, "mentions": []object{},
				"components": []object{row(button(1, "b1", "Play", nil))},
			}}}})
			w.until(`/Forwarded\s*first words\s*An embed\s*Play\s*#general/.test(document.querySelector(".forward")?.innerText)`)
			if eval[bool](w, `[...document.querySelectorAll(".forward button")].some((b) => !b.disabled && b.ariaDisabled !== "true")`) {
				t.Error("a button in a forward can be pressed")
			}
			w.fits()
			w.screenshot("forward")
		})
	})

	t.Run("a poll is shown, and that nobody votes", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.quiet("")
			w.sim.say("2", "", object{"poll": object{"question": object{"text": "Who wins?"}, "expiry": w.sim.now(), "answers": []object{
				{"answer_id": 1, "poll_media": object{"text": "X", "emoji": object{"name": "❌"}}}, {"answer_id": 2, "poll_media": object{"text": "nobody"}},
			}}})
			w.until(`/Who wins\?\s*(❌)?\s*X\s*nobody\s*0 votes/.test(document.querySelector(".poll")?.innerText)`)
			w.fits()
			w.screenshot("poll")
		})
	})

	t.Run("faults are switched on and off", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.quiet("")
			w.until(`document.querySelector('.chat [aria-label="Maker\'s tools"]') !== null && document.querySelector('.chat .badge') === null`)
			w.click(tools)
			w.click(`[data-fault="duplicate"] input`)
			w.calls("/sim/faults", `"faults":{"duplicate":true}`)
			w.change(`[data-fault="rest_status"] select`, "503")
			w.calls("/sim/faults", `"rest_status":503`, `"duplicate":true`)
			w.change(`[data-fault="callback_delay_ms"] input`, "3500")
			w.calls("/sim/faults", `"callback_delay_ms":3500`)
			w.fits()
			w.screenshot("faults")
			w.accessible()
			w.until(`document.querySelector('.chat [aria-label="Maker\'s tools, faults are on"] .badge').innerText === "3"`)
			w.press("Switch all off")
			w.calls("/sim/faults", `"faults":{}`)
			w.until(`document.querySelector('.chat [aria-label="Maker\'s tools"] .badge') === null`)
			w.until(`document.querySelector('[data-fault="duplicate"] input').checked === false`)
			w.click(`[data-gateway="close"]`)
			w.calls("/sim/gateway", `"action":"close"`, `"code":4000`)
			w.until(`document.querySelector(".maker [role=status]").innerText === "Done to 1 connection."`)
		})
	})

	t.Run("faults that were left on show when the page opens", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.sim.mu.Lock()
			w.sim.faults = object{"duplicate": true, "rest_retry_after_ms": 1000}
			w.sim.mu.Unlock()
			w.quiet("")
			w.until(`document.querySelector('.chat [aria-label="Maker\'s tools, faults are on"] .badge').innerText === "1"`)
		})
	})

	t.Run("interactions are sent to an address of one's own", func(t *testing.T) {
		w := laptop(t)
		w.quiet("")
		w.click(tools)
		w.change(`[aria-label="Address"]`, "http://127.0.0.1:9000/")
		w.press("Set")
		w.calls("/sim/applications/"+fakeApp+"/endpoint", `"url":"http://127.0.0.1:9000/"`)
		w.until(`document.querySelector(".maker [role=status]").innerText === "Interactions go there."`)
		w.accessible()
	})

	t.Run("every interaction shows how long it took", func(t *testing.T) {
		w := laptop(t)
		w.quiet("")
		w.click(tools)
		w.click("#tab-interactions")
		w.sim.mu.Lock()
		w.sim.settle("2", "", "answered", 41)
		w.sim.settle("1", "1001", "timeout", 3000)
		w.sim.mu.Unlock()
		w.until(`[...document.querySelectorAll(".latency-row")].map((r) => r.innerText.replace(/\s+/g, " ")).join("|").match(/Alice · component no answer .* 3000 ms\|.*Bob · command answered .* 41 ms/)`)
		w.fits()
		w.screenshot("latency")
		w.accessible()
		w.click(".latency-row")
		w.until(`document.querySelector("#tab-transcript").ariaSelected === "true"`)
	})

	t.Run("a message shows what was sent for it", func(t *testing.T) {
		w := laptop(t)
		w.sim.say("bob", "hello", nil) // the id of this message is 1001
		w.quiet("")
		w.until(`document.querySelector('[data-message="1001"]')`)
		eval[bool](w, `(document.querySelector('[data-message="1001"] [aria-label="Show what was sent"]').focus(), true)`)
		w.typed(kb.Enter)
		w.until(`document.querySelectorAll(".line").length === 1 && document.querySelector(".line[open] pre").innerText.includes("onerror=alert")`)
		w.fits()
		w.screenshot("message")
		w.accessible()
		w.click(".maker .actions .button")
		w.until(`document.querySelectorAll(".line").length === 2`) // all entries but the heartbeats
		w.click(".maker .actions .switch-input")
		w.until(`document.querySelectorAll(".line").length === 3`)
	})

	t.Run("a message is deleted from its menu", func(t *testing.T) {
		w := laptop(t)
		w.sim.say("bob", "hello", nil)
		w.quiet("")
		eval[bool](w, `(document.querySelector('[data-message="1001"] [aria-label="More"]').focus(), true)`)
		w.typed(kb.Enter)
		w.until(`document.activeElement.innerText === "Add reaction"`)
		w.screenshot("menu")
		w.accessible()
		w.typed(kb.ArrowUp)
		w.until(`document.activeElement.innerText === "Delete message"`)
		w.typed(kb.Enter)
		w.calls("/sim/delete", "1001")
		w.until(`!document.querySelector('[data-message="1001"]')`)
	})

	t.Run("a channel is added, closed, and opened again", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.quiet("?as=bob")
			w.drawer()
			w.click(".server-name")
			w.until(`document.activeElement.matches("dialog.settings .new-channel input")`)
			w.typed("Secret Place" + kb.Enter)
			w.calls("/sim/channels", `"name":"secret-place"`)
			w.until(`document.querySelector('[data-edit="secret-place"]').getAttribute("aria-pressed") === "true"`)
			w.click(`[data-permission="SEND_MESSAGES"] .tri-deny`)
			w.calls("/overwrites", `"deny":["SEND_MESSAGES"]`, `"of":"everyone"`)
			w.until(`document.querySelector('[data-permission="SEND_MESSAGES"] .tri-deny input').checked`)
			w.fits()
			w.screenshot("permissions")
			w.accessible()
			w.typed(kb.Escape)
			w.click(`[data-channel="secret-place"]`)
			w.until(`document.querySelector(".composer textarea").disabled && document.querySelector(".composer textarea").placeholder.includes("do not have permission")`)
			w.screenshot("shut")
			w.drawer()
			w.click(".server-name")
			w.click(`[data-edit="secret-place"]`)
			w.click(`[data-permission="VIEW_CHANNEL"] .tri-deny`)
			w.until(`!document.querySelector('[data-channel="secret-place"]') && document.querySelector(".place").innerText === "general"`)
			w.click(`[data-edit="secret-place"]`)
			w.click(`[data-permission="VIEW_CHANNEL"] .tri-none`)
			w.until(`document.querySelector('[data-channel="secret-place"]')`)
		})
	})

	t.Run("a channel that is closed to commands offers none", func(t *testing.T) {
		w := laptop(t)
		w.sim.places[0].overwrites = []overwrite{{id: "2", deny: permissionBits["USE_APPLICATION_COMMANDS"]}}
		w.quiet("?as=bob")
		w.compose("/tic" + kb.Enter)
		w.until(`document.querySelector(".composer-error")`)
		if eval[bool](w, `document.querySelector(".menu-row") !== null`) {
			t.Error("commands were offered")
		}
	})

	t.Run("a server is added and left by the rail", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.quiet("")
			w.drawer()
			w.click(`[aria-label="Add a server"]`)
			w.until(`document.activeElement.closest("dialog form")`)
			w.fits()
			w.screenshot("adding")
			w.typed("Board Games" + kb.Enter)
			w.calls("/sim/guilds", `"name":"Board Games"`, `"channels":["general","lobby"]`)
			w.until(`document.querySelector('[data-server="Board Games"]').ariaCurrent === "true" && document.querySelector('[data-channel="lobby"]')`)
			w.click(`[data-server="Playground"]`)
			w.until(`!document.querySelector('[data-channel="lobby"]')`)
			w.click(`[aria-label="Direct messages"]`)
			w.until(`document.querySelector('[data-channel="@tictactoe"]')`)
		})
	})

	t.Run("a person's status, language and rights are changed on the card", func(t *testing.T) {
		w := laptop(t)
		w.quiet("")
		w.click(`[data-user="bob"]`)
		w.click(".card-settings summary")
		w.until(`document.querySelector(".card-settings select")`)
		w.until(`document.querySelector("dialog.card").getBoundingClientRect().bottom < innerHeight`)
		w.screenshot("card")
		w.accessible()
		w.change(".card-settings label:nth-of-type(1) select", "dnd")
		w.calls("/sim/users/2", `"status":"dnd"`)
		w.until(`document.querySelector('[data-user="bob"] .status.dnd')`)
		w.change(".card-settings label:nth-of-type(2) select", "de")
		w.calls("/sim/users/2", `"locale":"de"`)
		w.until(`document.querySelector("dialog.card").innerText.includes("German")`)
		w.click(".card-settings label:nth-of-type(4) input")
		w.calls("/members/2", `"permissions":["32"]`)
		w.press("Remove from Playground")
		w.until(`document.activeElement.role === "menuitem" && document.activeElement.innerText === "Cancel"`)
		w.typed(kb.Enter)
		w.until(`!document.querySelector("[role=menu]") && document.querySelector("dialog.card")`)
		if w.sim.asked("DELETE", "/members/2") {
			t.Error("a cancelled removal was sent")
		}
		w.press("Remove from Playground")
		w.until(`document.querySelector("[role=menu]")`)
		w.typed(kb.ArrowDown + kb.Enter)
		w.calls("/sim/guilds/100/members/2 null")
		w.until(`!document.querySelector('[data-user="bob"]')`)
	})

	t.Run("somebody offline is shown so", func(t *testing.T) {
		w := laptop(t)
		w.sim.user("carol")["status"] = "offline"
		w.quiet("")
		w.until(`[...document.querySelectorAll(".members section")].at(-1).innerText.replace(/\s+/g, " ").startsWith("OFFLINE — 1 C Carol")`)
	})

	t.Run("a nick is the name on that server", func(t *testing.T) {
		w := laptop(t)
		w.sim.members[1].nick = "Bobby"
		w.sim.say("bob", "hello", nil)
		w.quiet("")
		w.until(`document.querySelector(".message .author").innerText === "Bobby" && document.querySelector('[data-user="bob"] .member-name').innerText === "Bobby"`)
	})

	t.Run("people write to each other directly", func(t *testing.T) {
		w := laptop(t)
		w.quiet("")
		w.click(`[data-user="bob"]`)
		w.press("Message")
		w.until(`document.querySelector(".place").innerText === "Bob" && document.querySelector('.channel.here[data-channel="@bob"]')`)
		w.compose("psst" + kb.Enter)
		w.calls("/sim/message", `"channel":"@bob"`)
	})

	t.Run("the bot is asked to complete an option", func(t *testing.T) {
		w := laptop(t)
		w.quiet("")
		w.compose("/show offers")
		w.typed(kb.Enter)
		w.until(`document.activeElement.dataset.option === "word"`)
		w.typed("bet")
		w.calls("/sim/autocomplete", `"application":"`+fakeApp+`"`, `"focused":"word"`, `"word":"bet"`)
		w.until(`[...document.querySelectorAll(".menu-row")].map((r) => r.innerText.trim()).join() === "Beta,Betamax"`)
		w.screenshot("offers")
		w.accessible()
		w.typed(kb.ArrowDown + kb.Enter)
		w.until(`document.querySelector('[data-option="word"]').value === "Betamax"`)
		w.typed(kb.Enter)
		w.calls("/sim/command", `"word":"v-betamax"`)
	})

	t.Run("a bot that cannot complete an option is told of", func(t *testing.T) {
		w := laptop(t)
		w.quiet("")
		w.compose("/show offers")
		w.typed(kb.Enter)
		w.until(`document.activeElement.dataset.option === "word"`)
		w.typed("fail")
		w.until(`document.querySelector(".menu [role=status]").innerText === "Loading options failed."`)
		w.typed(kb.Enter) // any other text is accepted too
		w.calls("/sim/command", `"word":"fail"`)
	})

	t.Run("a written @name is completed and becomes a mention", func(t *testing.T) {
		w := laptop(t)
		w.quiet("")
		w.compose("hi @bo")
		w.until(`document.querySelectorAll(".menu-row").length === 1`)
		w.screenshot("mention")
		w.typed(kb.Tab)
		w.until(`document.querySelector(".composer textarea").value === "hi @bob "`)
		w.typed("and #general" + kb.Escape + kb.Enter)
		w.calls("/sim/message", `hi \u003c@2\u003e and \u003c#200\u003e`)
	})

	t.Run("a form may have every kind of input", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.quiet("")
			w.compose("/show inputs" + kb.Enter)
			w.typed(kb.Enter)
			w.until(`document.querySelector("dialog.modal[open] [name=some]")`)
			w.fits()
			w.screenshot("inputs")
			w.accessible()
			w.press("Submit")
			w.until(`[...document.querySelectorAll("dialog .error")].map((e) => e.innerText).join("|") === "This field is required.|Choose 2 or more."`) // the errors of the options Who and Some
			w.change("[name=who]", "2")
			eval[bool](w, `(document.querySelector("[name=several]").options[0].selected = true, document.querySelector("[name=several]").dispatchEvent(new Event("change", { bubbles: true })))`)
			w.click("[name=one]")
			w.click("[name=some]")
			w.click("[name=sure]")
			w.press("Submit")
			w.calls("/sim/modal", `"file":[]`, `"one":"r"`, `"several":["r","g"]`, `"some":["g","r"]`, `"sure":true`, `"who":"2"`)
			w.until(`!document.querySelector("dialog.modal")`)
		})
	})

	t.Run("long names fit", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.sim.places[0].name = strings.Repeat("long-", 20)
			carol := w.sim.user("carol")
			carol["username"], carol["global_name"] = strings.Repeat("x", 32), strings.Repeat("W", 32)
			w.quiet("")
			w.fits()
			overlapping := eval[string](w, `(() => {
				const boxes = [...document.querySelectorAll(".chat .bar :is(svg, .avatar, .place span)")].filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect());
				return boxes.filter((b, i) => i && (b.left < boxes[i - 1].right - 0.5 || b.right > innerWidth)).map((b) => Math.round(b.left)).join();
			})()`)
			if overlapping != "" {
				t.Errorf("parts of the header lie over each other, at %s", overlapping)
			}
			w.click(`.you` + map[bool]string{true: ".compact", false: ""}[eval[bool](w, `innerWidth < 768`)])
			w.until(`document.querySelector("dialog.switch")`)
			w.fits()
			w.screenshot("people")
			if cut := eval[string](w, `[...document.querySelectorAll(".people li")].filter((li) => li.firstChild.getBoundingClientRect().right > (li.children[1]?.getBoundingClientRect().left ?? 9999) || li.scrollWidth > li.clientWidth).map((li) => li.innerText).join()`); cut != "" {
				t.Errorf("names lie over what stands beside them: %s", cut)
			}
		})
	})

	t.Run("the user of a user command is seen beside a long name", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			carol := w.sim.user("carol")
			carol["global_name"] = strings.Repeat("W", 32)
			w.sim.mu.Lock()
			w.sim.post(fakeGeneral, "", w.sim.bot(), object{
				"type": 20, "content": "a challenge", "interaction": object{"id": "1", "type": 2, "name": "Challenge to Tic-Tac-Toe", "user": w.sim.user("alice")},
				"interaction_metadata": object{"id": "1", "type": 2, "user": w.sim.user("alice"), "target_user": carol},
			})
			w.sim.mu.Unlock()
			w.quiet("")
			w.until(`document.querySelector(".used .author")`)
			w.fits()
			w.screenshot("used")
			if cut := eval[string](w, `((e) => e.clientWidth < e.scrollWidth ? e.clientWidth + " of " + e.scrollWidth : "")(document.querySelector(".used .author"))`); cut != "" {
				t.Errorf("Alice's name is cut: %s pixels are shown", cut)
			}
		})
	})

	t.Run("the theme is chosen and stays", func(t *testing.T) {
		w := laptop(t)
		w.quiet("")
		const background = `getComputedStyle(document.body).backgroundColor`
		if got := eval[string](w, background); got != "rgb(49, 51, 56)" {
			t.Fatalf("dark is %s", got)
		}
		w.click(".you-bar .you")
		w.change(".switch select", "light")
		w.until(background + ` === "rgb(255, 255, 255)"`)
		w.visit("")
		w.until(background + ` === "rgb(255, 255, 255)"`)
	})

	t.Run("the welcome ends with the first thing one does", func(t *testing.T) {
		w := laptop(t)
		w.visit("")
		w.until(`document.querySelectorAll(".tour li").length === 3`)
		w.compose("hello" + kb.Enter)
		w.until(`!document.querySelector(".tour")`)
	})

	t.Run("a board is played by the arrow keys", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			w.sim.command(object{"as": "alice", "name": "tictactoe ai"})
			w.quiet("")
			eval[bool](w, `(document.querySelector('[data-custom-id^="play:0"]').focus(), true)`)
			w.typed(kb.ArrowRight + kb.ArrowDown + kb.ArrowLeft + kb.ArrowUp + kb.ArrowUp + kb.ArrowDown + kb.ArrowRight)
			w.until(`document.activeElement.getAttribute("data-custom-id") === "play:4:........."`)
			w.typed(kb.Enter)
			w.calls("/sim/click", `"custom_id":"play:4:........."`)
			w.until(`document.activeElement.getAttribute("aria-label") === "x"`)
		})
	})

	t.Run("what a bot sends cannot break the page", func(t *testing.T) {
		both(t, func(t *testing.T, w *window) {
			bot := func(more object) { w.sim.mu.Lock(); w.sim.post(fakeGeneral, "", w.sim.bot(), more); w.sim.mu.Unlock() }
			bot(v2(object{"type": 99, "strange": true}, row(object{"type": 77}), object{"type": 17, "components": []object{{"type": 4711}}}, object{"type": 9}))
			bot(object{"components": "not a list"})
			bot(object{"content": strings.Repeat("W", 4000)})
			bot(object{"content": strings.Repeat("**_~~||`", 500)})
			bot(object{"content": strings.Repeat("> - ", 1000), "embeds": []object{{}, {"title": strings.Repeat("t", 256), "timestamp": "never", "color": -1, "fields": []object{{"name": "n", "value": "v", "inline": true}}}}})
			bot(v2(row(button(2, "wide", strings.Repeat("label ", 80), nil), object{"type": 3, "custom_id": "odd"})))
			w.sim.say("mallory", "after all that", nil)
			w.quiet("")
			w.sees("A component of type 99, which this page does not know")
			w.sees("This message cannot be shown")
			w.sees("after all that")
			w.fits()
			w.screenshot("odd")
		})
	})
}
