package page_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"tictactoe/discordsim"
	"tictactoe/internal/longtest"
)

// discord is the real simulator, with a bot that uses its REST API.
type discord struct {
	*discordsim.Sim
	t *testing.T
}

const simBot = "1100000000000000001"

func newDiscord(t *testing.T) *discord {
	t.Helper()
	sim, err := discordsim.New(discordsim.Config{BotName: "tictactoe"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sim.Close() })
	return &discord{sim, t}
}

// sent is the part of a response that the tests read.
type sent struct {
	ID        string `json:"id"`
	ChannelID string `json:"channel_id"`
	Token     string `json:"token"`
}

// rest makes a call as the bot, and returns the parts of the answer that the tests need.
func (d *discord) rest(method, path, body string) sent {
	d.t.Helper()
	return d.send(method, path, "application/json", body)
}

// send is like rest, for a body of the given content type.
func (d *discord) send(method, path, kind, body string) (answer sent) {
	d.t.Helper()
	req := httptest.NewRequest(method, "http://localhost/api/v10"+path, strings.NewReader(body)).WithContext(context.Background())
	req.Header.Set("Authorization", "Bot "+base64.RawStdEncoding.EncodeToString([]byte(simBot))+".fixed.secret")
	req.Header.Set("Content-Type", kind)
	w := httptest.NewRecorder()
	d.Handler().ServeHTTP(w, req)
	if w.Code >= 300 {
		d.t.Fatalf("%s %s got %d %s", method, path, w.Code, w.Body)
	}
	json.Unmarshal(w.Body.Bytes(), &answer)
	return answer
}

// general returns the id of the channel that everybody sees.
func (d *discord) general() string {
	d.t.Helper()
	m, err := d.User("carol").Write("general", "hi")
	if err != nil {
		d.t.Fatal(err)
	}
	return m.ChannelID
}

// say sends a message of the bot to #general, and returns the ids of the channel and the message.
func (d *discord) say(body string) (channel, message string) {
	d.t.Helper()
	m := d.rest("POST", "/channels/"+d.general()+"/messages", body)
	return m.ChannelID, m.ID
}

// If a bot other than ours is connected, the page mentions only the commands of that bot.
func TestTheWelcomeOfAnotherBot(t *testing.T) {
	longtest.Only(t)
	sim, err := discordsim.New(discordsim.Config{BotName: "pong"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sim.Close() })
	d := &discord{sim, t}
	w := tab(t, browser(t), d.Handler(), desktopWidth, desktopHeight)
	w.visit("?as=alice")
	const ours = `/tic.?tac.?toe/i.test(document.body.innerText + document.title + Object.keys(localStorage))`
	w.until(`document.querySelector(".banner")?.innerText.includes("No bot is connected yet") && document.querySelector(".tour")`)
	if eval[bool](w, ours+` || document.querySelector(".tour :disabled") !== null`) {
		t.Errorf("without a bot it says %s", eval[string](w, `document.body.innerText`))
	}
	d.rest(http.MethodPut, "/applications/"+simBot+"/commands", `[{"name":"ping","description":"Say pong"}]`)
	w.press("Try /ping")
	w.until(`!document.querySelector(".tour") && document.querySelector(".command-chip").innerText === "/ping"`)
	if eval[bool](w, ours) {
		t.Errorf("with a bot it says %s", eval[string](w, `document.body.innerText + Object.keys(localStorage)`))
	}
}

func TestLookingAroundTellsWhatIsWhere(t *testing.T) {
	onBoth(t, func(t *testing.T, w *window, d *discord) {
		d.rest(http.MethodPut, "/applications/"+simBot+"/commands", `[{"name":"tictactoe","description":"Play","options":[{"type":1,"name":"ai","description":"Play the computer"}]}]`)
		w.visit("?as=alice")
		w.until(`document.querySelector(".tour h2").innerText.startsWith("Tic-Tac-Toe")`)
		w.press("Look around")
		w.until(`["servers", "card", "wrench"].every((word) => document.querySelector(".tour").innerText.includes(word))`)
		w.screenshot("around")
		w.fits()
		w.press("Done")
		w.until(`!document.querySelector(".tour") && localStorage.getItem("discordsim.tour") === "seen"`)
	})
}

