package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// release is the version of a released build, set by the linker: -ldflags "-X main.release=v1.0.0".
var release string

type versionCommand struct {
	JSON bool `name:"json" help:"One JSON object: version, commit, its date, Go's version, operating system and processor."`
}

func (c versionCommand) Run(s surroundings) error {
	built := map[string]string{
		"version": version(), "commit": setting("vcs.revision"), "date": setting("vcs.time"), "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH,
	}
	return s.report(c.JSON, built, fmt.Sprintf("tictactoe %s, %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH))
}

// version returns the release, if it is set, and otherwise the version of the module, which names the commit if the build knows it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return cmp.Or(release, info.Main.Version, "development")
	}
	return cmp.Or(release, "development")
}

// setting returns what the build recorded under a key, such as the commit under vcs.revision. It is empty if the build did not know it.
func setting(key string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == key {
				return s.Value
			}
		}
	}
	return ""
}

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

func (completionCommand) Help() string {
	return `A line for the file that the shell reads at its start:

  source <(tictactoe completion bash)
  source <(tictactoe completion zsh)
  tictactoe completion fish | source`
}

// Run prints a completion script for a shell. The script finds out which command is being typed, such as " db check", and offers the words
// that can follow.
func (c *completionCommand) Run(s surroundings, app *kong.Application) error {
	if c.Shell == "fish" {
		return s.report(false, nil, fishCompletion(app.Node))
	}
	frame, offer := bashFrame, func(words []word) string {
		var plain []string
		for _, w := range words {
			plain = append(plain, w.text)
		}
		return quoted(strings.Join(plain, " "))
	}
	if c.Shell == "zsh" {
		frame, offer = zshFrame, func(words []word) string {
			var described []string
			for _, w := range words {
				described = append(described, quoted(w.text+":"+w.help))
			}
			return "(" + strings.Join(described, " ") + ")"
		}
	}
	var paths, values, commands strings.Builder
	for path, n := range below(app.Node, "") {
		if path != "" {
			fmt.Fprintf(&paths, "|%s", quoted(path))
		}
		fmt.Fprintf(&commands, "\t\t%s) found=%s ;;\n", quoted(path), offer(following(n)))
		for _, f := range flagsOf(n) {
			if !f.IsBool() {
				fmt.Fprintf(&values, "\t%s) found=%s ;;\n", quoted(path+" --"+f.Name), offer(valuesOf(f)))
			}
		}
	}
	return s.report(false, nil, fmt.Sprintf(frame, paths.String()[1:], values.String(), commands.String()))
}

const bashFrame = `_tictactoe() {
	local at= word found=
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		case "$at $word" in %s) at+=" $word" ;; esac
	done
	case "$at ${COMP_WORDS[COMP_CWORD-1]}" in
%s	*) case "$at" in
%s		esac ;;
	esac
	COMPREPLY=($(compgen -W "$found" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tictactoe tictactoe
`

const zshFrame = `#compdef tictactoe
_tictactoe() {
	local at= word
	local -a found
	for word in "${(@)words[2,CURRENT-1]}"; do
		case "$at $word" in %s) at+=" $word" ;; esac
	done
	case "$at ${words[CURRENT-1]}" in
%s	*) case "$at" in
%s		esac ;;
	esac
	_describe tictactoe found || _files
}
compdef _tictactoe tictactoe
`

// fishCompletion returns the completion script for fish. It has a line for each word that can be typed.
func fishCompletion(app *kong.Node) string {
	var paths, lines strings.Builder
	for path, n := range below(app, "") {
		fmt.Fprintf(&paths, " %s", quoted(path))
		begin := fmt.Sprintf("complete -c tictactoe -n %s", quoted("__tictactoe_at "+quoted(path)))
		for _, child := range n.Children {
			fmt.Fprintf(&lines, "%s -f -a %s -d %s\n", begin, child.Name, quoted(child.Help))
		}
		for _, f := range flagsOf(n) {
			fmt.Fprintf(&lines, "%s -l %s -d %s", begin, f.Name, quoted(f.Help))
			switch {
			case f.Enum != "":
				fmt.Fprintf(&lines, " -x -a %s", quoted(strings.Join(f.EnumSlice(), " ")))
			case !f.IsBool():
				lines.WriteString(" -r")
			}
			lines.WriteString("\n")
		}
	}
	return fmt.Sprintf(`function __tictactoe_at
	set -l at ""
	for word in (commandline -opc)[2..-1]
		switch "$at $word"
			case%s
				set at "$at $word"
		end
	end
	test "$at" = "$argv[1]"
end
%s`, paths.String(), lines.String())
}

