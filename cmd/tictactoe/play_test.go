package main

import "testing"

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