// person adds a person with that name.
func (d *discord) person(username, name string) {
	d.t.Helper()
	w := httptest.NewRecorder()
	body := fmt.Sprintf(`{"username":%q,"global_name":%q}`, username, name)
	r := httptest.NewRequest(http.MethodPost, "http://localhost/sim/users", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if d.Handler().ServeHTTP(w, r); w.Code >= 300 {
		d.t.Fatalf("%s got %d %s", body, w.Code, w.Body)
	}
}

// A name can contain characters that change the direction of the text after it.
func TestNamesKeepTheirDirectionToThemselves(t *testing.T) {
	onLaptop(t, func(t *testing.T, w *window, d *discord) {
		d.rest(http.MethodGet, "/users/@me", "")
		d.person("eve", "Eve\u202elive\u2069")
		d.person("noa", "נועה 1")
		w.visit("?as=eve")
		w.until(`document.querySelector(".you strong, .you .sr") && document.querySelector(".tour")`)
		names := eval[string](w, `document.querySelector(".members").textContent + document.querySelector(".you").textContent + document.querySelector(".tour").textContent`)
		if strings.ContainsAny(names, "\u202e\u2066\u2067") || !strings.Contains(names, "Evelive") || !strings.Contains(names, "\u2068נועה 1\u2069") {
			t.Errorf("the names: %q", names)
		}
	})
}

// disc returns the picture of a disc of a colour, as a data URI.
func (d *discord) disc(c color.Color) string {
	d.t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 128, 128))
	draw.Draw(picture, image.Rect(16, 16, 112, 112), image.NewUniform(c), image.Point{}, draw.Src)
	var data bytes.Buffer
	if err := png.Encode(&data, picture); err != nil {
		d.t.Fatal(err)
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(data.Bytes())
}

// emoji uploads a disc of a colour.
func (d *discord) emoji(name string, c color.Color) string {
	d.t.Helper()
	return d.rest("POST", "/applications/"+simBot+"/emojis", fmt.Sprintf(`{"name":%q,"image":%q}`, name, d.disc(c))).ID
}

// more opens the menu of a message. It does not click at coordinates, since the list may move meanwhile.
func (w *window) more(message string) {
	w.t.Helper()
	eval[bool](w, `(document.querySelector("#m`+message+` [aria-label=More]").click(), true)`)
}

// onBoth runs a test of the page of a real simulator in the window sizes of a laptop and a phone.
func onBoth(t *testing.T, test func(t *testing.T, w *window, d *discord)) {
	longtest.Only(t)
	ctx := browser(t)
	for _, size := range []struct {
		name          string
		width, height int64
	}{{"laptop", desktopWidth, desktopHeight}, {"phone", phoneWidth, phoneHeight}} {
		t.Run(size.name, func(t *testing.T) {
			d := newDiscord(t)
			d.rest(http.MethodGet, "/users/@me", "")
			test(t, tab(t, ctx, d.Handler(), size.width, size.height), d)
		})
	}
}

// onLaptop is onBoth for what does not depend on the size.
func onLaptop(t *testing.T, test func(t *testing.T, w *window, d *discord)) {
	longtest.Only(t)
	d := newDiscord(t)
	d.rest(http.MethodGet, "/users/@me", "")
	test(t, tab(t, browser(t), d.Handler(), desktopWidth, desktopHeight), d)
}

// upload sends a message of the bot to #general with a picture of a disc, disc.png, and returns its id.
func (d *discord) upload(body string) (message string) {
	d.t.Helper()
	_, data, _ := strings.Cut(d.disc(color.RGBA{0x58, 0x65, 0xf2, 0xff}), ",")
	picture, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		d.t.Fatal(err)
	}
	var text strings.Builder
	form := multipart.NewWriter(&text)
	form.WriteField("payload_json", body) // cannot fail, since it writes to memory
	part, err := form.CreateFormFile("files[0]", "disc.png")
	if err != nil {
		d.t.Fatal(err)
	}
	part.Write(picture)
	form.Close()
	return d.send("POST", "/channels/"+d.general()+"/messages", form.FormDataContentType(), text.String()).ID
}

