package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTexts(t *testing.T) {
	said := func(t *testing.T, want int, args ...string) string {
		t.Helper()
		var out, errs strings.Builder
		if got := run(t.Context(), append([]string{"texts"}, args...), surroundings{os.Getenv, strings.NewReader(""), &out, &errs}); got != want {
			t.Fatalf("exit code %d, want %d: %s", got, want, errs.String())
		}
		return out.String() + errs.String()
	}
	t.Run("all languages are complete", func(t *testing.T) {
		got := said(t, exitOK)
		if n := strings.Count(got, " whole"); n != 32 || strings.Count(got, "\n") != 32 {
			t.Errorf("%d languages are complete: %s", n, got)
		}
	})
	t.Run("screens are drawn in the language", func(t *testing.T) {
		got := said(t, exitOK, "--locale", "de", "--screens")
		for _, words := range []string{"── settings-first ──", "Deine Sprache: ", "gegen «Bob"} {
			if !strings.Contains(got, words) {
				t.Errorf("no %q", words)
			}
		}
	})
	t.Run("missing keys of an edited file are named by line", func(t *testing.T) {
		folder := t.TempDir()
		for _, name := range []string{"en.json", "de.json"} {
			text, err := os.ReadFile(filepath.Join("../../internal/show/locale/texts", name))
			if err != nil {
				t.Fatal(err)
			}
			edited := strings.Replace(string(text), `"action.resign": "Aufgeben"`, `"action.resign": "Ich gebe jetzt auf und zwar ganz und gar"`, 1)
			if err := os.WriteFile(filepath.Join(folder, name), []byte(edited), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got := said(t, exitOK, "--locale", "de", "--missing", "--folder", folder)
		if !strings.HasPrefix(got, "de.json:") || !strings.Contains(got, "action.resign: it has ") || strings.Count(got, "\n") != 1 {
			t.Error(got)
		}
	})
	t.Run("a language that Discord has not", func(t *testing.T) {
		if got := said(t, exitUsage, "--locale", "tlh"); !strings.Contains(got, "pt-BR") {
			t.Error(got)
		}
	})
	t.Run("screens of which language", func(t *testing.T) {
		if got := said(t, exitUsage, "--screens"); !strings.Contains(got, "--locale de") {
			t.Error(got)
		}
	})
}
