package console

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestProgress(t *testing.T) {
	// work reports progress each second for 25 s.
	work := func(bar *Progress) {
		for n := range 25 {
			bar.Of("copied", "rows")(n, 25)
			time.Sleep(time.Second)
		}
		bar.End()
	}
	t.Run("without a terminal nothing is shown", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var said strings.Builder
			work(NewProgress(&said))
			if said.Len() > 0 {
				t.Errorf("%q", said.String())
			}
		})
	})
	t.Run("on a terminal one line is shown and cleared at the end", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var said strings.Builder
			bar := &Progress{w: &said, pause: 12 * time.Second}
			work(bar)
			bar.End() // a second End clears nothing
			if said.String() != "\rcopied 0 of 25 rows\x1b[K\rcopied 12 of 25 rows\x1b[K\rcopied 24 of 25 rows\x1b[K\r\x1b[K" {
				t.Errorf("%q", said.String())
			}
		})
	})
}
