package discordsim_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/discordsim"
)

const appEmojis = "/applications/" + botID + "/emojis"

// square returns a small picture.
func square() *image.Paletted {
	return image.NewPaletted(image.Rect(0, 0, 8, 8), color.Palette{color.White, color.Black})
}

func encoded(encode func(io.Writer) error) []byte {
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		panic(err) // writing to memory cannot fail
	}
	return b.Bytes()
}

func pngBytes() []byte { return encoded(func(w io.Writer) error { return png.Encode(w, square()) }) }

func gifBytes(frames int) []byte {
	g := &gif.GIF{Image: slices.Repeat([]*image.Paletted{square()}, frames), Delay: make([]int, frames)}
	return encoded(func(w io.Writer) error { return gif.EncodeAll(w, g) })
}

func webpBytes(chunk string, flags byte) []byte {
	body := append([]byte("WEBP"+chunk), 10, 0, 0, 0, flags, 0, 0, 0, 7, 0, 0, 7, 0, 0)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

func dataURI(data []byte) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(data)
}

func emojiBody(name string, data []byte) string {
	return fmt.Sprintf(`{"name":%q,"image":%q}`, name, dataURI(data))
}

// emoji uploads an emoji and returns its id.
func (w *world) emoji(name string, data []byte) string {
	w.t.Helper()
	status, e := w.rest("POST", appEmojis, emojiBody(name, data))
	if status != http.StatusCreated {
		w.t.Fatalf("uploading %s: %d %v", name, status, e)
	}
	return e["id"].(string)
}

func TestAnApplicationHasEmojiOfItsOwn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	w := newWorld(t, discordsim.Config{State: file})
	status, e := w.rest("POST", appEmojis, emojiBody("b2_x", pngBytes()))
	id, _ := e["id"].(string)
	want := map[string]any{
		"id": id, "name": "b2_x", "roles": []any{}, "require_colons": true, "managed": false, "animated": false, "available": true,
		"user": e["user"],
	}
	if diff := cmp.Diff(want, e); status != http.StatusCreated || id == "" || diff != "" {
		t.Fatalf("uploading got %d\n%s", status, diff)
	}
	if e["user"].(map[string]any)["id"] != botID {
		t.Errorf("uploaded by %v", e["user"])
	}
	for _, kind := range []struct {
		name     string
		data     []byte
		animated bool
		served   string
	}{
		{"jpeg", encoded(func(w io.Writer) error { return jpeg.Encode(w, square(), nil) }), false, "image/jpeg"},
		{"still_gif", gifBytes(1), false, "image/gif"},
		{"moving_gif", gifBytes(2), true, "image/gif"},
		{"webp", webpBytes("VP8L", 0), false, "image/webp"},
		{"moving_webp", webpBytes("VP8X", 2), true, "image/webp"},
	} {
		made := w.emoji(kind.name, kind.data)
		if _, got := w.rest("GET", appEmojis+"/"+made, ""); got["animated"] != kind.animated || got["name"] != kind.name {
			t.Errorf("%s is %v", kind.name, got)
		}
		if status, text, header := w.cdn(made + ".webp"); status != 200 || text != string(kind.data) || header.Get("Content-Type") != kind.served {
			t.Errorf("the picture of %s comes as %d %s", kind.name, status, header.Get("Content-Type"))
		}
		if status, _, _ := w.cdn(made + ".gif"); (status == 200) != kind.animated {
			t.Errorf("%s as a gif gets %d", kind.name, status)
		}
		if status, _ := w.rest("DELETE", appEmojis+"/"+made, ""); status != http.StatusNoContent {
			t.Errorf("deleting %s: %d", kind.name, status)
		}
		if status, _, _ := w.cdn(made + ".webp"); status != http.StatusNotFound {
			t.Errorf("the picture of %s is still there: %d", kind.name, status)
		}
	}
	if status, e := w.rest("PATCH", appEmojis+"/"+id, `{"name":"b2_x_last"}`); status != 200 || e["name"] != "b2_x_last" || e["id"] != id {
		t.Errorf("renaming got %d %v", status, e)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	again := newWorld(t, discordsim.Config{State: file})
	_, list := again.rest("GET", appEmojis, "")
	items := list["items"].([]any)
	if len(items) != 1 || items[0].(map[string]any)["id"] != id || items[0].(map[string]any)["name"] != "b2_x_last" {
		t.Errorf("after a restart there are %v", items)
	}
	if status, text, _ := again.cdn(id + ".png"); status != 200 || text != string(pngBytes()) {
		t.Errorf("after a restart the picture is %d, %d bytes", status, len(text))
	}
}

