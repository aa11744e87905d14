package discordsim

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// fileGroups are the extensions in each of Discord's file groups.
var fileGroups = map[string][]string{
	"image": {".png", ".gif", ".jpg", ".jpeg", ".jfif", ".webp", ".avif"},
	"video": {".mp4", ".mov", ".qt", ".webm"},
	"audio": {".mp3", ".m4a", ".wav", ".ogg", ".opus", ".flac"},
}

// offered checks a file's name as the client does, which offers only files of the
// given groups and extensions. Without any types, every file is allowed.
func offered(name string, types []string) error {
	extension := strings.ToLower(path.Ext(name))
	fits := func(kind string) bool {
		return strings.ToLower(kind) == extension || slices.Contains(fileGroups[kind], extension)
	}
	if len(types) > 0 && !slices.ContainsFunc(types, fits) {
		return fmt.Errorf("the file %q is none of %s", name, strings.Join(types, ", "))
	}
	return nil
}
