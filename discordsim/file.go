package discordsim

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"image"
	_ "image/gif" // the image types whose size Discord reports
	_ "image/jpeg"
	_ "image/png"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

const (
	// maxFile is the largest file that may be uploaded, in bytes.
	maxFile = 10 << 20
	// maxFiles is how many files a message may have.
	maxFiles = 10
	// keptFiles is how many bytes of files are kept. The oldest files beyond this
	// limit are removed.
	keptFiles = 64 << 20
)

// upload is an uploaded file as received.
type upload struct {
	Slot int // n of files[n]
	Name string
	Type string
	Data []byte
}

// file is an upload that is kept as long as its message.
type file struct {
	ID      string `json:"id"`
	Channel string `json:"channel"`
	Message string `json:"message"` // empty for an upload of an interaction
	Name    string `json:"name"`
	Type    string `json:"type"`
	Data    []byte `json:"data"`
	// Description is the sender's alternative text.
	Description string `json:"description,omitempty"`
}

// Attachment is a file as Discord's API shows it.
type Attachment struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	Description string `json:"description,omitempty"`
	ContentType string `json:"content_type,omitempty"`
	Size        int    `json:"size"`
	URL         string `json:"url"`
	ProxyURL    string `json:"proxy_url"`
	Width       int    `json:"width,omitempty"`
	Height      int    `json:"height,omitempty"`
	Ephemeral   bool   `json:"ephemeral,omitempty"`
}

// NewFile makes a file from an upload. The caller stores it.
func (ms *Messages) NewFile(u upload, channel, message string) *file {
	f := &file{ID: ms.w.NextID(), Channel: channel, Message: message, Name: secureName(u.Name), Type: u.Type, Data: u.Data}
	if f.Type == "" || f.Type == "application/octet-stream" {
		if f.Type = mime.TypeByExtension(path.Ext(f.Name)); f.Type == "" {
			f.Type = http.DetectContentType(f.Data)
		}
	}
	return f
}

func (w *World) Attachment(f *file) Attachment {
	at := fmt.Sprintf("%s/api/cdn/attachments/%s/%s/%s", w.Origin(), f.Channel, f.ID, url.PathEscape(f.Name))
	a := Attachment{ID: f.ID, Filename: f.Name, Description: f.Description, ContentType: f.Type, Size: len(f.Data), URL: at, ProxyURL: at}
	if picture, _, err := image.DecodeConfig(bytes.NewReader(f.Data)); err == nil {
		a.Width, a.Height = picture.Width, picture.Height
	}
	return a
}

// secureName returns a file's name sanitised as Discord does, which works like werkzeug's secure_filename: accents are stripped
// from letters, all remaining characters other than letters, digits and ".-_" are removed, and spaces become underscores.
func secureName(name string) string {
	name = strings.Join(strings.Fields(strings.ReplaceAll(norm.NFKD.String(name), "/", " ")), "_")
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		}
		return -1
	}, name)
	return cmp.Or(strings.Trim(name, "._"), "unknown")
}

// attached are the files of a message after a body has been applied.
type attached struct {
	files []*file // the kept files, then the uploads
	came  int     // the number of uploads
	gone  []*file
}

// attach gives a message the files of a body: its uploads, and the earlier attachments
// that the body keeps. Files shown by a component or an embed are not listed as
// attachments. The caller stores the returned files together with the message.
func attach(w *World, m *Message, body messageBody) (attached, error) {
	files, err := filesAfter(w, m, body)
	if err != nil {
		return files, err
	}
	all := make([]Attachment, len(files.files))
	named := map[string]Attachment{}
	first := len(all) - files.came
	for i, f := range files.files {
		all[i] = w.Attachment(f)
		all[i].Ephemeral = m.Ephemeral()
	}
	for _, a := range slices.Concat(all[first:], all[:first]) { // of two files with the same name, the new one is meant
		if _, taken := named[a.Filename]; !taken {
			named[a.Filename] = a
		}
	}
	// Components and embeds that the body does not set are carried over from the
	// old message, where references to files are already resolved.
	before := body.showing(m)
	shown := shownFiles{named: named, shown: map[string]bool{}, nextID: w.NextID}
	if body.Components.there {
		if err := shown.in(m.Components, body.path("components")); err != nil {
			return files, err
		}
	}
	if body.Embeds.there {
		m.Embeds = shown.inEmbeds(m.Embeds)
	}
	m.Attachments = []json.RawMessage{}
	for i, a := range all {
		if !shown.shown[a.ID] && !before(files.files[i]) && m.Flags&flagComponentsV2 == 0 {
			m.Attachments = append(m.Attachments, mustJSON(a))
		}
	}
	return files, nil
}

