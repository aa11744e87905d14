package bot_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDuplicates(t *testing.T) {
	inBubble(t, "an interaction that is delivered twice is handled once", func(t *testing.T, f *fake) {
		r := f.run(nil)
		for range 3 {
			f.gateway().click("1", "m1", "play")
		}
		passed(4 * time.Minute)
		f.gateway().click("1", "m1", "play")
		synctest.Wait()
		if diff := cmp.Diff([]string{"1 callback 4"}, f.answers()); diff != "" {
			t.Errorf("%s\n%s", diff, r.logs)
		}
	})
}