// TestPicturesAreShownWithTheirDescriptions tests the pictures of a bot that reached the simulator at another
// address than the page.
func TestPicturesAreShownWithTheirDescriptions(t *testing.T) {
	onBoth(t, func(t *testing.T, w *window, d *discord) {
		gallery := func(description string) string {
			return d.upload(`{"flags":32768,"components":[{"type":17,"components":[{"type":10,"content":"Bob's profile"},
				{"type":12,"items":[{"media":{"url":"attachment://disc.png"}` + description + `}]}]}]}`)
		}
		for name, message := range map[string]string{
			"Bob's rating rose to 1,612":    gallery(`,"description":"Bob's rating rose to 1,612"`),
			"A disc":                        d.upload(`{"content":"x","attachments":[{"id":0,"description":"A disc"}]}`),
			"Picture without a description": gallery(""),
		} {
			w.visit("")
			at := `document.querySelector("#m` + message + ` img.picture")`
			w.until(at + `?.complete && ` + at + `.naturalWidth === 128`)
			if alt := eval[string](w, at+".alt"); alt != name {
				t.Errorf("the picture is called %q, want %q", alt, name)
			}
		}
		_, elsewhere := d.say(`{"flags":32768,"components":[{"type":12,"items":[{"media":{"url":"https://example.com/a.png"},"description":"A tree"}]}]}`)
		w.until(`document.querySelector("#m` + elsewhere + ` .absent[role=img]")?.ariaLabel === "A tree"`)
		w.fits()
		w.screenshot("pictures")
	})
}

func TestTheEmojiOfAnApplicationAreShownAsPicturesWithTheirNames(t *testing.T) {
	onBoth(t, func(t *testing.T, w *window, d *discord) {
		x, o := d.emoji("b2_x", color.RGBA{0xdd, 0x2e, 0x44, 0xff}), d.emoji("c3_o_wins", color.RGBA{0xff, 0xcc, 0x4d, 0xff})
		_, id := d.say(fmt.Sprintf(`{"flags":32768,"components":[{"type":10,"content":"Bob played <:b2_x:%s>"},
			{"type":1,"components":[{"type":2,"style":2,"custom_id":"a","emoji":{"id":%q,"name":"b2_x"}},{"type":2,"style":3,"custom_id":"b","emoji":{"id":%q,"name":"c3_o_wins"}}]},
			{"type":1,"components":[{"type":2,"style":1,"custom_id":"c","label":"Mark","emoji":{"id":%q,"name":"b2_x"}}]},
			{"type":1,"components":[{"type":3,"custom_id":"s","options":[{"label":"Cross","value":"x","default":true,"emoji":{"id":%q,"name":"b2_x"}}]}]}]}`, x, x, o, x, x))
		w.visit("")
		at := "#m" + id
		w.until(`[...document.querySelectorAll("` + at + ` img.emoji")].length === 5 && [...document.querySelectorAll("` + at + ` img.emoji")].every((i) => i.complete && i.naturalWidth === 128)`)
		if alt := eval[string](w, `document.querySelector("`+at+` .markdown img").alt`); alt != "b2_x" {
			t.Errorf("the picture in the text is called %q", alt)
		}
		if alt := eval[string](w, `document.querySelector("`+at+` .select-button img").alt`); alt != "b2_x" {
			t.Errorf("the picture in the select is called %q", alt)
		}
		if label := eval[string](w, `document.querySelector("`+at+` [data-custom-id=b]").ariaLabel`); !strings.HasPrefix(label, "c3_o_wins") {
			t.Errorf("the button with a picture alone is called %q", label)
		}
		if alt := eval[string](w, `document.querySelector("`+at+` [data-custom-id=c] img").alt`); alt != "b2_x" {
			t.Errorf("the picture beside a label is called %q", alt)
		}
		w.fits()
		w.screenshot("dark")
		w.dark(false)
		w.screenshot("light")
	})
}