// filesAfter returns the files of a message after a body has been applied.
func filesAfter(w *World, m *Message, body messageBody) (files attached, err error) {
	old := w.state.filesOf(m)
	if err := body.unknownFile(old); err != nil {
		return files, err
	}
	showing := body.showing(m)
	for _, f := range old {
		says, listed := body.lists(f.ID)
		switch {
		case listed && says.Description != nil:
			described := *f
			described.Description = *says.Description
			f = &described
			fallthrough
		case listed, !body.Attachments.there && (!body.update || showing(f)):
			files.files = append(files.files, f)
		default:
			files.gone = append(files.gone, f)
		}
	}
	for _, u := range body.uploads {
		says, listed := body.lists(fmt.Sprint(u.Slot))
		if body.Attachments.value != nil && !listed {
			continue
		}
		u.Name = cmp.Or(says.Filename, u.Name)
		f := w.messages.NewFile(u, m.ChannelID, m.ID)
		if says.Description != nil {
			f.Description = *says.Description
		}
		files.files = append(files.files, f)
		files.came++
	}
	if len(files.files) > maxFiles {
		return files, body.refused("attachments", "BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", maxFiles)
	}
	return files, nil
}

// storeFiles stores the files of a message, and drops the files that the message no longer has.
func storeFiles(w *World, files attached) {
	for _, f := range files.gone {
		w.Put(change{FileDeleted: f.ID})
	}
	for _, f := range files.files {
		if w.state.files[f.ID] != f {
			w.Put(change{File: f})
		}
	}
}

// filesOf returns a message's own files, the oldest first. They exclude the files
// in the snapshot of a forward.
func (st *state) filesOf(m *Message) (files []*file) {
	for _, f := range st.files {
		if f.Message == m.ID && !slices.ContainsFunc(m.Snapshots, func(s Snapshot) bool { return f.shownIn(s) }) {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b *file) int { return compareIDs(a.ID, b.ID) })
	return files
}

// shownIn reports whether a value contains the URL of the file.
func (f *file) shownIn(what any) bool {
	return bytes.Contains(mustJSON(what), fmt.Appendf(nil, "/%s/%s/", f.Channel, f.ID))
}

// showing returns a function that reports whether a file is shown by the unchanged
// parts of the message: the components and embeds that the body does not set.
func (b messageBody) showing(m *Message) func(f *file) bool {
	components, embeds := m.Components, m.Embeds
	if b.Components.there {
		components = nil
	}
	if b.Embeds.there {
		embeds = nil
	}
	return func(f *file) bool { return f.shownIn(components) || f.shownIn(embeds) }
}

// unknownFile returns an error if the body lists a file that is neither attached
// to the message nor uploaded.
func (b messageBody) unknownFile(files []*file) error {
	for i, says := range b.Attachments.value {
		there := slices.ContainsFunc(files, func(f *file) bool { return f.ID == string(says.ID) })
		came := slices.ContainsFunc(b.uploads, func(u upload) bool { return fmt.Sprint(u.Slot) == string(says.ID) })
		if !there && !came {
			return b.refused(fmt.Sprintf("attachments.%d", i), "ATTACHMENT_NOT_FOUND", "Attachment data not found")
		}
	}
	return nil
}

// shownFiles replaces references to files by the files' URLs.
type shownFiles struct {
	named  map[string]Attachment
	shown  map[string]bool // by id
	nextID func() string
}

// in resolves the references in components.
func (f shownFiles) in(components []Component, at string) error {
	for i := range components {
		if err := f.inOne(&components[i], fmt.Sprintf("%s.%d", at, i)); err != nil {
			return err
		}
	}
	return nil
}

func (f shownFiles) inOne(c *Component, at string) error {
	if _, err := f.resolve(&c.Media, at+".media"); err != nil {
		return err
	}
	file, err := f.resolve(&c.File, at+".file")
	if err != nil {
		return err
	}
	if c.Type == componentFile {
		c.Name, c.Size = file.Filename, &file.Size
	}
	if len(c.Items) > 0 {
		if err := f.inItems(&c.Items, at+".items"); err != nil {
			return err
		}
	}
	if c.Accessory != nil {
		if err := f.inOne(c.Accessory, at+".accessory"); err != nil {
			return err
		}
	}
	return f.in(c.Components, at+".components")
}

