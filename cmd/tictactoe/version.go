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

// version is the release, else the module's version, with the commit where the build knows it.
func version() string {
	v := cmp.Or(release, "development")
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if release == "" && info.Main.Version != "" && info.Main.Version != "(devel)" {
		v = info.Main.Version
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if commit := settings["vcs.revision"]; commit != "" {
		v += " (" + commit[:min(12, len(commit))]
		if settings["vcs.modified"] == "true" {
			v += ", changed"
		}
		v += ")"
	}
	return v
}