func TestReactionsAreShownAndPressed(t *testing.T) {
	onBoth(t, func(t *testing.T, w *window, d *discord) {
		channel, id := d.say(`{"content":"well played"}`)
		own := d.emoji("b2_x", color.RGBA{0xdd, 0x2e, 0x44, 0xff})
		d.rest("PUT", "/channels/"+channel+"/messages/"+id+"/reactions/b2_x:"+own+"/@me", "")
		if err := d.User("bob").React(id, "👍", false); err != nil {
			t.Fatal(err)
		}
		w.visit("")
		at := `document.querySelector("#m` + id + ` .reactions")`
		w.until(at + `?.children.length === 2 && ` + at + `.querySelector("img").naturalWidth === 128`)
		if label := eval[string](w, at+`.children[0].ariaLabel`); label != "b2_x, 1 reaction" {
			t.Errorf("the bot's reaction is called %q", label)
		}
		w.click(".tour-close")
		w.click(`#m` + id + ` .reaction:nth-child(2)`)
		w.until(at + `.children[1].ariaPressed === "true" && ` + at + `.children[1].ariaLabel === "thumbsup, 2 reactions"`)
		w.fits()
		w.screenshot("dark")
		w.dark(false)
		w.screenshot("light")
		w.click(`#m` + id + ` .reaction:nth-child(2)`)
		w.until(at + `.children[1].ariaPressed === "false"`)
		w.more(id)
		w.press("Add reaction")
		w.until(`document.querySelector("[role=menu]")?.ariaLabel === "Reaction"`)
		w.screenshot("choice")
		w.click(`[role=menu] [data-first]`)
		w.until(at + `.children[1].ariaPressed === "true"`)
	})
}

func TestPinnedMessagesAreListed(t *testing.T) {
	onBoth(t, func(t *testing.T, w *window, d *discord) {
		_, id := d.say(`{"content":"the rules"}`)
		w.visit("")
		w.click(".tour-close")
		w.until(`!document.querySelector('[aria-label="Pinned messages"]')`)
		w.more(id)
		w.press("Pin message")
		w.sees("Alice pinned a message to this channel.")
		w.click(`[aria-label="Pinned messages"]`)
		w.until(`document.querySelector("[role=menuitem]").innerText.includes("the rules")`)
		w.fits()
		w.screenshot("list")
		w.click(`[role=menuitem]`)
		w.until(`document.querySelector("#m` + id + `").classList.contains("lit")`)
		w.more(id)
		w.press("Unpin message")
		w.until(`!document.querySelector('[aria-label="Pinned messages"]')`)
	})
}

func TestThreadsAreOpenedFromTheirMessage(t *testing.T) {
	onBoth(t, func(t *testing.T, w *window, d *discord) {
		channel, id := d.say(`{"content":"the board"}`)
		w.visit("")
		w.click(".tour-close")
		d.rest("POST", "/channels/"+channel+"/messages/"+id+"/threads", `{"name":"Talk of it"}`)
		w.until(`[...document.querySelectorAll("#m` + id + ` button")].some((b) => b.innerText === "Talk of it")`)
		w.fits()
		w.screenshot("message")
		w.press("Talk of it")
		w.sees("started this thread with a message.")
		w.until(`document.querySelector(".place").innerText === "Talk of it"`)
		w.fits()
		w.screenshot("thread")
	})
}

func TestAPrivateThreadIsShownToItsMembers(t *testing.T) {
	onBoth(t, func(t *testing.T, w *window, d *discord) {
		made := d.drive("POST", "channels", `{"name":"plan","type":12,"parent":"general","people":["bob"]}`)
		const listed = `document.querySelector('.under [data-channel="plan"]')`
		w.visit("?as=carol")
		w.click(".tour-close")
		if eval[bool](w, `Boolean(`+listed+`)`) {
			t.Error("carol, who is no member, sees the thread")
		}
		if _, err := d.User("bob").Write("plan", "Join us, <@"+d.User("carol").ID()+">"); err != nil {
			t.Fatal(err)
		}
		w.until(listed)
		eval[bool](w, `(`+listed+`.click(), true)`)
		w.sees("Join us")
		w.fits()
		w.screenshot("thread")
		d.drive("PATCH", "channels/"+made.ID, `{"people":["bob"]}`)
		w.until(`!` + listed + ` && document.querySelector(".place").innerText === "general"`)
	})
}

