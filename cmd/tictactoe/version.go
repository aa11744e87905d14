package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// release is set by the linker for a released build: -ldflags "-X main.release=v1.0.0".
var release string

type versionCommand struct{}

func (versionCommand) Run(s surroundings) error {
	_, err := fmt.Fprintf(s.stdout, "tictactoe %s, %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// version returns the release, else the version of the module, which names the commit if the build knows it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return cmp.Or(release, info.Main.Version, "development")
	}
	return cmp.Or(release, "development")
}
