package discordsim_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"

	"tictactoe/discordsim"
	simworld "tictactoe/discordsim/world"
)

// gallery returns a message of Components V2 that shows a file, with further members.
func gallery(file, members string) string {
	return `{"flags":32768,"components":[{"type":12,"items":[{"media":{"url":"attachment://` + file + `"},"description":"d"}]}]` + members + `}`
}

// galleried sends a message of the bot that shows f0.txt in a gallery. It returns the message's path and the file's
// id.
func (s *stage) galleried() (path, file string) {
	s.t.Helper()
	r := s.form("POST", s.messages(), gallery("f0.txt", ""), []byte("a"))
	if r.status != http.StatusOK {
		s.t.Fatalf("writing got %d %s", r.status, r.text)
	}
	var m struct {
		ID         string
		Components []struct {
			Items []struct {
				Media struct {
					ID string `json:"attachment_id"`
				}
			}
		}
	}
	s.must(json.Unmarshal([]byte(r.text), &m))
	return s.messages() + "/" + m.ID, m.Components[0].Items[0].Media.ID
}

// fileRefusals are the refusals about files that the table refusals lacks.
var fileRefusals = []twins{
	// Source: developers/change-log, "Fix Message Edit Interaction Response Permissions" (2023-11-01), and for the
	// first answer the purpose of app_permissions; see "Where Discord is silent".
	{"a file in an answer where the bot may attach none", 403, 50013, "", "",
		func(s *stage) reply { s.deny("", discordsim.AttachFiles); return s.answerWithFile(sayPong) },
		func(s *stage) reply { return s.answerWithFile(sayPong) }},
	{"a file in an answer where the person may attach some, but not the bot", 403, 50013, "", "",
		func(s *stage) reply { s.deny(botID, discordsim.AttachFiles); return s.answerWithFile(sayPong) },
		func(s *stage) reply {
			s.deny(s.User("alice").ID(), discordsim.AttachFiles)
			return s.answerWithFile(sayPong)
		}},
	{"a file in an update where the bot may attach none", 403, 50013, "", "",
		func(s *stage) reply {
			_, m := s.board("general")
			s.deny("", discordsim.AttachFiles)
			i := s.clicked(m)
			return s.form("POST", "/interactions/"+i.ID+"/"+i.Token+"/callback", updated, []byte("a"))
		},
		func(s *stage) reply {
			_, m := s.board("general")
			s.deny("", discordsim.AttachFiles)
			return s.answer(s.clicked(m), updated)
		}},
	{"a file in a follow-up where the bot may attach none", 403, 50013, "", "",
		func(s *stage) reply {
			i, _ := s.board("general")
			s.deny("", discordsim.AttachFiles)
			return s.form("POST", s.token(i), `{}`, []byte("a"))
		},
		func(s *stage) reply { i, _ := s.board("general"); return s.form("POST", s.token(i), `{}`, []byte("a")) }},
	{"a file in an edit by token where the bot may attach none", 403, 50013, "", "",
		func(s *stage) reply {
			i, _ := s.board("general")
			s.deny("", discordsim.AttachFiles)
			return s.form("PATCH", s.token(i)+"/messages/@original", `{}`, []byte("a"))
		},
		func(s *stage) reply {
			i, _ := s.board("general")
			return s.form("PATCH", s.token(i)+"/messages/@original", `{}`, []byte("a"))
		}},
	{"a file in an edit where the bot may attach none", 403, 50013, "", "",
		func(s *stage) reply {
			at := s.sent(`{"content":"x"}`)
			s.deny("", discordsim.AttachFiles)
			return s.form("PATCH", at, `{}`, []byte("a"))
		},
		func(s *stage) reply {
			at := s.sent(`{"content":"x"}`)
			s.deny("", discordsim.AttachFiles)
			return s.do("PATCH", at, `{"content":"y"}`)
		}},
	{"a picture whose file the same edit takes out", 400, 50035, "components.0.items.0.media.url", "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
		func(s *stage) reply {
			at, _ := s.galleried()
			return s.do("PATCH", at, gallery("f0.txt", `,"attachments":[]`))
		},
		func(s *stage) reply {
			at, file := s.galleried()
			return s.do("PATCH", at, gallery("f0.txt", `,"attachments":[{"id":"`+file+`"}]`))
		}},
	{"a picture whose file an update takes out unasked", 400, 50035, "data.components.0.items.0.media.url", "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
		func(s *stage) reply { return s.updateGallery(func(string) string { return "" }) },
		func(s *stage) reply {
			return s.updateGallery(func(file string) string { return `,"attachments":[{"id":"` + file + `"}]` })
		}},
	{"a file of another message", 400, 50035, "attachments.1", "ATTACHMENT_NOT_FOUND",
		func(s *stage) reply {
			_, other := s.galleried()
			at, file := s.galleried()
			return s.do("PATCH", at, `{"attachments":[{"id":"`+file+`"},{"id":"`+other+`"}]}`)
		},
		func(s *stage) reply {
			at, file := s.galleried()
			return s.do("PATCH", at, `{"attachments":[{"id":"`+file+`"}]}`)
		}},
	{"a file that an edit has taken out before", 400, 50035, "attachments.0", "ATTACHMENT_NOT_FOUND",
		func(s *stage) reply {
			at, file := s.galleried()
			s.do("PATCH", at, `{"components":[`+texts+`],"attachments":[]}`)
			return s.do("PATCH", at, `{"attachments":[{"id":"`+file+`"}]}`)
		},
		func(s *stage) reply {
			at, file := s.galleried()
			s.do("PATCH", at, `{"components":[`+texts+`]}`)
			return s.do("PATCH", at, `{"attachments":[{"id":"`+file+`"}]}`)
		}},
	{"more than ten files with those that stay", 400, 50035, "attachments", "BASE_TYPE_MAX_LENGTH",
		func(s *stage) reply {
			at, _ := s.galleried()
			return s.form("PATCH", at, `{}`, make([][]byte, 10)...)
		},
		func(s *stage) reply {
			at, _ := s.galleried()
			return s.form("PATCH", at, `{}`, make([][]byte, 9)...)
		}},
	{"a form that ends early", 400, 50109, "", "",
		func(s *stage) reply {
			return s.typed("multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"content\"\r\n\r\nx")
		},
		func(s *stage) reply {
			return s.typed("multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"content\"\r\n\r\nx\r\n--b--\r\n")
		}},
	{"a form without a boundary", 400, 50109, "", "",
		func(s *stage) reply {
			return s.typed("multipart/form-data", "--b\r\nContent-Disposition: form-data; name=\"content\"\r\n\r\nx\r\n--b--\r\n")
		},
		func(s *stage) reply {
			return s.typed("multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"content\"\r\n\r\nx\r\n--b--\r\n")
		}},
}