func TestWhatAWebhookWritesHasItsNameAndPicture(t *testing.T) {
	onBoth(t, func(t *testing.T, w *window, d *discord) {
		if err := d.SetMember("", "tictactoe", discordsim.Membership{Permissions: discordsim.ManageWebhooks}); err != nil {
			t.Fatal(err)
		}
		hook := d.rest("POST", "/channels/"+d.general()+"/webhooks", fmt.Sprintf(`{"name":"Town crier","avatar":%q}`, d.disc(color.RGBA{0xdd, 0x2e, 0x44, 0xff})))
		post := func(body string) string {
			return d.rest("POST", "/webhooks/"+hook.ID+"/"+hook.Token+"?wait=true", body).ID
		}
		own := post(`{"content":"hear ye"}`)
		other := post(`{"content":"polly","username":"Alice's parrot","avatar_url":"https://example.com/parrot.png"}`)
		w.visit("")
		head := func(id, what string) string { return `document.querySelector("#m` + id + ` ` + what + `")` }
		w.until(head(own, ".avatar img") + `?.naturalWidth === 128 && ` + head(other, ".avatar img") + `?.naturalWidth === 128`)
		for id, name := range map[string]string{own: "Town crier", other: "Alice's parrot"} {
			if got := eval[string](w, head(id, ".head")+`.innerText`); !strings.Contains(got, name) || !strings.Contains(got, "APP") {
				t.Errorf("the head of %s's message is %q", name, got)
			}
		}
		w.fits()
		w.screenshot("dark")
		w.dark(false)
		w.screenshot("light")
	})
}

func TestARoleIsMentionedByItsName(t *testing.T) {
	onLaptop(t, func(t *testing.T, w *window, d *discord) {
		if err := d.SetMember("", "tictactoe", discordsim.Membership{Permissions: discordsim.ManageRoles}); err != nil {
			t.Fatal(err)
		}
		role := d.rest("POST", "/guilds/"+d.guild()+"/roles", `{"name":"Referees","mentionable":true}`).ID
		_, id := d.say(`{"content":"Ask the <@&` + role + `>"}`)
		w.visit("")
		w.until(`document.querySelector("#m` + id + ` .mention")?.innerText === "@Referees"`)
		w.screenshot("dark")
		d.rest("DELETE", "/guilds/"+d.guild()+"/roles/"+role, "")
		w.until(`document.querySelector("#m` + id + ` .mention")?.innerText === "@unknown-role"`)
	})
}

// guild returns the id of the first server.
func (d *discord) guild() string {
	d.t.Helper()
	w := httptest.NewRecorder()
	d.Handler().ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/sim/state", nil))
	var state struct{ Guilds []struct{ ID string } }
	if err := json.Unmarshal(w.Body.Bytes(), &state); err != nil {
		d.t.Fatal(err)
	}
	return state.Guilds[0].ID
}

func TestAPollIsAskedVotedOnAndEnds(t *testing.T) {
	onBoth(t, func(t *testing.T, w *window, d *discord) {
		w.visit("?as=alice")
		w.click(".tour-close")
		w.click(`[aria-label="Add a file or a poll"]`)
		w.press("Create a poll")
		w.until(`document.querySelector("dialog.modal [aria-label=Question]") === document.activeElement`)
		w.typed("Who brings the board?")
		w.click(`dialog [aria-label="Answer 1"]`)
		w.typed("Bob, as always")
		w.press("Add another answer")
		w.click(`dialog [aria-label="Answer 2"]`)
		w.typed("Carol")
		w.screenshot("asking")
		w.fits()
		w.press("Post")
		w.sees("Who brings the board?")
		w.until(`!document.querySelector("dialog") && document.querySelectorAll(".poll label.answer input[type=radio]").length === 2`)
		w.screenshot("open")
		w.click(".poll li:nth-child(2) label")
		w.press("Vote")
		w.until(`/Carol\s*your vote\s*1 vote\s*100%/.test(document.querySelector(".poll").textContent)`)
		id := eval[string](w, `document.querySelector(".message:has(.poll)").dataset.message`)
		for _, who := range []string{"bob", "carol"} {
			if err := d.User(who).Vote(id, 1); err != nil {
				t.Fatal(err)
			}
		}
		w.until(`/always\s*2 votes\s*67%.*1 vote\s*33%.*3 votes · ends in 1 day/s.test(document.querySelector(".poll").textContent)`)
		w.screenshot("voted")
		w.press("Remove vote")
		w.press("Show results")
		w.until(`/always\s*2 votes\s*100%/.test(document.querySelector(".poll").textContent)`)
		w.press("Back to the answers")
		w.until(`document.querySelector(".poll label.answer")`)
		if err := d.Advance(t.Context(), 25*time.Hour); err != nil {
			t.Fatal(err)
		}
		w.until(`document.querySelector(".poll .won") && !document.querySelector(".poll").querySelector("button, input") && /ended 1 hour ago/.test(document.querySelector(".poll").innerText)`)
		w.until(`/Bob, as always · 2 votes, 100%\s*View poll/.test([...document.querySelectorAll(".poll")].at(-1).innerText)`)
		w.fits()
		w.screenshot("ended")
		w.dark(false)
		w.screenshot("light")
	})
}

