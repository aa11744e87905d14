package main

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// The notices are those of this test, which is linked with everything that the program is linked with.
func TestNoticesHaveALicenceOfEveryModuleAndLibrary(t *testing.T) {
	for _, tool := range []string{"bash", "gcc", "dpkg"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || len(info.Deps) < 20 {
		t.Fatalf("the test knows of too few modules: %v", info)
	}
	command := exec.Command("../../scripts/notices", self)
	command.Stderr = t.Output()
	notices, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	titles := []string{"Go " + strings.TrimPrefix(runtime.Version(), "go"), "Preact", "GNU Lesser General Public License 2.1"}
	for _, module := range info.Deps {
		titles = append(titles, module.Path+"@"+module.Version)
	}
	for _, title := range titles {
		if !strings.Contains(string(notices), "\n"+title+"\n"+strings.Repeat("=", len(title))+"\n\n") {
			t.Errorf("the notices lack %s", title)
		}
	}
	for _, library := range []string{"libc6-dev ", "libgcc-"} {
		if !strings.Contains(string(notices), "\n"+library) {
			t.Errorf("the notices lack %s", library)
		}
	}
}
