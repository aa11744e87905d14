package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/mattn/go-sqlite3"

	"tictactoe/game"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/sqlite"
)

// These statements are the minimum that a program saves for a click: a new version of the match, and the move. The version is read first.
const (
	floorRead  = `SELECT version, (SELECT count(*) FROM moves WHERE match = matches.id) FROM matches WHERE id = $1`
	floorMatch = `UPDATE matches SET deadline = $3, version = version + 1 WHERE id = $1 AND version = $2`
	floorMove  = `INSERT INTO moves (match, ply, square, at) VALUES ($1, $2, $3, $4)`
)

// click holds the fields of a request of clickOverHTTP that the floor needs, found without decoding the JSON.
type click struct{ interaction, match, square string }

// serveFloor verifies requests and answers them with the result of take. It runs no bot.
func serveFloor(b *testing.B, key ed25519.PublicKey, listener net.Listener, take func(click) (answer []byte, err error)) {
	between := func(body []byte, before, after string) string {
		_, rest, _ := bytes.Cut(body, []byte(before))
		found, _, _ := bytes.Cut(rest, []byte(after))
		return string(found)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		signature, bad := hex.DecodeString(r.Header.Get("X-Signature-Ed25519"))
		if err != nil || bad != nil || !ed25519.Verify(key, append([]byte(r.Header.Get("X-Signature-Timestamp")), body...), signature) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		customID := strings.Split(between(body, `"custom_id":"play:`, `"`), ":")
		answer, err := take(click{between(body, `{"id":"`, `"`), customID[0], customID[len(customID)-1]})
		if err != nil {
			b.Error(err)
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(answer)
	})}
	go server.Serve(listener)
	b.Cleanup(func() { server.Close() })
}

// unchanged returns a function that calls save, and then answers that the screen does not change.
func unchanged(save func(click) error) func(click) ([]byte, error) {
	return func(c click) ([]byte, error) { return []byte(`{"type":6}`), save(c) }
}

// promised returns functions that do the minimum to keep the bot's promises about a click. take applies the rules, saves the move,
// and the board's message with the bot's store, and answers with the board. It keeps the matches in memory, and has no
// dispatcher, referee, texts or markdown. begin stores new matches.
func promised(b *testing.B, store match.Store) (take func(click) ([]byte, error), begin func(context.Context, []match.Match)) {
	var matches sync.Map
	begin = func(ctx context.Context, all []match.Match) {
		beginIn(b, store)(ctx, all)
		for _, m := range all {
			matches.Store(string(m.ID), m)
		}
	}
	return func(c click) ([]byte, error) {
		now := time.Now()
		found, _ := matches.Load(c.match)
		before := found.(match.Match)
		square, err := before.Position().Rules().ParseSquare(c.square)
		if err != nil {
			return nil, err
		}
		after, err := before.Play(before.Turn().Player, before.Record.Len(), square, now)
		if err != nil {
			return nil, err
		}
		matches.Store(c.match, after)
		err = store.Save(b.Context(), match.Save{Matches: []match.MatchChange{{From: before, To: after}}, Extras: []match.Extra{
			board.Reference{ID: after.ID, Guild: string(after.Venue), Channel: "8", Message: "9", Token: c.interaction, Expires: now.Add(15 * time.Minute)},
		}})
		if err != nil {
			return nil, err
		}
		components := []discordgo.MessageComponent{discordgo.TextDisplay{Content: "**A** (X) vs. **B** (O)"}}
		for row := range 3 {
			var buttons discordgo.ActionsRow
			for column := range 3 {
				at := game.Square(3*row + column)
				buttons.Components = append(buttons.Components, discordgo.Button{
					CustomID: fmt.Sprintf("play:%s:%d:%s", after.ID, after.Record.Len(), after.Position().Rules().Name(at)),
					Style:    discordgo.SecondaryButton, Emoji: &discordgo.ComponentEmoji{Name: after.Position().At(at).String()},
				})
			}
			components = append(components, buttons)
		}
		answer, err := json.Marshal(discordgo.InteractionResponse{Type: discordgo.InteractionResponseUpdateMessage, Data: &discordgo.InteractionResponseData{
			Flags: discordgo.MessageFlagsIsComponentsV2, Components: components, AllowedMentions: &discordgo.MessageAllowedMentions{},
		}})
		return answer, err
	}, begin
}

// floorOnSQLite returns a function that saves clicks in a file with prepared statements and syncs each commit. Clicks that wait
// share a commit, as in the store.
func floorOnSQLite(b testing.TB) (*sqlite.Store, func(click) error) {
	path := filepath.Join(b.TempDir(), "bot.db")
	store, err := sqlite.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	db, err := sql.Open("sqlite3", "file:"+path+"?_synchronous=FULL&_foreign_keys=1&_secure_delete=1&_busy_timeout=5000")
	if err != nil {
		b.Fatal(err)
	}
	conn, err := db.Conn(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	prepare := func(statement string) *sql.Stmt {
		prepared, err := conn.PrepareContext(ctx, strings.ReplaceAll(statement, "$", "?"))
		if err != nil {
			b.Fatal(err)
		}
		return prepared
	}
	begin, commit := prepare("BEGIN IMMEDIATE"), prepare("COMMIT")
	read, update, move := prepare(floorRead), prepare(floorMatch), prepare(floorMove)
	save := func(c click) (err error) {
		var version, ply int
		if err := read.QueryRowContext(ctx, c.match).Scan(&version, &ply); err != nil {
			return err
		}
		now := time.Now().UnixMilli()
		if _, err = update.ExecContext(ctx, c.match, version, now); err == nil {
			_, err = move.ExecContext(ctx, c.match, ply, ply, now)
		}
		return err
	}
	type waiting struct {
		click
		done chan error
	}
	queue := make(chan waiting, 64)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for first := range queue {
			all := []waiting{first}
			for len(queue) > 0 {
				all = append(all, <-queue)
			}
			_, err := begin.ExecContext(ctx)
			for _, w := range all {
				if err == nil {
					err = save(w.click)
				}
			}
			if err == nil {
				_, err = commit.ExecContext(ctx)
			}
			for _, w := range all {
				w.done <- err
			}
		}
	}()
	b.Cleanup(func() { close(queue); <-ended; conn.Close(); db.Close(); store.Close() })
	return store, func(c click) error {
		w := waiting{c, make(chan error, 1)}
		queue <- w
		return <-w.done
	}
}

// floorOnPostgres returns a function that saves clicks in two round trips, with prepared statements.
func floorOnPostgres(b *testing.B) (store *postgres.Store, address string, take func(click) error) {
	address = pgtest.Migrated(b)
	store, err := postgres.Open(b.Context(), address)
	if err != nil {
		b.Fatal(err)
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		b.Fatal(err)
	}
	config.MaxConns, config.ConnConfig.RuntimeParams["search_path"] = 16, "tictactoe"
	pool, err := pgxpool.NewWithConfig(b.Context(), config)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { pool.Close(); store.Close() })
	return store, address, func(c click) error {
		ctx := context.Background()
		var version, ply int
		if err := pool.QueryRow(ctx, floorRead, c.match).Scan(&version, &ply); err != nil {
			return err
		}
		now := time.Now().UnixMilli()
		var batch pgx.Batch
		batch.Queue("BEGIN")
		batch.Queue(floorMatch, c.match, version, now)
		batch.Queue(floorMove, c.match, ply, ply, now)
		batch.Queue("COMMIT")
		return pool.SendBatch(ctx, &batch).Close()
	}
}
