package discordsim

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/url"
	"strconv"
	"strings"
)

// readForm returns the JSON and the files of a form: what has a file name is a
// file, whatever its field is called.
func readForm(form *multipart.Reader) (body []byte, files []upload, err error) {
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
		case len(text) > maxFile:
			return nil, nil, errTooLarge
		case !numbered:
			slot = len(files)
		}
		files = append(files, upload{Slot: slot, Name: part.FileName(), Type: part.Header.Get("Content-Type"), Data: text})
	}
}

// fileSlot reads the number out of files[n].
func fileSlot(field string) (n int, numbered bool) {
	digits, opened := strings.CutPrefix(field, "files[")
	digits, closed := strings.CutSuffix(digits, "]")
	n, err := strconv.Atoi(digits)
	return n, opened && closed && err == nil
}

// formJSON returns the object that the fields of a form describe. All of it stands in
// payload_json if there is one; else each field is a member. A form has only
// texts, so the fields that are numbers or flags are parsed.
func formJSON(fields url.Values) []byte {
	if fields.Has("payload_json") {
		return bytes.TrimSpace([]byte(fields.Get("payload_json")))
	}
	object := map[string]any{}
	for name := range fields {
		object[name] = fieldValue(name, fields.Get(name))
	}
	return mustJSON(object)
}

// fieldValue returns the value of a field as JSON has it.
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