func (w *world) cdn(name string) (int, string, http.Header) {
	w.t.Helper()
	res, err := http.Get(w.url + "/api/cdn/emojis/" + name)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.StatusCode, string(text), res.Header
}

func TestMessagesShowTheEmojiOfTheirApplicationOnly(t *testing.T) {
	w := newWorld(t, discordsim.Config{})
	own := w.emoji("b2_x", gifBytes(2))
	other := tokenOf("1100000000000000002")
	status, text, _ := w.raw("POST", "/applications/1100000000000000002/emojis", emojiBody("theirs", pngBytes()), "Bot "+other)
	var theirs struct{ ID string }
	if json.Unmarshal([]byte(text), &theirs); status != http.StatusCreated {
		t.Fatalf("uploading got %d %s", status, text)
	}
	say := fmt.Sprintf("<a:old:%s> <:theirs:%s> <:none:123>", own, theirs.ID)
	want := fmt.Sprintf("<a:old:%s> :theirs: :none:", own)

	status, m := w.rest("POST", "/channels/"+w.channelOfBot()+"/messages", fmt.Sprintf(`{"content":%q,"embeds":[{"title":"t","description":%q}],"components":[
		{"type":1,"components":[{"type":2,"style":1,"custom_id":"a","emoji":{"id":%q,"name":"old"}}]},
		{"type":1,"components":[{"type":3,"custom_id":"s","options":[{"label":"A","value":"a","emoji":{"id":%q,"name":"old"}}]}]}]}`, say, say, own, own))
	if status != 200 {
		t.Fatalf("%d %v", status, m)
	}
	embed := m["embeds"].([]any)[0].(map[string]any)
	if m["content"] != want || embed["description"] != want {
		t.Errorf("the texts are %q and %q, want %q", m["content"], embed["description"], want)
	}
	rows := m["components"].([]any)
	inRow := func(i int) map[string]any {
		return rows[i].(map[string]any)["components"].([]any)[0].(map[string]any)
	}
	known := map[string]any{"id": own, "name": "b2_x", "animated": true}
	if diff := cmp.Diff(known, inRow(0)["emoji"]); diff != "" {
		t.Errorf("the button's emoji differs:\n%s", diff)
	}
	if diff := cmp.Diff(known, inRow(1)["options"].([]any)[0].(map[string]any)["emoji"]); diff != "" {
		t.Errorf("the option's emoji differs:\n%s", diff)
	}
	path := fmt.Sprintf("/channels/%s/messages/%s", m["channel_id"], m["id"])
	if _, m = w.rest("PATCH", path, `{"content":"<:theirs:`+theirs.ID+`>"}`); m["content"] != ":theirs:" {
		t.Errorf("the edited text is %q", m["content"])
	}
	status, m = w.rest("POST", "/channels/"+w.channelOfBot()+"/messages", fmt.Sprintf(`{"flags":32768,"components":[{"type":17,"components":[{"type":10,"content":%q}]}]}`, say))
	if got := m["components"].([]any)[0].(map[string]any)["components"].([]any)[0].(map[string]any)["content"]; status != 200 || got != want {
		t.Errorf("the text display is %d %q", status, got)
	}
	if said, err := w.User("alice").Write("general", "<:b2_x:"+own+">"); err != nil || said.Content != ":b2_x:" {
		t.Errorf("a person wrote %+v, %v", said, err)
	}
}

