package main

import (
	"strings"
	"testing"
)

func TestLanguageOf(t *testing.T) {
	for _, tt := range []struct{ name, all, messages, lang, want string }{
		{"nothing is said", "", "", "", ""},
		{"a language", "", "", "de_DE.UTF-8", "de-DE"},
		{"another one for all", "C", "", "en_US.UTF-8", "C"},
		{"letters and language apart", "", "fr_FR", "C", "fr-FR"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			env := map[string]string{"LC_ALL": tt.all, "LC_MESSAGES": tt.messages, "LANG": tt.lang}
			if got := languageOf(func(name string) string { return env[name] }); got != tt.want {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestLearn(t *testing.T) {
	out, problems, code := runInProcess(t, "a3\nc1\nn\na2\nq\n", "learn")
	for _, want := range []string{
		"Not a3.", "✅ Right, c1: a winning move!", "Lesson 3 of 10", "2 of 10 lessons solved", "✅ 1. Three in a row\n▫️ 2. Block a win\n✅ 3. Make a fork",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in:\n%s", want, out)
		}
	}
	if code != exitOK || problems != "" {
		t.Errorf("exit %d: %s", code, problems)
	}
}
