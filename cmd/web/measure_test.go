package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"tictactoe/game"
	"tictactoe/internal/longtest"
)

var (
	moves   = flag.Int("moves", 0, "measure how long so many moves take at each level, instead of none")
	matches = flag.Int("matches", 80, "how many matches are played in the test of the heap")
)

// A first visit in English loads at most 800 KB with brotli and 1,050 KB with gzip. The times are logged; docs/web.md has them.
func TestAFirstVisitIsSmall(t *testing.T) {
	longtest.Only(t)
	files := maps.Clone(pageOf(t))
	brotlis, gzips := 0, 0
	for name, content := range pageOf(t) {
		if strings.HasSuffix(name, ".br") || strings.Contains(name, "/texts/") && !strings.HasSuffix(name, "/en.json") || name == "icon-512.png" {
			continue
		}
		var br, gz bytes.Buffer
		zip, _ := gzip.NewWriterLevel(&gz, gzip.BestCompression)
		if err := pack(zip, content); err != nil {
			t.Fatal(err)
		}
		if err := pack(brotli.NewWriterOptions(&br, brotli.WriterOptions{Quality: quality, LGWin: 24}), content); err != nil {
			t.Fatal(err)
		}
		if compressed(name) {
			files[name+".br"] = br.Bytes()
		}
		brotlis, gzips = brotlis+br.Len(), gzips+gz.Len()
	}
	t.Logf("a first visit loads %d bytes with brotli, %d with gzip", brotlis, gzips)
	if brotlis > 800_000 || gzips > 1_050_000 {
		t.Error("a first visit loads more than 800 KB with brotli or 1,050 KB with gzip")
	}
	w := serve(t, chromium(t), files, 390, 844)
	type params struct {
		MatchedNetworkConditions []network.Conditions `json:"matchedNetworkConditions"`
	}
	slow := cdp.Command[params, network.EmulateNetworkConditionsByRuleResult]{Method: network.CommandEmulateNetworkConditionsByRule}
	if _, err := chromedp.Call(w.ctx, slow, params{[]network.Conditions{{Latency: 150, DownloadThroughput: 200_000, UploadThroughput: 200_000}}}); err != nil {
		t.Fatal(err)
	}
	w.do(chromedp.Navigate(w.url))
	pressed := eval[float64](w, `new Promise((pressed) => { const look = () => { const s = document.querySelector("[data-name=c3]"); if (s) { s.click(); pressed(performance.now()); } else setTimeout(look, 5); }; look(); })`)
	answered := eval[float64](w, `new Promise((answered) => { const look = () => { if (document.querySelector(".square .O")) answered(performance.now()); else setTimeout(look, 5); }; look(); })`)
	t.Logf("at 1.6 Mbit/s and 150 ms the first press counts after %.1f s, and the computer answers after %.1f s; loaded:\n%s", pressed/1000, answered/1000,
		eval[string](w, `performance.getEntriesByType("resource").map((e) => [e.name.split("/").pop(), Math.round(e.startTime), Math.round(e.responseEnd), e.encodedBodySize].join(" ")).join("\n")`))
}

// The memory of the program does not grow with the number of matches.
func TestTheHeapAfterManyMatches(t *testing.T) {
	longtest.Only(t)
	files := maps.Clone(pageOf(t))
	for name := range files {
		if strings.HasSuffix(name, "/worker.mjs") {
			files[name] = append([]byte(`const make = WebAssembly.instantiate, heap = new BroadcastChannel("heap");
				WebAssembly.instantiate = async (...of) => { const made = await make(...of); heap.onmessage = () => heap.postMessage(made.exports.mem.buffer.byteLength); return made; };`), files[name]...)
			delete(files, name+".br")
		}
	}
	w := serve(t, chromium(t), files, 390, 844)
	w.visit("")
	const sizes = `new Promise((said) => {
		const heap = new BroadcastChannel("heap");
		heap.onmessage = ({ data }) => said([data / 1e6, performance.memory.usedJSHeapSize / 1e6]);
		heap.postMessage("");
	})`
	boards, first := game.OfferedNames(), 0.0
	for n := range *matches {
		w.match(boards[n%len(boards)], "hard", 40)
		if n%10 != 9 {
			continue
		}
		m := eval[[]float64](w, sizes)
		t.Logf("after %d matches: program %.1f MB, page %.1f MB", n+1, m[0], m[1])
		if n == 39 {
			first = m[0]
		} else if n > 39 && m[0] > 1.5*first {
			t.Errorf("the program takes %.1f MB after %d matches, and %.1f after 40", m[0], n+1, first)
		}
	}
}

// How long moves take on the largest boards is logged; docs/web.md has it.
func TestTheTimeOfAMove(t *testing.T) {
	if *moves == 0 {
		t.Skip("it only measures: run with -moves 200")
	}
	w := open(t, chromium(t), 390, 844)
	w.visit("")
	for _, board := range []string{"5x5", "drop-5x5"} {
		for _, level := range []string{"hard", "minimax", "unbeatable"} {
			var times []float64
			for len(times) < *moves {
				times = append(times, w.match(board, level, 60)...)
			}
			slices.Sort(times)
			t.Logf("%s against %s: half of %d moves within %.0f ms, 99 of 100 within %.0f ms, all within %.0f ms", board, level, len(times),
				times[len(times)/2], times[len(times)*99/100], times[len(times)-1])
		}
	}
}

// match plays random moves against a level, with a pause in milliseconds after each, in which the program collects its garbage. It returns the
// milliseconds from each press to the screen with the answer.
func (w *window) match(board, level string, pause int) []float64 {
	w.t.Helper()
	return eval[[]float64](w, fmt.Sprintf(`(async () => {
		const times = [];
		let s = await tictactoeCall("do", "new:%s:%s:random");
		for (;;) {
			const open = s.cells.filter((c) => c.do.startsWith("play:") && !c.mark);
			if (!open.length || times.length === 40) return times;
			const began = performance.now();
			s = await tictactoeCall("do", open[Math.floor(Math.random() * open.length)].do);
			times.push(performance.now() - began);
			await new Promise((thought) => setTimeout(thought, %d));
		}
	})()`, board, level, pause))
}