func TestMessagesAreAnsweredChangedAndDeleted(t *testing.T) {
	onBoth(t, func(t *testing.T, w *window, d *discord) {
		write := func(as, content string) string {
			t.Helper()
			m, err := d.User(as).Write("general", content)
			if err != nil {
				t.Fatal(err)
			}
			return m.ID
		}
		choose := func(message, label string) {
			t.Helper()
			w.more(message)
			w.until(`document.querySelector("dialog [role=menuitem]")`)
			w.press(label)
		}
		menu := func(message string) string {
			t.Helper()
			w.more(message)
			w.until(`document.querySelector("dialog [role=menuitem]")`)
			labels := eval[string](w, `[...document.querySelectorAll("[role=menuitem]")].map((b) => b.innerText).join()`)
			w.typed(kb.Escape)
			w.until(`!document.querySelector("dialog")`)
			return labels
		}
		question, own := write("alice", "Who begins?"), write("bob", "Me, says <@"+d.User("carol").ID()+">")
		w.visit("?as=bob")
		w.click(".tour-close")
		if labels := menu(question); !strings.Contains(labels, "Reply") || strings.Contains(labels, "Edit") || strings.Contains(labels, "Delete") {
			t.Errorf("the menu of somebody else's message has %s", labels)
		}

		choose(question, "Reply")
		w.until(`document.querySelector(".replying")?.innerText.includes("Replying to Alice") && document.activeElement.id === "compose"`)
		w.typed("Never mind")
		w.typed(kb.Escape)
		w.until(`!document.querySelector(".replying") && document.querySelector("#compose").value === "Never mind"`)
		choose(question, "Reply")
		w.until(`document.querySelector(".replying")`)
		w.fits()
		w.accessible()
		w.screenshot("replying")
		w.typed(kb.Enter)
		w.until(`[...document.querySelectorAll(".message")].some((m) => m.querySelector(".used")?.innerText.includes("Who begins?") && m.innerText.includes("Never mind")) && !document.querySelector(".replying")`)

		choose(own, "Edit message")
		w.until(`document.activeElement === document.querySelector("#m` + own + ` .edit textarea") && document.activeElement.value === "Me, says @carol"`)
		w.fits()
		w.accessible()
		w.screenshot("editing")
		w.typed(" again" + kb.Enter)
		w.until(`document.querySelector("#m` + own + ` .markdown")?.innerText === "Me, says @Carol again" && document.querySelector("#m` + own + ` .edited")`)
		w.until(`document.activeElement.id === "compose"`)
		w.typed(kb.ArrowUp) // the newest message of one's own
		w.until(`document.activeElement.matches(".edit textarea") && document.activeElement.value === "Never mind"`)
		w.typed("!" + kb.Escape)
		w.until(`!document.querySelector(".edit") && document.querySelector(".messages").innerText.includes("Never mind") && document.activeElement.id === "compose"`)

		d.drive("POST", "message", `{"as":"bob","channel":"general","poll":{"question":"Again?","answers":["Yes","No"]}}`)
		poll := `document.querySelector(".message:has(.poll)").dataset.message`
		w.until(poll)
		choose(eval[string](w, poll), "End poll now")
		w.until(`/ended/.test(document.querySelector(".poll").innerText) && document.querySelectorAll(".poll").length === 2`)
		if labels := menu(eval[string](w, poll)); strings.Contains(labels, "End poll") || strings.Contains(labels, "Edit") {
			t.Errorf("the menu of a poll that has ended has %s", labels)
		}
		choose(own, "Delete message")
		w.until(`!document.querySelector("#m` + own + `")`)
		eval[bool](w, `(document.querySelector(".message").scrollIntoView(), document.querySelector(".message [aria-label=More]").focus(), true)`)
		w.fits()
		w.screenshot("tools")
	})
}

