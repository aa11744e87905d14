package readme_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestTheReleaseIsBuiltAsTheImageOfFilesThatExist(t *testing.T) {
	var release struct {
		Builds []struct {
			Main, ID       string
			Flags, LDFlags []string
		}
		NFPMs []struct {
			Scripts  map[string]string
			Contents []struct{ Src string }
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(root, ".goreleaser.yaml"))), &release); err != nil {
		t.Fatal(err)
	}
	image := read(t, filepath.Join(root, "Dockerfile"))
	built := 0
	for _, b := range release.Builds {
		if b.Main != "./cmd/tictactoe" {
			continue
		}
		built++
		for _, flag := range append(b.Flags, b.LDFlags...) {
			if flag != "-buildvcs=true" && !strings.Contains(image, strings.ReplaceAll(flag, "v{{ .Version }}", "${RELEASE:-}")) {
				t.Errorf("the Dockerfile does not build with %s, as %s does", flag, b.ID)
			}
		}
	}
	if built != 3 || len(release.NFPMs) != 1 {
		t.Fatalf("%d builds of the bot and %d packages, want 3 and 1", built, len(release.NFPMs))
	}
	var files []string
	for _, script := range release.NFPMs[0].Scripts {
		files = append(files, script)
	}
	for _, content := range release.NFPMs[0].Contents {
		if content.Src != "" && !strings.HasPrefix(content.Src, "dist/") && !strings.HasPrefix(content.Src, "{{") {
			files = append(files, content.Src)
		}
	}
	if len(files) < 6 {
		t.Errorf("the packages are made of %q alone", files)
	}
	for _, file := range files {
		if _, err := os.Stat(filepath.Join(root, file)); err != nil {
			t.Error(err)
		}
	}
}