// answerWithFile answers alice's use of a command with a file.
func (s *stage) answerWithFile(body string) reply {
	s.t.Helper()
	i := s.used("general")
	return s.form("POST", "/interactions/"+i.ID+"/"+i.Token+"/callback", body, []byte("a"))
}

// updateGallery updates a message that shows f0.txt, so that the message shows the file again. Given the file's id, members
// returns further members of the update.
func (s *stage) updateGallery(members func(file string) string) reply {
	s.t.Helper()
	i, m := s.board("general")
	r := s.form("PATCH", s.token(i)+"/messages/@original", `{"content":null,"flags":32768,"components":[
		{"type":12,"items":[{"media":{"url":"attachment://f0.txt"}}]},
		{"type":1,"components":[{"type":2,"style":1,"label":"b2","custom_id":"b2"}]}]}`, []byte("a"))
	_, file, _ := strings.Cut(r.text, `"attachment_id":"`)
	file, _, _ = strings.Cut(file, `"`)
	return s.answer(s.clicked(m), `{"type":7,"data":`+gallery("f0.txt", members(file))+`}`)
}

func TestFilesAreRefusedAndTheirGoodTwinsAreNot(t *testing.T) { tell(t, fileRefusals) }

// shownFile is a file, with the part of a message that shows it.
type shownFile struct {
	Where, Name, Description string
	Size                     int
}

// filesOf returns the files that a message shows: attachments, items of galleries and pictures of embeds.
func (w *world) filesOf(m map[string]any) (all []shownFile) {
	w.t.Helper()
	raw, _ := json.Marshal(m)
	var message struct {
		Attachments []struct {
			Filename, Description, URL string
			Size                       int
		}
		Components []struct {
			Items []struct {
				Description string
				Media       struct {
					URL           string
					Width, Height *int
					Type          string `json:"content_type"`
					ID            string `json:"attachment_id"`
				}
			}
		}
		Embeds []struct{ Image struct{ URL string } }
	}
	if err := json.Unmarshal(raw, &message); err != nil {
		w.t.Fatal(err)
	}
	name := func(url string) string { return url[strings.LastIndex(url, "/")+1:] }
	for _, a := range message.Attachments {
		if got := len(w.fetch(a.URL)); got != a.Size || name(a.URL) != a.Filename {
			w.t.Errorf("%+v has %d bytes", a, got)
		}
		all = append(all, shownFile{"message", a.Filename, a.Description, a.Size})
	}
	for _, c := range message.Components {
		for _, i := range c.Items {
			content := w.fetch(i.Media.URL)
			if strings.Contains(content, "PNG") != (i.Media.Width != nil && *i.Media.Width == 3 && *i.Media.Height == 2) || i.Media.ID == "" ||
				strings.HasSuffix(i.Media.URL, ".png") != (i.Media.Type == "image/png") {
				w.t.Errorf("the media is %+v", i.Media)
			}
			all = append(all, shownFile{"gallery", name(i.Media.URL), i.Description, len(content)})
		}
	}
	for _, e := range message.Embeds {
		all = append(all, shownFile{"embed", name(e.Image.URL), "", len(w.fetch(e.Image.URL))})
	}
	return all
}