func TestAGroupIsOpenedAndWrittenIn(t *testing.T) {
	onBoth(t, func(t *testing.T, w *window, d *discord) {
		w.visit("?as=alice")
		w.click(".tour-close")
		w.side()
		w.click(".server.home")
		w.click(`[aria-label="New group"]`)
		w.click("dialog label.setting:nth-of-type(1) input")
		w.click("dialog label.setting:nth-of-type(2) input")
		w.screenshot("people")
		w.press("Open")
		w.until(`document.querySelector(".place").innerText === "Bob, Carol"`)
		if _, err := d.User("carol").Write("Bob, Carol", "here!"); err != nil {
			t.Fatal(err)
		}
		w.sees("here!")
		w.until(`document.querySelector(".beginning p").innerText === "This is the beginning of the group Bob, Carol."`)
		w.fits()
		w.screenshot("group")
		w.visit("?as=bob")
		if _, err := d.User("carol").Write("Bob, Carol", "you too"); err != nil {
			t.Fatal(err)
		}
		w.until(`document.querySelector(".server.home .badge")?.textContent === "1"`)
		w.visit("?as=bob&channel=Bob, Carol")
		w.sees("you too")
		w.screenshot("bob")
		if n := eval[int](w, `document.querySelectorAll(".members li").length`); n != 3 {
			t.Errorf("the group has %d members, not 3", n)
		}
	})
}

// side opens the list of channels if the window hides it in a drawer.
func (w *window) side() {
	w.t.Helper()
	if eval[bool](w, `document.querySelector("[aria-label^=Channels].narrow").checkVisibility()`) {
		w.click("[aria-label^=Channels].narrow")
		w.until(`document.querySelector(".side").getBoundingClientRect().left === 0`)
	}
}

// drive makes a call under /sim/.
func (d *discord) drive(method, path, body string) (answer sent) {
	d.t.Helper()
	w := httptest.NewRecorder()
	d.Handler().ServeHTTP(w, httptest.NewRequest(method, "http://localhost/sim/"+path, strings.NewReader(body)))
	if w.Code >= 300 {
		d.t.Fatalf("%s %s got %d %s", method, path, w.Code, w.Body)
	}
	json.Unmarshal(w.Body.Bytes(), &answer)
	return answer
}

func TestAForumShowsItsPostsAndTakesOne(t *testing.T) {
	onBoth(t, func(t *testing.T, w *window, d *discord) {
		d.drive("POST", "channels", `{"name":"ideas","type":15,"tags":[{"name":"bug","emoji":"🐛"},{"name":"wish"},{"name":"done","moderated":true}],"require_tag":true}`)
		old := d.drive("POST", "message", `{"as":"bob","channel":"ideas","title":"The clock stands still","content":"Since noon **nothing** moves.","tags":["bug"]}`)
		d.drive("PATCH", "channels/"+old.ChannelID, `{"pinned":true,"locked":true}`)
		d.drive("POST", "message", `{"as":"carol","channel":"ideas","title":"Bigger boards","content":"Four by four, please","tags":["wish"]}`)
		w.do(chromedp.Navigate(w.url + "/?as=bob&channel=ideas"))
		w.until(`document.querySelectorAll(".post").length === 2 && document.querySelector(".post").innerText.includes("Since noon nothing moves.")`)
		w.click(".tour-close")
		w.screenshot("list")
		w.fits()
		w.press("wish")
		w.until(`document.querySelectorAll(".post").length === 1`)
		w.press("wish")
		w.press("New post")
		w.until(`document.activeElement.ariaLabel === "Title"`)
		w.typed("Undo a move")
		w.click(".forum textarea")
		w.typed("Just one")
		w.press("Post")
		w.until(`document.querySelector(".forum .error")?.innerText.includes("tag")`)
		w.screenshot("refused")
		w.click(".forum .adding .tag:nth-child(2)")
		if n := eval[int](w, `document.querySelectorAll(".forum .adding .tag").length`); n != 2 {
			t.Errorf("%d tags are offered, not 2", n)
		}
		w.press("Post")
		w.sees("Just one")
		w.until(`document.querySelector(".place").innerText === "Undo a move" && document.querySelector(".beginning .tag").innerText === "wish"`)
		w.screenshot("post")
		w.fits()
		w.visit("?as=bob&channel=The clock stands still")
		w.until(`document.querySelector(".composer textarea").placeholder.includes("locked")`)
	})
}

