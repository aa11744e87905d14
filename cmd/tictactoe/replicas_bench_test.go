package main

import (
	"bufio"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"regexp"
	"sync/atomic"
	"syscall"
	"testing"

	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
)

// BenchmarkReplicas measures how many clicks a second one, two and three processes answer behind a plain proxy, with one Postgres.
// It reports the processor time of this process (client and proxy), of the bots, and of the Postgres server.
func BenchmarkReplicas(b *testing.B) {
	signer := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	key := signer.Public().(ed25519.PublicKey)
	discord := mutedDiscord(b, key)
	for n := 1; n <= 3; n++ {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			db := pgtest.Migrated(b)
			store, err := postgres.Open(b.Context(), db)
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { store.Close() })
			var bots []int
			var targets []*url.URL
			for range n {
				process, address := serveFor(b, listensPattern, "--db", db, "--discord-url", discord.URL,
					"--http", "127.0.0.1:0", "--public-key", hex.EncodeToString(key))
				bots = append(bots, process)
				targets = append(targets, &url.URL{Scheme: "http", Host: address})
			}
			var turn atomic.Int64
			proxy := httptest.NewServer(&httputil.ReverseProxy{
				Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(targets[int(turn.Add(1))%n]) },
				Transport: &http.Transport{MaxIdleConnsPerHost: 64},
			})
			b.Cleanup(proxy.Close)
			clickOverHTTP(b, discord, signer, proxy.Listener.Addr().String(), beginIn(b, store),
				own(b, "client-us/click"), of(b, "bots-us/click", bots...), meter{"postgres-us/click", serverOf(b, db)})
			reportResident(b, bots)
		})
	}
}

// reportResident reports the resident memory of each process.
func reportResident(b *testing.B, processes []int) {
	var kib int
	for _, process := range processes {
		kib += residentKiB(b, process)
	}
	b.ReportMetric(float64(kib)/1024/float64(len(processes)), "RSS-MiB")
}

// serveFor starts a bot that runs until the benchmark ends. It returns the process id, and the part of the bot's log that
// matches the group in ready.
func serveFor(b *testing.B, ready *regexp.Regexp, args ...string) (process int, found string) {
	path, err := program()
	if err != nil {
		b.Fatal(err)
	}
	bot := exec.Command(path, append([]string{"serve", "--user-rate", "0"}, args...)...)
	bot.Env = []string{"HOME=/nowhere", "DISCORD_TOKEN=" + playgroundToken}
	said, err := bot.StderrPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := bot.Start(); err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewScanner(said)
	read := make(chan struct{})
	b.Cleanup(func() {
		if err := bot.Process.Signal(syscall.SIGTERM); err != nil {
			b.Error(err)
		}
		<-read
		if err := bot.Wait(); err != nil {
			b.Error(err)
		}
	})
	for lines.Scan() {
		if match := ready.FindStringSubmatch(lines.Text()); match != nil {
			found = match[1]
			break
		}
	}
	go func() {
		defer close(read)
		for lines.Scan() { // reads on, so that the bot can write its log
		}
	}()
	if found == "" {
		b.Fatal("the bot has ended")
	}
	return bot.Process.Pid, found
}
