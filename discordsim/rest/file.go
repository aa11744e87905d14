package rest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

// attached holds the files of a message after a body has been applied.
type attached struct {
	files   []*world.File // the kept files, then the uploads
	uploads int           // how many of these are uploads
	gone    []*world.File
}

// attach gives a message the files of a body: its uploads, and the earlier attachments
// that the body keeps. Files shown by a component or an embed are not listed as
// attachments. The caller stores the returned files together with the message.
func attach(w *world.World, m *world.Message, body messageBody) (attached, error) {
	files, err := filesAfter(w, m, body)
	if err != nil {
		return files, err
	}
	attachments := make([]world.Attachment, len(files.files))
	named := map[string]world.Attachment{}
	first := len(attachments) - files.uploads
	for i, f := range files.files {
		attachments[i] = w.Attachment(f)
		attachments[i].Ephemeral = m.Ephemeral()
	}
	// An upload takes precedence over an older file with the same name, so the uploads come first.
	for _, a := range slices.Concat(attachments[first:], attachments[:first]) {
		if _, taken := named[a.Filename]; !taken {
			named[a.Filename] = a
		}
	}
	// Components and embeds that the body does not set are carried over from the
	// old message, where references to files are already resolved.
	before := body.showing(m)
	shown := shownFiles{named: named, shown: map[string]bool{}, nextID: w.NextID}
	if body.Components.set {
		if err := shown.components(m.Components, body.path("components")); err != nil {
			return files, err
		}
	}
	if body.Embeds.set {
		m.Embeds = shown.embeds(m.Embeds)
	}
	m.Attachments = []json.RawMessage{}
	for i, a := range attachments {
		if !shown.shown[a.ID] && !before(files.files[i]) && m.Flags&world.FlagComponentsV2 == 0 {
			m.Attachments = append(m.Attachments, world.MustJSON(a))
		}
	}
	return files, nil
}

// filesAfter returns the files of a message after a body has been applied.
func filesAfter(w *world.World, m *world.Message, body messageBody) (files attached, err error) {
	old := w.State.FilesOf(m)
	if err := body.unknownFile(old); err != nil {
		return files, err
	}
	showing := body.showing(m)
	for _, f := range old {
		entry, listed := body.attachmentEntry(f.ID)
		switch {
		case listed:
			files.files = append(files.files, entry.describe(f))
		case !body.Attachments.set && (!body.update || showing(f)):
			files.files = append(files.files, f)
		default:
			files.gone = append(files.gone, f)
		}
	}
	for _, u := range body.uploads {
		entry, listed := body.attachmentEntry(fmt.Sprint(u.Slot))
		if body.Attachments.value != nil && !listed {
			continue
		}
		u.Name = cmp.Or(entry.Filename, u.Name)
		files.files = append(files.files, entry.describe(w.Messages.NewFile(u, m.ChannelID, m.ID)))
		files.uploads++
	}
	if len(files.files) > check.MaxAttachments {
		return files, body.refused("attachments", "BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", check.MaxAttachments)
	}
	return files, nil
}

// describe returns a file with the entry's alternative text and spoiler mark, if the entry has them.
func (b attachmentBody) describe(f *world.File) *world.File {
	if b.Description == nil && b.Spoiler == nil {
		return f
	}
	described := *f
	if b.Description != nil {
		described.Description = *b.Description
	}
	if b.Spoiler != nil {
		described.Spoiler = *b.Spoiler
	}
	return &described
}

// storeFiles stores the files of a message, and drops the files that the message no longer has.
func storeFiles(w *world.World, files attached) {
	for _, f := range files.gone {
		w.Put(world.Change{FileDeleted: f.ID})
	}
	for _, f := range files.files {
		if w.State.Files[f.ID] != f {
			w.Put(world.Change{File: f})
		}
	}
}

// showing returns a function that reports whether a file is shown by the unchanged
// parts of the message: the components and embeds that the body does not set.
func (b messageBody) showing(m *world.Message) func(f *world.File) bool {
	components, embeds := m.Components, m.Embeds
	if b.Components.set {
		components = nil
	}
	if b.Embeds.set {
		embeds = nil
	}
	return func(f *world.File) bool { return f.ShownIn(components) || f.ShownIn(embeds) }
}

// unknownFile returns an error if the body lists a file that is neither attached
// to the message nor uploaded.
func (b messageBody) unknownFile(files []*world.File) error {
	for i, entry := range b.Attachments.value {
		there := slices.ContainsFunc(files, func(f *world.File) bool { return f.ID == string(entry.ID) })
		uploaded := slices.ContainsFunc(b.uploads, func(u world.Upload) bool { return fmt.Sprint(u.Slot) == string(entry.ID) })
		if !there && !uploaded {
			return b.refused(fmt.Sprintf("attachments.%d", i), "ATTACHMENT_NOT_FOUND", "Attachment data not found")
		}
	}
	return nil
}

// shownFiles replaces references to files by the files' URLs.
type shownFiles struct {
	named  map[string]world.Attachment
	shown  map[string]bool // by id, whether a component or an embed shows the file
	nextID func() string
}

// components resolves the references in components.
func (f shownFiles) components(components []world.Component, at string) error {
	for i := range components {
		if err := f.component(&components[i], fmt.Sprintf("%s.%d", at, i)); err != nil {
			return err
		}
	}
	return nil
}

func (f shownFiles) component(c *world.Component, at string) error {
	if _, err := f.resolve(&c.Media, at+".media"); err != nil {
		return err
	}
	file, err := f.resolve(&c.File, at+".file")
	if err != nil {
		return err
	}
	if c.Type == world.ComponentFile {
		c.Name, c.Size = file.Filename, &file.Size
	}
	if len(c.Items) > 0 {
		if err := f.items(&c.Items, at+".items"); err != nil {
			return err
		}
	}
	if c.Accessory != nil {
		if err := f.component(c.Accessory, at+".accessory"); err != nil {
			return err
		}
	}
	return f.components(c.Components, at+".components")
}

// items resolves the references in the items of a gallery.
func (f shownFiles) items(text *json.RawMessage, at string) error {
	var items []struct {
		Media       json.RawMessage `json:"media"`
		Description *string         `json:"description"`
		Spoiler     bool            `json:"spoiler"`
	}
	if err := json.Unmarshal(*text, &items); err != nil {
		return check.ErrInvalidJSON
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
func (f shownFiles) resolve(media *json.RawMessage, at string) (a world.Attachment, err error) {
	var picture map[string]any
	if len(*media) == 0 || json.Unmarshal(*media, &picture) != nil || picture == nil {
		return a, nil
	}
	address, _ := picture["url"].(string)
	picture["id"], picture["proxy_url"] = f.nextID(), address
	if name, refers := strings.CutPrefix(address, "attachment://"); refers {
		var found bool
		if a, found = f.named[world.SecureName(name)]; !found {
			return a, check.InvalidField(at+".url", "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
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

// embeds resolves the references in embeds. A reference to an unknown file stays, and shows nothing.
func (f shownFiles) embeds(embeds []json.RawMessage) []json.RawMessage {
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
			if a, found := f.named[world.SecureName(name)]; refers && found {
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
		f := api.w.State.Files[r.PathValue("file")]
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
		w.Write(f.Data) // fails only if the client has disconnected
	})
	mux.HandleFunc("GET /api/cdn/embed/avatars/{name}", serveAvatar)
	mux.HandleFunc("GET /api/cdn/emojis/{name}", api.serveEmoji)
	mux.HandleFunc("GET /api/cdn/avatars/{account}/{name}", api.serveOwnAvatar)
}
