package check

import "regexp"

// extension matches a file extension, with its dot.
var extension = regexp.MustCompile(`^\.[0-9A-Za-z]+$`)

// fileTypes checks the files that a person may choose: named groups of file types, or extensions.
func fileTypes(v value) {
	for _, item := range v.list(0, maxFileTypes) {
		switch kind := item.text(1, maxFileType); kind {
		case "", "image", "video", "audio":
		default:
			if !extension.MatchString(kind) {
				item.refuse(notAChoice, "Value must be one of ('image', 'video', 'audio') or a file extension that begins with a dot.")
			}
		}
	}
}
