package main

import (
	"strings"
	"testing"
)

func TestLearn(t *testing.T) {
	out, problems, code := told(t, "a3\nc1\nn\na2\nq\n", "learn")
	for _, want := range []string{
		"a3 isn't it.", "✅ Right, c1: winning move!", "Lesson 3 of 10", "2 of 10 lessons solved", "✅ 1. Three in a row\n▫️ 2. Block\n✅ 3. Make a fork",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in:\n%s", want, out)
		}
	}
	if code != exitOK || problems != "" {
		t.Errorf("exit %d: %s", code, problems)
	}
}