func TestTheRoutesOfEmojiCloseAfterSoManyUploads(t *testing.T) {
	inBubble(t, discordsim.Config{}, func(b *bubble) {
		s := &stage{bubble: b}
		s.must(s.Bot(botID).SetFaults(discordsim.Faults{EmojiUploads: 2}))
		var id struct{ ID string }
		json.Unmarshal([]byte(s.upload("one").text), &id)
		s.upload("one") // refused, so it does not count
		time.Sleep(10 * time.Minute)
		if r := s.upload("two"); r.status != http.StatusCreated {
			t.Fatalf("the second got %d %s", r.status, r.text)
		}
		status, text, header := s.headed("POST", appEmojis, emojiBody("three", pngBytes()))
		var told struct {
			RetryAfter float64 `json:"retry_after"`
		}
		json.Unmarshal([]byte(text), &told)
		const left = 50 * 60
		if status != 429 || told.RetryAfter != left || header.Get("Retry-After") != fmt.Sprint(left) || header.Get("X-RateLimit-Scope") != "user" ||
			header.Get("X-RateLimit-Remaining") != "0" || header.Get("X-RateLimit-Reset-After") != "3000.000" || header.Get("Via") == "" {
			t.Errorf("the third got %d %s %v", status, text, header)
		}
		for _, r := range []reply{s.do("PATCH", appEmojis+"/"+id.ID, `{"name":"uno"}`), s.do("DELETE", appEmojis+"/"+id.ID, "")} {
			if r.status != 429 {
				t.Errorf("a change got %d %s", r.status, r.text)
			}
		}
		if r := s.do("GET", appEmojis, ""); r.status != 200 {
			t.Errorf("listing got %d %s", r.status, r.text)
		}
		time.Sleep(50*time.Minute + time.Second)
		if r := s.upload("three"); r.status != http.StatusCreated {
			t.Errorf("an hour later the third got %d %s", r.status, r.text)
		}
	})
}

// headed makes a request and also returns the header of the response.
func (s *stage) headed(method, path, body string) (status int, text string, header http.Header) {
	s.t.Helper()
	req, err := http.NewRequest(method, "http://sim.test/api/v10"+path, strings.NewReader(body))
	s.must(err)
	req.Header.Set("Authorization", "Bot "+token)
	req.Header.Set("Content-Type", "application/json")
	res, err := s.http.Do(req)
	s.must(err)
	defer res.Body.Close()
	read, err := io.ReadAll(res.Body)
	s.must(err)
	return res.StatusCode, string(read), res.Header
}

// upload uploads a picture under a name.
func (s *stage) upload(name string) reply {
	s.t.Helper()
	return s.do("POST", appEmojis, emojiBody(name, pngBytes()))
}

func (s *stage) uploaded(name string) (path string) {
	s.t.Helper()
	r := s.upload(name)
	var e struct{ ID string }
	if json.Unmarshal([]byte(r.text), &e); r.status != http.StatusCreated {
		s.t.Fatalf("uploading %s got %d %s", name, r.status, r.text)
	}
	return appEmojis + "/" + e.ID
}

// crowd uploads n emoji as fast as the rate limit of the route allows, and returns the last response.
func (s *stage) crowd(n int) (last reply) {
	for i := range n {
		if last = s.upload(fmt.Sprintf("e%d", i)); last.status >= 300 {
			if i < n-1 {
				return reply{} // an earlier upload was refused, so there is no last response
			}
			return last
		}
		time.Sleep(300 * time.Millisecond)
	}
	return last
}