// quoted returns a text in quotes, so that a shell reads it as one word.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// word is a command, flag or value that the user can type, and the help that explains it.
type word struct{ text, help string }

// following returns the commands and flags that can follow a command.
func following(n *kong.Node) (words []word) {
	for _, child := range n.Children {
		words = append(words, word{child.Name, child.Help})
	}
	for _, f := range flagsOf(n) {
		words = append(words, word{"--" + f.Name, f.Help})
	}
	return words
}

// valuesOf returns the values of a flag if the flag takes only a few fixed words, and otherwise none.
func valuesOf(f *kong.Flag) (words []word) {
	if f.Enum != "" {
		for _, value := range f.EnumSlice() {
			words = append(words, word{value, ""})
		}
	}
	return words
}

// flagsOf returns the flags of a command and of its parent commands.
func flagsOf(n *kong.Node) []*kong.Flag { return slices.Concat(n.AllFlags(true)...) }

// below iterates over a command and all its subcommands. The key is the path of a command, with a space before each name.
func below(n *kong.Node, path string) func(yield func(string, *kong.Node) bool) {
	return func(yield func(string, *kong.Node) bool) {
		if !yield(path, n) {
			return
		}
		for _, child := range n.Children {
			below(child, path+" "+child.Name)(yield)
		}
	}
}

type manCommand struct{}

func (manCommand) Help() string {
	return `The manual page of all commands, for man:

  tictactoe man | man -l -
  tictactoe man > /usr/local/share/man/man1/tictactoe.1`
}

func (manCommand) Run(s surroundings, app *kong.Application) error {
	var page strings.Builder
	fmt.Fprintf(&page, ".TH TICTACTOE 1 \"\" %q\n.SH NAME\ntictactoe \\- %s\n.SH COMMANDS\n", "tictactoe "+version(), roff(app.Help))
	for _, n := range below(app.Node, "") {
		if len(n.Children) > 0 {
			continue
		}
		fmt.Fprintf(&page, ".SS %s\n%s\n%s", roff("tictactoe "+n.Summary()), roff(n.Help), roffDetail(n.Detail))
		for _, f := range flagsOf(n) {
			name := "--" + f.Name
			if !f.IsBool() {
				name += "=" + f.FormatPlaceHolder()
			}
			if len(f.Envs) > 0 {
				name += ", $" + strings.Join(f.Envs, ", $")
			}
			fmt.Fprintf(&page, ".TP\n\\fB%s\\fR\n%s\n", roff(name), roff(f.Help))
		}
	}
	page.WriteString(".SH EXIT STATUS\n")
	for _, e := range []struct {
		code    int
		meaning string
	}{
		{exitOK, "All went well."}, {exitFailure, "Something failed that may pass."},
		{exitUsage, "The command line is wrong, or names what does not exist."},
		{exitInUse, "Another process holds the database, or no Postgres answers."}, {exitConfig, "Somebody has to act."},
	} {
		fmt.Fprintf(&page, ".TP\n%d\n%s\n", e.code, e.meaning)
	}
	return s.report(false, nil, page.String())
}

// roffDetail returns a command's longer help as roff paragraphs. Lines that begin with spaces are examples and are not joined.
func roffDetail(text string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(text, "\n\n") {
		switch {
		case part == "":
		case strings.HasPrefix(part, " "):
			fmt.Fprintf(&b, ".PP\n.nf\n%s\n.fi\n", roff(part))
		default:
			fmt.Fprintf(&b, ".PP\n%s\n", roff(part))
		}
	}
	return b.String()
}

// roff returns a text with the characters escaped that have a meaning in roff, the format of manual pages.
func roff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
