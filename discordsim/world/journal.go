package world

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// journalFormat is the first line of a state file. Other formats have another number.
const journalFormat = `{"discordsim":1}`

// rewriteAfter is how many bytes a journal may grow beyond twice the size of the
// state before it is rewritten.
const rewriteAfter = 64 << 20

// ErrDamaged means that a file is not a state file, or is damaged before its end.
var ErrDamaged = errors.New("damaged state file")

// ErrInUse means that another simulator uses the state file.
var ErrInUse = errors.New("state file in use")

// journal keeps a state in a file with one JSON line for each set of related changes. A
// line is written in one call before the request that caused the change is answered, so
// it survives the end of the process, though not always a power failure. An incomplete
// line at the end of the file is dropped, since its request was never answered.
type journal struct {
	path       string
	file       *os.File
	size       int64 // the size of the file
	compact    int64 // size of the file when it was last rewritten
	failed     error
	rewriteErr error        // the error of the last attempt to rewrite the file
	line       bytes.Buffer // the line being written; reused
	state      *State
	now        func() time.Time
}

// load reads the changes of a state file. If the file does not exist, it returns
// a new state and fresh is true.
func load(path string) (st *State, fresh bool, err error) {
	st = newState()
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0 {
		return st, true, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("reading the state: %w", err)
	}
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	if string(line) != journalFormat {
		return nil, false, fmt.Errorf("%w: %s does not begin with %s", ErrDamaged, path, journalFormat)
	}
	for n := 2; len(rest) > 0; n++ {
		var whole bool
		line, rest, whole = bytes.Cut(rest, []byte("\n"))
		if !whole {
			break
		}
		var changes []Change
		if err := json.Unmarshal(line, &changes); err != nil {
			return nil, false, fmt.Errorf("%w: %s, line %d: %w", ErrDamaged, path, n, err)
		}
		for _, c := range changes {
			st.apply(c)
		}
	}
	return st, false, nil
}

// keep writes the state to the file at path and appends later changes to it.
func (st *State) keep(path string, now func() time.Time) error {
	j := &journal{path: path, state: st, now: now}
	if err := j.rewrite(); err != nil {
		return err
	}
	st.journal, st.pending = j, nil
	return nil
}

// rewrite replaces the file by a file that holds only the current state.
func (j *journal) rewrite() error {
	file, err := os.CreateTemp(filepath.Dir(j.path), filepath.Base(j.path)+".new-*")
	if err != nil {
		return fmt.Errorf("keeping the state: %w", err)
	}
	defer os.Remove(file.Name()) // fails harmlessly after the rename
	var text bytes.Buffer
	text.WriteString(journalFormat + "\n")
	encoder := json.NewEncoder(&text)
	for _, c := range j.state.snapshot(j.now()) {
		if err := encoder.Encode([]Change{c}); err != nil {
			file.Close()
			return fmt.Errorf("keeping the state: %w", err)
		}
	}
	_, err = file.Write(text.Bytes())
	if err = errors.Join(err, file.Sync()); err == nil {
		err = os.Rename(file.Name(), j.path)
	}
	if err != nil {
		file.Close()
		return fmt.Errorf("keeping the state: %w", err)
	}
	if j.file != nil {
		j.file.Close()
	}
	j.file, j.size, j.compact = file, int64(text.Len()), int64(text.Len())
	return nil
}

// append adds one line. After a failure the file may end in an incomplete line,
// so nothing more is appended.
func (j *journal) append(changes []Change) error {
	if j.failed != nil {
		return j.failed
	}
	j.line.Reset()
	err := json.NewEncoder(&j.line).Encode(changes)
	if err == nil {
		_, err = j.file.Write(j.line.Bytes())
	}
	if err != nil {
		j.failed = fmt.Errorf("keeping the state: %w", err)
		return j.failed
	}
	j.size += int64(j.line.Len())
	if j.size > 2*j.compact+rewriteAfter {
		if j.rewriteErr = j.rewrite(); j.rewriteErr != nil {
			j.compact = j.size // the changes are in the file; the next attempt to rewrite it is made after more growth
		}
	}
	return nil
}

func (j *journal) close() error { return errors.Join(j.rewriteErr, j.file.Close()) }
