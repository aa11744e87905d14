package world

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// KeptFiles is how many bytes of files are kept. The oldest files beyond this limit are removed.
const KeptFiles = 64 << 20

// Upload is an uploaded file as received.
type Upload struct {
	Slot int // n in the field name files[n]
	Name string
	Type string
	Data []byte
}

// File is an upload that is kept as long as its message.
type File struct {
	ID      string `json:"id"`
	Channel string `json:"channel"`
	Message string `json:"message"` // empty for an upload of an interaction
	Name    string `json:"name"`
	Type    string `json:"type"`
	Data    []byte `json:"data"`
	// Description is the sender's alternative text.
	Description string `json:"description,omitempty"`
	// Spoiler hides the file until a reader asks for it.
	Spoiler bool `json:"spoiler,omitempty"`
}

// flagSpoiler is the flag of an attachment that is hidden until a reader asks for it.
const flagSpoiler = 1 << 3

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
	Flags       int    `json:"flags,omitempty"`
}

// NewFile makes a file from an upload. The caller stores it.
func (ms *Messages) NewFile(u Upload, channel, message string) *File {
	f := &File{ID: ms.w.NextID(), Channel: channel, Message: message, Name: SecureName(u.Name), Type: u.Type, Data: u.Data}
	if f.Type == "" || f.Type == "application/octet-stream" {
		if f.Type = mime.TypeByExtension(path.Ext(f.Name)); f.Type == "" {
			f.Type = http.DetectContentType(f.Data)
		}
	}
	return f
}

// Attachment returns a file as Discord's API shows it.
func (w *World) Attachment(f *File) Attachment {
	at := fmt.Sprintf("%s/api/cdn/attachments/%s/%s/%s", w.Origin(), f.Channel, f.ID, url.PathEscape(f.Name))
	a := Attachment{ID: f.ID, Filename: f.Name, Description: f.Description, ContentType: f.Type, Size: len(f.Data), URL: at, ProxyURL: at}
	if f.Spoiler || strings.HasPrefix(f.Name, "SPOILER_") {
		a.Flags = flagSpoiler
	}
	if picture, _, err := image.DecodeConfig(bytes.NewReader(f.Data)); err == nil {
		a.Width, a.Height = picture.Width, picture.Height
	}
	return a
}

// SecureName returns a file's name sanitised as Discord does, which works like werkzeug's secure_filename: accents are stripped
// from letters, all remaining characters other than letters, digits and ".-_" are removed, and spaces become underscores.
func SecureName(name string) string {
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

// FilesOf returns a message's own files, oldest first, without the files of a forwarded message's snapshot.
func (st *State) FilesOf(m *Message) (files []*File) {
	for _, f := range st.Files {
		if f.Message == m.ID && !slices.ContainsFunc(m.Snapshots, func(s Snapshot) bool { return f.ShownIn(s) }) {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b *File) int { return CompareIDs(a.ID, b.ID) })
	return files
}

// ShownIn reports whether the JSON of a value contains the URL of the file.
func (f *File) ShownIn(what any) bool {
	return bytes.Contains(MustJSON(what), fmt.Appendf(nil, "/%s/%s/", f.Channel, f.ID))
}
