package check_test

import (
	"encoding/json"
	"os"
	"testing"

	"tictactoe/discordsim/check"
)

// FuzzAnyBodyGetsAnAnswer tests that the checker accepts every body, or refuses it with an error that Discord could
// send.
func FuzzAnyBodyGetsAnAnswer(f *testing.F) {
	for _, tt := range badBodies {
		f.Add(int(tt.kind), []byte(tt.bad))
		f.Add(int(tt.kind), []byte(tt.good))
	}
	for _, tt := range goodBodies {
		f.Add(int(tt.kind), []byte(tt.body))
	}
	for _, body := range []string{`[]`, `5`, `"x"`, `null`, `{"type":9,"data":[]}`, `[[[[]]]]`, `{"components":[[],{}]}`, `{"flags":1e-400000000}`} {
		f.Add(0, []byte(body))
	}
	checkers := []*check.Checker{handRules(f)}
	if _, err := os.Stat(specPath()); err == nil {
		checkers = append(checkers, described(f))
	}
	f.Fuzz(func(t *testing.T, kind int, body []byte) {
		kind = (kind%7 + 7) % 7
		for _, c := range checkers {
			c.Findings(check.Kind(kind), body)
			refusal := judge(c, check.Kind(kind), string(body))
			if refusal == nil {
				continue
			}
			answer, err := json.Marshal(refusal)
			if err != nil || !json.Valid(answer) || refusal.Error() == "" {
				t.Errorf("no answer to %s: %s, %v", body, answer, err)
			}
			if refusal.Status != 400 || refusal.Code == 0 || refusal.Message == "" {
				t.Errorf("an answer unlike Discord's to %s: %+v", body, refusal)
			}
		}
	})
}