// TestFilesOfEditedMessages edits the files of one message repeatedly.
func TestFilesOfEditedMessages(t *testing.T) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewPaletted(image.Rect(0, 0, 3, 2), color.Palette{color.Black})); err != nil {
		t.Fatal(err)
	}
	size := picture.Len()
	type step struct {
		name, body string
		files      map[string]string
		want       []shownFile
	}
	idOf := func(m map[string]any) string { // the id of the first file in the message
		raw, _ := json.Marshal(m)
		_, rest, _ := strings.Cut(string(raw), "/attachments/")
		return strings.Split(rest, "/")[1]
	}
	play := func(t *testing.T, steps []step) {
		w := newWorld(t, discordsim.Config{NoRateLimits: true})
		method, at := "POST", "/channels/"+w.channelOfBot()+"/messages"
		first := ""
		for _, s := range steps {
			status, m := w.upload(method, at, strings.ReplaceAll(s.body, "FIRST", first), s.files)
			if status != http.StatusOK {
				t.Fatalf("%s: got %d %v", s.name, status, m)
			}
			if diff := cmp.Diff(s.want, w.filesOf(m)); diff != "" {
				t.Errorf("%s: %s", s.name, diff)
			}
			if method == "POST" {
				method, at, first = "PATCH", at+"/"+m["id"].(string), idOf(m)
			}
		}
	}
	galleryOf := func(name string) string { return gallery(name, "") }
	t.Run("of Components V2", func(t *testing.T) {
		play(t, []step{
			{"a picture", gallery("a.png", `,"attachments":[{"id":0,"description":"alt"}]`), map[string]string{"a.png": picture.String()},
				[]shownFile{{"gallery", "a.png", "d", size}}},
			{"the same one once more", galleryOf("a.png"), nil, []shownFile{{"gallery", "a.png", "d", size}}},
			{"another of that name, and the first stays", galleryOf("a.png"), map[string]string{"a.png": "other"},
				[]shownFile{{"gallery", "a.png", "d", 5}}},
			{"the first alone", gallery("a.png", `,"attachments":[{"id":"FIRST"}]`), nil, []shownFile{{"gallery", "a.png", "d", size}}},
			{"words", `{"components":[{"type":10,"content":"t"}]}`, nil, nil},
			{"the first again, because nothing took it out", galleryOf("a.png"), nil, []shownFile{{"gallery", "a.png", "d", size}}},
			{"a new one in its place", gallery("b.txt", `,"attachments":[{"id":0}]`), map[string]string{"b.txt": "text"},
				[]shownFile{{"gallery", "b.txt", "d", 4}}},
		})
	})
	t.Run("with an embed", func(t *testing.T) {
		play(t, []step{
			{"a picture", `{"embeds":[{"image":{"url":"attachment://a.png"}}],"attachments":[{"id":0,"description":"alt"}]}`,
				map[string]string{"a.png": picture.String()}, []shownFile{{"embed", "a.png", "", size}}},
			{"words beside it", `{"content":"x"}`, nil, []shownFile{{"embed", "a.png", "", size}}},
			// Source: Discord's api-docs#1340.
			{"without the embed it is the message's", `{"embeds":[]}`, nil, []shownFile{{"message", "a.png", "alt", size}}},
			{"described anew", `{"attachments":[{"id":"FIRST","description":"new"}]}`, nil, []shownFile{{"message", "a.png", "new", size}}},
			{"and listed without a description", `{"attachments":[{"id":"FIRST"}]}`, nil, []shownFile{{"message", "a.png", "new", size}}},
			{"two of one name", `{}`, map[string]string{"a.png": "other"}, []shownFile{{"message", "a.png", "new", size}, {"message", "a.png", "", 5}}},
			{"of which the new one is listed first", `{"attachments":[{"id":"0"},{"id":"FIRST"}]}`, map[string]string{"c.txt": "c"},
				[]shownFile{{"message", "a.png", "new", size}, {"message", "c.txt", "", 1}}},
		})
	})
	// Source: discord.js#11588, which says that Discord accepts an empty file.
	t.Run("that are empty", func(t *testing.T) {
		play(t, []step{{"an empty file", `{}`, map[string]string{"a.txt": ""}, []shownFile{{"message", "a.txt", "", 0}}}})
	})
}