// inItems resolves the references in the items of a gallery.
func (f shownFiles) inItems(text *json.RawMessage, at string) error {
	var items []struct {
		Media       json.RawMessage `json:"media"`
		Description *string         `json:"description"`
		Spoiler     bool            `json:"spoiler"`
	}
	if err := json.Unmarshal(*text, &items); err != nil {
		return errInvalidJSON
	}
	for i := range items {
		if _, err := f.resolve(&items[i].Media, fmt.Sprintf("%s.%d.media", at, i)); err != nil {
			return err
		}
	}
	resolved, err := json.Marshal(items)
	*text = resolved
	return err
}

// resolve completes an object whose url may refer to a file.
func (f shownFiles) resolve(media *json.RawMessage, at string) (a Attachment, err error) {
	var picture map[string]any
	if len(*media) == 0 || json.Unmarshal(*media, &picture) != nil || picture == nil {
		return a, nil
	}
	address, _ := picture["url"].(string)
	picture["id"], picture["proxy_url"] = f.nextID(), address
	if name, refers := strings.CutPrefix(address, "attachment://"); refers {
		var found bool
		if a, found = f.named[secureName(name)]; !found {
			return a, invalidForm(at+".url", "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
				fmt.Sprintf("The referenced attachment (%q) was not found", address))
		}
		f.shown[a.ID] = true
		picture["url"], picture["proxy_url"], picture["attachment_id"] = a.URL, a.ProxyURL, a.ID
		picture["content_type"], picture["width"], picture["height"] = a.ContentType, nil, nil
		if a.Width > 0 {
			picture["width"], picture["height"] = a.Width, a.Height
		}
	}
	*media, err = json.Marshal(picture)
	return a, err
}

// inEmbeds resolves the references in embeds, where an invalid reference shows nothing.
func (f shownFiles) inEmbeds(embeds []json.RawMessage) []json.RawMessage {
	resolved := slices.Clone(embeds)
	for i, text := range embeds {
		var embed map[string]any
		if json.Unmarshal(text, &embed) != nil {
			continue
		}
		changed := false
		for part, key := range map[string]string{"image": "url", "thumbnail": "url", "author": "icon_url", "footer": "icon_url"} {
			holder, _ := embed[part].(map[string]any)
			address, _ := holder[key].(string)
			name, refers := strings.CutPrefix(address, "attachment://")
			if a, found := f.named[secureName(name)]; refers && found {
				f.shown[a.ID], changed = true, true
				holder[key], holder["proxy_"+key] = a.URL, a.ProxyURL
			}
		}
		if changed {
			if text, err := json.Marshal(embed); err == nil {
				resolved[i] = text
			}
		}
	}
	return resolved
}

// cdnRoutes adds the routes that serve uploaded files, emoji and avatars.
func (api *API) cdnRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /api/cdn/attachments/{channel}/{file}/{name}", func(w http.ResponseWriter, r *http.Request) {
		api.w.Lock()
		f := api.w.state.files[r.PathValue("file")]
		api.w.Unlock()
		if f == nil || f.Channel != r.PathValue("channel") || f.Name != r.PathValue("name") {
			http.Error(w, "This content is no longer available.", http.StatusNotFound)
			return
		}
		h := w.Header()
		h.Set("Content-Type", f.Type)
		// The playground's page may have the same origin, so scripts in uploaded
		// files must not run.
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
		if !slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, f.Type) {
			h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.Name}))
		}
		w.Write(f.Data) // a client that has hung up needs no answer
	})
	mux.HandleFunc("GET /api/cdn/embed/avatars/{name}", serveAvatar)
	mux.HandleFunc("GET /api/cdn/emojis/{name}", api.serveEmoji)
	mux.HandleFunc("GET /api/cdn/avatars/{account}/{name}", api.serveOwnAvatar)
}

// NoteOrigin remembers the address at which the API was last reached, because the
// client will look for files at the same address.
func (w *World) NoteOrigin(r *http.Request) {
	at := "http://" + r.Host
	if r.TLS != nil {
		at = "https://" + r.Host
	}
	if w.Origin() != at {
		w.reached.Store(&at)
	}
}

func (w *World) Origin() string {
	if at := w.reached.Load(); at != nil {
		return *at
	}
	return "http://localhost"
}
