package main

import "testing"

func TestLocaleOf(t *testing.T) {
	for _, tt := range []struct {
		name, all, ctype, messages, lang string
		language                         string
		utf8                             bool
	}{
		{"nothing is said", "", "", "", "", "", true},
		{"a language", "", "", "", "de_DE.UTF-8", "de-DE", true},
		{"as some systems spell it", "", "", "", "en_US.utf8", "en-US", true},
		{"no letters but ASCII", "C", "", "", "en_US.UTF-8", "C", false},
		{"the letters of an older time", "", "", "", "de_DE.ISO-8859-1", "de-DE", false},
		{"letters and language apart", "", "C.UTF-8", "fr_FR", "C", "fr-FR", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			env := map[string]string{"LC_ALL": tt.all, "LC_CTYPE": tt.ctype, "LC_MESSAGES": tt.messages, "LANG": tt.lang}
			language, utf8 := localeOf(func(name string) string { return env[name] })
			if language != tt.language || utf8 != tt.utf8 {
				t.Errorf("%q, %v", language, utf8)
			}
		})
	}
}