// TestNamesOfFilesAreCleaned tests that file names are sanitised as on Discord. Source: Discord's api-docs#4292 and
// api-docs#7754, which names the function.
func TestNamesOfFilesAreCleaned(t *testing.T) {
	w := newWorld(t, discordsim.Config{NoRateLimits: true})
	at := "/channels/" + w.channelOfBot() + "/messages"
	for sent, want := range map[string]string{
		"hello (world).png": "hello_world.png", "_VnitHEEnz2LbpDa.mp4": "VnitHEEnz2LbpDa.mp4", "../../etc/passwd": "etc_passwd",
		"a-b.c_d.TXT": "a-b.c_d.TXT", "ünïcode.txt": "unicode.txt", "...": "unknown", "日本": "unknown", "a 日 b.txt": "a_b.txt", " a  b ": "a_b",
	} {
		body, _ := json.Marshal(map[string]any{
			"flags": 1 << 15, "attachments": []any{map[string]any{"id": 0, "filename": sent}},
			"components": []any{map[string]any{"type": 13, "file": map[string]any{"url": "attachment://" + want}}},
		})
		status, m := w.upload("POST", at, string(body), map[string]string{"x": "x"})
		if status != http.StatusOK || m["components"].([]any)[0].(map[string]any)["name"] != want {
			t.Errorf("%q: got %d %v, want %s", sent, status, m, want)
		}
	}
}

// TestEveryCharacterOfANameIsCleaned tests that SecureName returns the same names as werkzeug's secure_filename.
func TestEveryCharacterOfANameIsCleaned(t *testing.T) {
	notASCII, removed := regexp.MustCompile(`[^\x00-\x7f]`), regexp.MustCompile(`[^A-Za-z0-9._-]`)
	for r := range rune(unicode.MaxRune) {
		if r >= 0x1D400 && r < 0x1D800 && !unicode.IsPrint(r) {
			continue // a gap among the mathematical letters
		}
		name := "a " + string(r) + " b"
		want := notASCII.ReplaceAllString(norm.NFKD.String(name), "")
		want = removed.ReplaceAllString(strings.Join(strings.Fields(strings.ReplaceAll(want, "/", " ")), "_"), "")
		if got := simworld.SecureName(name); got != want {
			t.Errorf("%q (%U) becomes %q, want %q", name, r, got, want)
		}
	}
}

// TestFilesThatAreTakenOutAreForgotten tests that a bot that often replaces a picture does not displace the files of
// other messages.
func TestFilesThatAreTakenOutAreForgotten(t *testing.T) {
	w := newWorld(t, discordsim.Config{NoRateLimits: true})
	at := "/channels/" + w.channelOfBot() + "/messages"
	_, m := w.upload("POST", at, `{}`, map[string]string{"mine.txt": "mine"})
	url := m["attachments"].([]any)[0].(map[string]any)["url"].(string)
	_, drawn := w.upload("POST", at, gallery("a.png", ""), map[string]string{"a.png": "x"})
	big := strings.Repeat("x", 9<<20)
	for n := range 9 {
		status, edited := w.upload("PATCH", at+"/"+drawn["id"].(string), gallery("a.png", `,"attachments":[{"id":0}]`), map[string]string{"a.png": big})
		if status != http.StatusOK {
			t.Fatalf("edit %d got %d %v", n, status, edited)
		}
	}
	if got := w.fetch(url); got != "mine" {
		t.Errorf("got %q", got)
	}
}

// TestARefusedEditChangesNoFiles tests an edit that is refused only after its files were processed.
func TestARefusedEditChangesNoFiles(t *testing.T) {
	w := newWorld(t, discordsim.Config{NoRateLimits: true})
	at := "/channels/" + w.channelOfBot() + "/messages"
	_, m := w.upload("POST", at, `{}`, map[string]string{"a.txt": "a"})
	status, refused := w.rest("PATCH", at+"/"+m["id"].(string), `{"attachments":[]}`)
	if status != http.StatusBadRequest {
		t.Fatalf("got %d %v", status, refused)
	}
	_, now := w.rest("GET", at+"/"+m["id"].(string), "")
	if got := w.filesOf(now); !slices.Equal(got, []shownFile{{"message", "a.txt", "", 1}}) {
		t.Error(fmt.Sprint(got))
	}
}
