package main

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"tictactoe/internal/longtest"
)

func TestAnInterruptEndsAGameInTheTerminal(t *testing.T) {
	t.Parallel()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	said := &output{}
	cmd := exec.Command(path, "play", "--starting", "X")
	cmd.Stdout = said
	keyboard, err := cmd.StdinPipe() // the input stays open, and nothing is written to it
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer keyboard.Close()
	hung := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	waitUntil(t, "it waits for a move", func() bool { return strings.Contains(said.String(), "Your move (X)>") })
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if !hung.Stop() {
		t.Error("an interrupt did not end the program")
	}
}

func TestAnInterruptEndsCommandsThatComputeOrRead(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args        []string
		input, said string // the input, and the answer before the interrupt
	}{
		{[]string{"analyse"}, "X.O/.X./..O\n", "X to move: draw in 5"},
	} {
		said, complaint := &output{}, &output{}
		cmd := exec.Command(path, c.args...)
		cmd.Stdout, cmd.Stderr = said, complaint
		keyboard, err := cmd.StdinPipe() // the input stays open
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		defer keyboard.Close()
		if _, err := keyboard.Write([]byte(c.input)); err != nil {
			t.Error(err)
		}
		hung := time.AfterFunc(patience, func() { cmd.Process.Kill() })
		waitUntil(t, "it answers", func() bool { return strings.Contains(said.String(), c.said) })
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		cmd.Wait()
		if !hung.Stop() {
			t.Errorf("%s: an interrupt did not end it", c.args)
		}
		// A shell reports this as status 130.
		if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGINT || complaint.String() != "" {
			t.Errorf("%s: ended with %v, want the signal: %s", c.args, cmd.ProcessState, complaint)
		}
	}
}
