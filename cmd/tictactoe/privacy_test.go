package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestPrivacyFillsInTheTemplates(t *testing.T) {
	t.Parallel()
	capitals := regexp.MustCompile(`\[([A-Z-]+)\]`)
	said, complaint, code := runInProcess(t, "", "privacy", "--operator", "Ann Example")
	blanks := map[string]bool{}
	for _, m := range capitals.FindAllStringSubmatch(said, -1) {
		blanks["--"+strings.ToLower(m[1])] = true
	}
	if code != exitUsage || !strings.Contains(said, "# Privacy policy") || !strings.Contains(said, "# Terms of use") || strings.Count(said, "Ann Example") != 2 || len(blanks) != 8 {
		t.Errorf("the command ended with %d and left %v:\n%s", code, blanks, said)
	}
	folder := t.TempDir()
	args := []string{"privacy", "--operator", "Ann Example", "--out", folder}
	for flag := range blanks {
		if !strings.Contains(complaint, flag) {
			t.Errorf("%s is not reported: %s", flag, complaint)
		}
		args = append(args, flag, "my "+flag)
	}
	if said, complaint, code := runInProcess(t, "", args...); code != exitOK || said != "" {
		t.Errorf("the command ended with %d: %s%s", code, said, complaint)
	}
	for _, name := range []string{"privacy.md", "terms.md"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || capitals.Match(text) || !strings.Contains(string(text), "my --contact") {
			t.Errorf("%s (%v):\n%s", name, err, text)
		}
	}
}

func TestDoctorReadsThePolicies(t *testing.T) {
	t.Parallel()
	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/template":
			_, _ = w.Write([]byte("The operator is [OPERATOR]."))
		case "/gone":
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(pages.Close)
	for want, args := range map[string][]string{
		"hint     privacy      no --privacy-url (TICTACTOE_PRIVACY_URL) is set":     nil,
		"hint     terms        no --terms-url (TICTACTOE_TERMS_URL) is set":         nil,
		"hint     privacy      " + pages.URL + "/template has the blank [OPERATOR]": {"--privacy-url", pages.URL + "/template"},
		"hint     terms        " + pages.URL + "/gone answers 404 Not Found":        {"--terms-url", pages.URL + "/gone"},
		"ok       terms        " + pages.URL + "/filled can be read":                {"--terms-url", pages.URL + "/filled"},
	} {
		said, _, _ := runInProcess(t, "", append([]string{"doctor", "--db", filepath.Join(t.TempDir(), "x.db")}, args...)...)
		if !strings.Contains(said, want) {
			t.Errorf("doctor %v does not say %q:\n%s", args, want, said)
		}
	}
}
