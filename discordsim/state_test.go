package discordsim_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/discordsim"
)

func TestARestartShowsTheSameDiscord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sim.discord")
	first := newWorld(t, discordsim.Config{State: file})
	first.register(pingCommand)
	if _, err := first.AddUser(discordsim.Person{Username: "dave", Locale: "de"}); err != nil {
		t.Fatal(err)
	}
	general := first.channel("general")
	_, board := first.rest("POST", "/channels/"+general+"/messages", `{"content":"board"}`)
	_, gone := first.rest("POST", "/channels/"+general+"/messages", `{"content":"gone"}`)
	first.rest("DELETE", "/channels/"+general+"/messages/"+gone["id"].(string), "")
	if _, err := first.User("dave").Write("general", "hello"); err != nil {
		t.Fatal(err)
	}
	if err := first.Advance(context.Background(), 24*time.Hour); err != nil {
		t.Fatal(err)
	}
	snapshot := func(w *world) (state, messages string) {
		_, state, _ = w.raw("GET", "/sim/state?as=alice", "", "")
		_, messages, _ = w.raw("GET", "/sim/messages?as=alice&channel=general", "", "")
		return state[strings.Index(state, `"guilds"`):], messages
	}
	state, messages := snapshot(first)
	ahead := first.Clock().Offset()

	second := newWorld(t, discordsim.Config{State: left(t, file)})
	state2, messages2 := snapshot(second)
	if diff := cmp.Diff(state, state2); diff != "" {
		t.Errorf("state changed:\n%s", diff)
	}
	if diff := cmp.Diff(messages, messages2); diff != "" {
		t.Errorf("messages changed:\n%s", diff)
	}
	if got := second.Clock().Offset(); got < ahead || got > ahead+time.Minute {
		t.Errorf("the clock is ahead by %v, was %v", got, ahead)
	}
	status, edited := second.rest("PATCH", "/channels/"+general+"/messages/"+board["id"].(string), `{"content":"moved"}`)
	if status != http.StatusOK || edited["content"] != "moved" {
		t.Errorf("editing the old board got %d %v", status, edited)
	}
	m, err := second.User("alice").Write("general", "new")
	if err != nil || m.ID <= edited["id"].(string) {
		t.Errorf("the next id is %v, %v", m, err)
	}
}

// left returns a copy of the state file, as a process that was killed now would leave it.
func left(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "sim.discord")
	if err := os.WriteFile(copied, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return copied
}

func TestATokenOutlivesARestart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sim.discord")
	first := newWorld(t, discordsim.Config{State: file})
	first.register(pingCommand)
	g := first.dial("")
	g.identify("")
	g.expect(0, "GUILD_CREATE")
	first.drive("command", `{"as":"alice","channel":"general","name":"ping","hold":true}`)
	d := g.expect(0, "INTERACTION_CREATE").D
	callback := "/interactions/" + d["id"].(string) + "/" + d["token"].(string) + "/callback"
	if status, refused := first.rest("POST", callback, sayPong); status != 204 {
		t.Fatalf("got %d %v", status, refused)
	}
	again := left(t, file)
	newWorld(t, discordsim.Config{State: again}) // rewrites the file
	second := newWorld(t, discordsim.Config{State: left(t, again)})
	original := "/webhooks/" + botID + "/" + d["token"].(string) + "/messages/@original"
	if status, edited := second.rest("PATCH", original, `{"content":"still"}`); status != 200 || edited["content"] != "still" {
		t.Errorf("got %d %v", status, edited)
	}
	if status, refused := second.rest("POST", callback, sayPong); refused["code"] != 40060.0 {
		t.Errorf("a second callback got %d %v", status, refused)
	}
}