func TestEmojiRefusals(t *testing.T) {
	t.Parallel()
	of := func(name, image string) func(*stage) reply {
		return func(s *stage) reply {
			return s.do("POST", appEmojis, fmt.Sprintf(`{"name":%q,"image":%q}`, name, image))
		}
	}
	good := of("b2_x", dataURI(pngBytes()))
	padded := func(n int) []byte { return append(pngBytes(), make([]byte, n-len(pngBytes()))...) }
	tell(t, []twins{
		{"an emoji of one letter", 400, 50035, "name", "BASE_TYPE_BAD_LENGTH", of("x", dataURI(pngBytes())), of("xx", dataURI(pngBytes()))},
		{"an emoji of 33 letters", 400, 50035, "name", "BASE_TYPE_BAD_LENGTH",
			of(strings.Repeat("x", 33), dataURI(pngBytes())), of(strings.Repeat("x", 32), dataURI(pngBytes()))},
		{"an emoji with a hyphen", 400, 50035, "name", "STRING_TYPE_REGEX", of("b2-x", dataURI(pngBytes())), good},
		{"an emoji without a name", 400, 50035, "name", "BASE_TYPE_REQUIRED",
			func(s *stage) reply { return s.do("POST", appEmojis, fmt.Sprintf(`{"image":%q}`, dataURI(pngBytes()))) }, good},
		{"an emoji without a picture", 400, 50035, "image", "BASE_TYPE_REQUIRED",
			func(s *stage) reply { return s.do("POST", appEmojis, `{"name":"b2_x"}`) }, good},
		{"a picture that is no data URI", 400, 50035, "image", "BINARY_TYPE_INVALID_DATA_URI",
			of("b2_x", base64.StdEncoding.EncodeToString(pngBytes())), good},
		{"a picture of more than 256 KiB", 400, 50035, "image", "BINARY_TYPE_MAX_SIZE",
			of("b2_x", dataURI(padded(256<<10+1))), of("b2_x", dataURI(padded(256<<10)))},
		{"a picture that is a text", 400, 50046, "", "", of("b2_x", dataURI([]byte("not a picture"))), good},
		{"a picture that breaks off", 400, 50046, "", "", of("b2_x", dataURI(pngBytes()[:40])), good},
		{"a WebP that breaks off", 400, 50046, "", "",
			of("b2_x", dataURI(webpBytes("VP8L", 0)[:24])), of("b2_x", dataURI(webpBytes("VP8L", 0)))},
		{"two emoji of one name", 400, 50035, "name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN",
			func(s *stage) reply { s.upload("b2_x"); return s.upload("b2_x") },
			func(s *stage) reply { s.upload("b2_x"); return s.upload("B2_x") }},
		{"a new name that another emoji has", 400, 50035, "name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN",
			func(s *stage) reply { s.upload("one"); return s.do("PATCH", s.uploaded("two"), `{"name":"one"}`) },
			func(s *stage) reply { s.upload("one"); return s.do("PATCH", s.uploaded("two"), `{"name":"two"}`) }},
		{"more than 2,000 emoji", 400, 30008, "", "",
			func(s *stage) reply { return s.crowd(2001) }, func(s *stage) reply { return s.crowd(1) }},
		{"an emoji that is not there", 404, 10014, "", "",
			func(s *stage) reply { return s.do("GET", appEmojis+"/123", "") },
			func(s *stage) reply { return s.do("GET", s.uploaded("one"), "") }},
		{"an emoji deleted twice", 404, 10014, "", "",
			func(s *stage) reply { e := s.uploaded("one"); s.do("DELETE", e, ""); return s.do("DELETE", e, "") },
			func(s *stage) reply { return s.do("DELETE", s.uploaded("one"), "") }},
		{"the emoji of another application", 403, 20012, "", "",
			func(s *stage) reply { return s.do("GET", "/applications/1100000000000000002/emojis", "") },
			func(s *stage) reply { return s.do("GET", appEmojis, "") }},
	})
}
