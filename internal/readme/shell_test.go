package readme_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// checkLine checks that what a line of shell uses in this repository exists: the program's commands, packages and files.
func checkLine(line string) error {
	var errs []error
	for _, words := range split(line) {
		for len(words) > 0 && (assignment.MatchString(words[0]) || words[0] == "sudo") {
			words = words[1:]
		}
		if len(words) > 0 {
			errs = append(errs, checkCommand(words))
		}
	}
	return errors.Join(errs...)
}

func checkCommand(words []string) error {
	var errs []error
	switch first := words[0]; {
	case path.Base(first) == "tictactoe":
		return checkProgram(words[1:])
	case first == "go" && len(words) > 2 && words[1] == "run" && words[2] == "./cmd/tictactoe":
		return checkProgram(words[3:])
	case first == "docker" && len(words) > 1 && words[1] == "run":
		image := slices.Index(words, "tictactoe")
		if image < 0 {
			return fmt.Errorf("%q runs an image other than tictactoe", strings.Join(words, " "))
		}
		if image+1 < len(words) {
			errs = append(errs, checkProgram(words[image+1:]))
		}
		words = words[:image]
	}
	for _, word := range words {
		errs = append(errs, checkPath(word))
	}
	return errors.Join(errs...)
}

// checkProgram asks the program itself whether it accepts the arguments. Commands that end by themselves are run; for all others it
// asks for the help, which the program prints only if it knows all flags. Games between computers run without pauses.
func checkProgram(args []string) error {
	args = slices.Clone(args)
	switch {
	case len(args) > 0 && args[0] != "play" && args[0] != "version":
		args = append(args, "--help")
	case slices.Contains(args, "--delay"):
		args = append(args, "--delay", "0s") // the last value counts, and the first must still be valid
	}
	key := strings.Join(args, "\x00")
	if err, done := checked[key]; done {
		return err
	}
	err := runProgram(args)
	checked[key] = err
	return err
}

// checked caches the results by arguments, because many of them occur several times in the pages.
var checked = map[string]error{}

func runProgram(args []string) error {
	cmd := exec.Command(program, args...)
	cmd.Env = []string{"HOME=" + filepath.Dir(program)}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("tictactoe %s: %w: %s", strings.Join(args, " "), err, &said)
	}
	return nil
}

// checkPath returns an error if a word names a file or folder of this repository that does not exist.
func checkPath(word string) error {
	name, relative := strings.CutPrefix(strings.TrimSuffix(word, "/..."), "./")
	if name == "" || name == "." || name == "..." || strings.ContainsAny(name, "*<>{}$|= :") {
		return nil
	}
	if !relative {
		first, _, isPath := strings.Cut(name, "/")
		if _, err := os.Stat(filepath.Join(root, first)); err != nil || !isPath || first == "dist" || first == "" {
			return nil // the file is not of this repository, or a build makes it
		}
	}
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err != nil {
		return fmt.Errorf("%s does not exist", word)
	}
	return nil
}

// split splits a line of shell into commands, each a list of words. It understands quotes, comments, pipes and lists, and drops
// redirections.
func split(line string) [][]string {
	var commands [][]string
	var words []string
	var word strings.Builder
	inWord, redirected := false, false
	endWord := func() {
		if inWord && !redirected {
			words = append(words, word.String())
		}
		if inWord {
			redirected = false
		}
		inWord = false
		word.Reset()
	}
	endCommand := func() {
		endWord()
		if len(words) > 0 {
			commands = append(commands, words)
		}
		words = nil
	}
	var quote rune
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == '#' && !inWord:
			endCommand()
			return commands
		case r == ' ' || r == '\t':
			endWord()
		case r == '>' || r == '<':
			if strings.Trim(word.String(), "0123456789") == "" { // the word is the number of the redirected stream
				word.Reset()
				inWord = false
			}
			endWord()
			redirected = true
		case r == '&' && redirected && !inWord: // as in 2>&1
		case r == '|' || r == '&' || r == ';':
			endCommand()
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	endCommand()
	return commands
}

// joined returns the lines of a block, and joins each line that ends in a backslash with the next line.
func joined(lines []string) []string {
	var whole []string
	continued := false
	for _, line := range lines {
		text, more := strings.CutSuffix(line, "\\")
		if continued {
			whole[len(whole)-1] += strings.TrimLeft(text, " ")
		} else {
			whole = append(whole, text)
		}
		continued = more
	}
	return whole
}