func TestStateFile(t *testing.T) {
	write := func(t *testing.T) (file string, text []byte) {
		t.Helper()
		file = filepath.Join(t.TempDir(), "sim.discord")
		sim, err := discordsim.New(discordsim.Config{State: file})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"one", "two"} {
			if _, err := sim.User("alice").Write("general", text); err != nil {
				t.Fatal(err)
			}
		}
		if err := sim.Close(); err != nil {
			t.Fatal(err)
		}
		if text, err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
		return file, text
	}
	t.Run("a torn last line is dropped", func(t *testing.T) {
		file, text := write(t)
		if err := os.WriteFile(file, text[:len(text)-10], 0o600); err != nil {
			t.Fatal(err)
		}
		sim, err := discordsim.New(discordsim.Config{State: file})
		if err != nil {
			t.Fatal(err)
		}
		defer sim.Close()
		messages, err := sim.User("alice").Messages("general")
		if err != nil || len(messages) != 1 || messages[0].Content != "one" {
			t.Errorf("there are %v, %v", messages, err)
		}
	})
	for name, damage := range map[string]func([]byte) []byte{
		"a broken line before the end":  func(text []byte) []byte { return []byte(strings.Replace(string(text), `"one"`, `"one`, 1)) },
		"a file that is something else": func([]byte) []byte { return []byte("SQLite format 3\x00") },
		"a file of a later format":      func(text []byte) []byte { return []byte(strings.Replace(string(text), `:1}`, `:2}`, 1)) },
	} {
		t.Run(name+" is refused and not touched", func(t *testing.T) {
			file, text := write(t)
			damaged := damage(text)
			if err := os.WriteFile(file, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := discordsim.New(discordsim.Config{State: file}); !errors.Is(err, discordsim.ErrDamaged) {
				t.Errorf("got %v", err)
			}
			if after, err := os.ReadFile(file); err != nil || string(after) != string(damaged) {
				t.Errorf("the file was changed, %v", err)
			}
		})
	}
	t.Run("everybody gets the permissions that an earlier program did not know", func(t *testing.T) {
		file, text := write(t)
		now := strconv.FormatInt(int64(everyone(t, file)), 10)
		before := strconv.FormatInt(int64(everyone(t, file)&^discordsim.SendMessagesInThreads), 10)
		old := bytes.ReplaceAll(text, []byte(`"`+now+`"`), []byte(`"`+before+`"`))
		if bytes.Equal(old, text) {
			t.Fatal("the file does not say what everybody may do")
		}
		if err := os.WriteFile(file, old, 0o600); err != nil {
			t.Fatal(err)
		}
		if !everyone(t, file).Has(discordsim.SendMessagesInThreads) {
			t.Error("threads are closed to everybody")
		}
	})
	t.Run("a folder that does not exist is an error", func(t *testing.T) {
		if _, err := discordsim.New(discordsim.Config{State: filepath.Join(t.TempDir(), "none", "sim.discord")}); err == nil {
			t.Error("no error")
		}
	})
	t.Run("founding ids are the same in every simulator", func(t *testing.T) {
		a, b := newWorld(t, discordsim.Config{}), newWorld(t, discordsim.Config{})
		if a.User("carol").ID() != b.User("carol").ID() || a.channel("general") != b.channel("general") {
			t.Error("they differ")
		}
	})
}

func TestOneStateFileBelongsToOneSimulator(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	first, err := discordsim.New(discordsim.Config{State: path})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := discordsim.New(discordsim.Config{State: path}); !errors.Is(err, discordsim.ErrInUse) {
		t.Errorf("a second simulator got %v, not ErrInUse", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := discordsim.New(discordsim.Config{State: path})
	if err != nil {
		t.Fatalf("after the first was closed: %v", err)
	}
	second.Close()

	other := filepath.Join(t.TempDir(), "other")
	linked := filepath.Join(t.TempDir(), "state")
	if err := os.Symlink(other, linked+".lock"); err != nil {
		t.Fatal(err)
	}
	if sim, err := discordsim.New(discordsim.Config{State: linked}); err == nil {
		sim.Close()
		t.Error("a symbolic link was taken for the lock file")
	}
	if _, err := os.Lstat(other); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the link's target was made: %v", err)
	}
}

// A process that is being started keeps open the files of its parent, until its own program begins.
func TestAClosedStateFileIsFreeWhileProcessesAreStarted(t *testing.T) {
	program, err := exec.LookPath("true")
	if err != nil {
		t.Skip("there is no program to start")
	}
	path := filepath.Join(t.TempDir(), "state")
	var starting sync.WaitGroup
	defer starting.Wait()
	enough := make(chan struct{})
	defer close(enough)
	for range 4 {
		starting.Go(func() {
			for {
				select {
				case <-enough:
					return
				default:
				}
				if err := exec.Command(program).Run(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 50 {
		sim, err := discordsim.New(discordsim.Config{State: path})
		if err != nil {
			t.Fatal(err)
		}
		if err := sim.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// everyone returns bob's permissions in general, in the world of a state file.
func everyone(t *testing.T, file string) discordsim.Permission {
	t.Helper()
	w := newWorld(t, discordsim.Config{State: file})
	defer w.Close()
	var may discordsim.Permission
	ch := w.listed("bob", "channels", "name", "general")
	if err := json.Unmarshal([]byte(`"`+ch["permissions"].(string)+`"`), &may); err != nil {
		t.Fatal(err)
	}
	return may
}
