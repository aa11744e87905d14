package rest

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/url"
	"strconv"
	"strings"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

// readForm returns the JSON and the files of a form. Every part with a file name
// is a file, whatever the name of its field.
func readForm(form *multipart.Reader) (body []byte, files []world.Upload, err error) {
	fields := url.Values{}
	for {
		part, err := form.NextPart()
		if err == io.EOF {
			return formJSON(fields), files, nil
		}
		if err != nil {
			return nil, nil, unreadable(err)
		}
		text, err := io.ReadAll(part)
		if err != nil {
			return nil, nil, unreadable(err)
		}
		slot, numbered := fileSlot(part.FormName())
		switch {
		case part.FormName() == "payload_json" || !numbered && part.FileName() == "":
			fields.Add(part.FormName(), string(text))
			continue
		case len(text) > check.MaxFileSize:
			return nil, nil, check.ErrTooLarge
		case !numbered:
			slot = len(files)
		}
		files = append(files, world.Upload{Slot: slot, Name: part.FileName(), Type: part.Header.Get("Content-Type"), Data: text})
	}
}

// fileSlot parses n in files[n].
func fileSlot(field string) (n int, numbered bool) {
	digits, opened := strings.CutPrefix(field, "files[")
	digits, closed := strings.CutSuffix(digits, "]")
	n, err := strconv.Atoi(digits)
	return n, opened && closed && err == nil
}

// formJSON returns the object described by the fields of a form. If there is a
// payload_json field, it holds the whole object; otherwise each field is a
// member. Form fields are texts, so numbers and booleans are parsed.
func formJSON(fields url.Values) []byte {
	if fields.Has("payload_json") {
		return bytes.TrimSpace([]byte(fields.Get("payload_json")))
	}
	object := map[string]any{}
	for name := range fields {
		object[name] = fieldValue(name, fields.Get(name))
	}
	return world.MustJSON(object)
}

// fieldValue returns the value of a field as JSON.
func fieldValue(name, text string) any {
	switch name {
	case "tts", "enforce_nonce":
		if flag, err := strconv.ParseBool(text); err == nil {
			return flag
		}
	case "flags", "type":
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
	}
	return text
}
