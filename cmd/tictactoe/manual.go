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
	Shell string   `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
	Typed []string `arg:"" optional:"" passthrough:"" help:"What the shell's user has typed before the word to complete. Without it, the script for the shell is printed."`
}

func (completionCommand) Help() string {
	return `A line for the file that the shell reads at its start:

  source <(tictactoe completion bash)
  source <(tictactoe completion zsh)
  tictactoe completion fish | source`
}

// completions has the script for each shell. A script asks the program that is typed which words can follow.
var completions = map[string]string{
	"bash": `_tictactoe() {
	COMPREPLY=($(compgen -W "$("${1/#\~/$HOME}" completion bash "${COMP_WORDS[@]:0:COMP_CWORD}" 2>/dev/null)" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tictactoe tictactoe
`,
	"zsh": `#compdef tictactoe
_tictactoe() {
	local -a found
	found=(${(f)"$("${~words[1]}" completion zsh "${(@)words[1,CURRENT-1]}" 2>/dev/null)"})
	_describe tictactoe found || _files
}
compdef _tictactoe tictactoe
`,
	"fish": `complete -c tictactoe -n 'test (count (commandline -opc)) -eq 1' -f
complete -c tictactoe -a '(tictactoe completion fish (commandline -opc) 2>/dev/null)'
`,
}

// Run prints the script for a shell or, when the script calls it, the words that can follow, one on a line, as the shell expects them.
func (c *completionCommand) Run(s surroundings, app *kong.Application) error {
	if len(c.Typed) == 0 {
		return s.report(false, nil, completions[c.Shell])
	}
	form := map[string]string{"bash": "%[1]s\n", "zsh": "%s:%s\n", "fish": "%s\t%s\n"}[c.Shell]
	for _, w := range following(app.Node, c.Typed[1:]) {
		if _, err := fmt.Fprintf(s.stdout, form, w.text, w.help); err != nil {
			return err
		}
	}
	return nil
}

// word is a command, flag or value that the user can type, and the help that explains it.
type word struct{ text, help string }

// following returns the words that can follow the typed ones: commands and flags or, after a flag with a value, the values if they are few.
func following(at *kong.Node, typed []string) (words []word) {
	var last *kong.Flag // the flag that expects a value
	for _, text := range typed {
		last = nil
		if n := slices.IndexFunc(at.Children, func(n *kong.Node) bool { return n.Name == text }); n >= 0 {
			at = at.Children[n]
		} else if f := slices.IndexFunc(flagsOf(at), func(f *kong.Flag) bool { return "--"+f.Name == text && !f.IsBool() }); f >= 0 {
			last = flagsOf(at)[f]
		}
	}
	if last != nil {
		if last.Enum == "" {
			return nil
		}
		for _, value := range last.EnumSlice() {
			words = append(words, word{text: value})
		}
		return words
	}
	for _, child := range at.Children {
		words = append(words, word{child.Name, child.Help})
	}
	for _, f := range flagsOf(at) {
		words = append(words, word{"--" + f.Name, f.Help})
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