func TestTimeoutsAndBansAreSeen(t *testing.T) {
	onBoth(t, func(t *testing.T, w *window, d *discord) {
		w.visit("?as=bob")
		w.click(".tour-close")
		d.drive("PUT", "guilds/Playground/timeouts/bob", `{"for":"10m"}`)
		w.until(`document.querySelector(".composer textarea").placeholder === "You are timed out. You can write again in 10 minutes." && document.querySelector(".composer textarea").disabled`)
		w.until(`document.querySelector(".member[data-user=bob] .timed-out")`)
		w.screenshot("timed out")
		w.fits()
		d.drive("POST", "clock", `{"advance":"11m"}`)
		w.until(`!document.querySelector(".composer textarea").disabled && !document.querySelector(".timed-out")`)
		d.drive("PUT", "guilds/Playground/bans/carol", `{}`)
		w.until(`!document.querySelector(".member[data-user=carol]")`)
		w.side()
		w.click(".server-name")
		w.until(`/Banned\s*Carol\s*Lift the ban/i.test(document.querySelector("dialog.settings").innerText)`)
		w.screenshot("banned")
		w.fits()
		eval[bool](w, `([...document.querySelectorAll("dialog button")].find((b) => b.innerText.includes("Lift the ban")).click(), true)`)
		w.until(`/Not here\s*Carol\s*Let in/i.test(document.querySelector("dialog.settings").innerText)`)
	})
}

func TestRolesAreMadeMovedAndGiven(t *testing.T) {
	onBoth(t, func(t *testing.T, w *window, d *discord) {
		card := func(user string) {
			w.until(`!document.querySelector("dialog")`)
			if !eval[bool](w, `document.querySelector("[data-user=`+user+`]").checkVisibility({ visibilityProperty: true })`) {
				w.click(`.chat [aria-label="Members"]`)
			}
			w.click("[data-user=" + user + "]")
			w.click(".card-settings summary")
			w.until(`document.querySelector("[aria-label='Name of a new role']")`)
		}
		order := func(names string) {
			w.until(`[...document.querySelectorAll("[data-role]")].map((row) => row.dataset.role).join() === "` + names + `"`)
		}
		w.visit("?as=alice")
		w.click(".tour-close")
		card("tictactoe")
		w.click(".card-settings .switch-input")
		order("tictactoe")
		w.click(`[aria-label="Name of a new role"]`)
		w.typed("Gold" + kb.Enter)
		order("tictactoe,Gold")
		w.click(`[data-role=Gold] [aria-label="Move up"]`)
		order("Gold,tictactoe")
		w.until(`document.activeElement.closest("[data-role]").dataset.role === "Gold"`)
		w.click(`[data-role=tictactoe] [aria-label="Move up"]`)
		order("tictactoe,Gold")
		w.screenshot("the bot")
		w.fits()
		w.typed(kb.Escape)
		card("bob")
		w.click(`[aria-label="Has Gold"]`)
		w.until(`document.querySelector("[aria-label='Has Gold']").checked`)
		w.change(`[aria-label="Name of Gold"]`, "Medal")
		order("tictactoe,Medal")
		w.screenshot("a person")
		holds := func(n int) {
			w.until(fmt.Sprintf(`(fetch("/sim/state").then((r) => r.json()).then((s) => { window.held = s.guilds[0].members.find((m) => m.user === %q).roles.length; }), window.held === %d)`, d.User("bob").ID(), n))
		}
		holds(1)
		w.click(`[aria-label="Has Medal"]`)
		holds(0)
		w.click(`[data-role=Medal] [aria-label=Delete]`)
		w.press("Delete")
		order("tictactoe")
		w.screenshot("deleted")
		w.fits()
		w.accessible()
	})
}
