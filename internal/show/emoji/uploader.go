package emoji

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// MaxOfApplication is the maximum number of emoji that an application can have (API reference, Emoji Resource).
const MaxOfApplication = 2000

const (
	// lookTime is the interval at which the rows are read again, so that a process learns which emoji another process has uploaded.
	lookTime = 10 * time.Second
	// checkTime is the interval at which a complete set is compared with Discord.
	checkTime = time.Hour
	// retryTime is the pause between a failure and the next try. A rate limit is not a failure: requests wait for it.
	retryTime = time.Minute
)

// ErrNoRoom means that the application has so many other emoji that the set does not fit, so that none is uploaded, or that Discord accepts
// no more. The next try follows only after checkTime, because the host must first make room.
var ErrNoRoom = errors.New("the application has no room for them")

// Row is the record of an emoji that was uploaded to Discord.
type Row struct {
	ID   string // Discord's id of the emoji
	Name string
	Hash string // the picture's hash; see Emoji.Hash
}

// Store stores which emoji were uploaded, as rows by application.
type Store interface {
	// Emoji returns all rows of an application.
	Emoji(ctx context.Context, application string) ([]Row, error)
	// KeepEmoji saves a row. It replaces the row with the same id, if there is one.
	KeepEmoji(ctx context.Context, application string, r Row) error
	// ForgetEmoji deletes the row with the given id.
	ForgetEmoji(ctx context.Context, application, id string) error
}

// Own is an emoji of the application, as Discord returns it.
type Own struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Discord makes requests to the routes of Discord's API for emoji. All calls wait for rate limits.
type Discord interface {
	ApplicationID(ctx context.Context) (string, error)
	OwnEmoji(ctx context.Context) ([]Own, error)
	// CreateEmoji uploads an emoji. The error wraps ErrNoRoom if Discord accepts no more.
	CreateEmoji(ctx context.Context, name string, png []byte) (id string, err error)
	RenameEmoji(ctx context.Context, id, name string) error
}

// Uploader makes sure that all emoji of the set exist at Discord. Every process calls Watch. Of the processes that share a database, only
// one calls Keep.
type Uploader struct {
	Known   *Known
	Store   Store
	Discord Discord
	Log     *slog.Logger
}

// Watch keeps u.Known up to date until ctx ends. It reads the rows, and compares them with Discord when Discord has refused an emoji.
func (u *Uploader) Watch(ctx context.Context) {
	for ctx.Err() == nil {
		if err := u.look(ctx); err != nil && ctx.Err() == nil {
			u.Log.Warn("emoji not known", "err", err)
		}
		pause(ctx)
	}
}

// pause waits for the next look, or until ctx ends.
func pause(ctx context.Context) {
	select {
	case <-time.After(lookTime):
	case <-ctx.Done():
	}
}

// Keep uploads missing emoji, and compares the set with Discord every hour, until ctx ends. Only one process at a time may call it.
func (u *Uploader) Keep(ctx context.Context) {
	for {
		brought, err := u.Bring(ctx)
		if ctx.Err() != nil {
			return
		}
		wait := checkTime
		switch {
		case errors.Is(err, ErrNoRoom):
			u.Log.Warn("emoji do not fit at Discord; boards that lack some use Unicode", "uploaded", brought, "err", err, "wait", wait.String())
		case err != nil:
			wait = retryTime
			u.Log.Warn("emoji not uploaded to Discord yet", "uploaded", brought, "err", err, "wait", wait.String())
		case brought > 0:
			u.Log.Info("emoji uploaded to Discord", "uploaded", brought, "emoji", len(Set()))
		}
		for end, missing := time.Now().Add(wait), false; time.Now().Before(end) && !missing && ctx.Err() == nil; {
			pause(ctx)
			have, want := u.Known.Count()
			missing = have < want && err == nil
		}
	}
}

// look reads the rows into u.Known. If Discord has refused an emoji, it first deletes the rows of emoji that no longer exist.
func (u *Uploader) look(ctx context.Context) error {
	application, err := u.Discord.ApplicationID(ctx)
	if err != nil {
		return err
	}
	doubtful := u.Known.inDoubt()
	if doubtful {
		if _, _, err := u.compare(ctx, application); err != nil {
			return err
		}
	}
	rows, err := u.Store.Emoji(ctx, application)
	if err != nil {
		return err
	}
	u.Known.learn(rows, doubtful)
	return nil
}

// Bring compares the set with Discord and uploads the missing emoji. It returns how many it has uploaded.
func (u *Uploader) Bring(ctx context.Context) (brought int, err error) {
	application, err := u.Discord.ApplicationID(ctx)
	if err != nil {
		return 0, err
	}
	rows, own, err := u.compare(ctx, application)
	if err != nil {
		return 0, err
	}
	missing, outdated := 0, make(map[string]Row)
	for _, e := range Set() {
		id, there := own[e.Name]
		switch row, listed := rows[id]; {
		case !there:
			missing++
		case !listed: // the row was not written after the upload, or the database was lost, but the name shows that the emoji is the bot's
			if err := u.Store.KeepEmoji(ctx, application, Row{id, e.Name, e.Hash()}); err != nil {
				return 0, err
			}
		case row.Hash != e.Hash():
			outdated[e.Name] = row
			missing++
		}
	}
	if len(own)+missing > MaxOfApplication {
		return 0, fmt.Errorf("%w: it has %d of %d, and %d are to come", ErrNoRoom, len(own), MaxOfApplication, missing)
	}
	for _, e := range Set() {
		if row, is := outdated[e.Name]; is {
			err = u.setAside(ctx, application, row)
		} else if _, there := own[e.Name]; there {
			continue
		}
		if err == nil {
			err = u.upload(ctx, application, e)
		}
		if err != nil {
			return brought, fmt.Errorf("upload %s: %w", e.Name, err)
		}
		brought++
	}
	return brought, u.look(ctx)
}

// setAside renames an emoji with a former picture, because names are unique. Boards that show the emoji still show it.
func (u *Uploader) setAside(ctx context.Context, application string, r Row) error {
	r.Name += "_" + r.ID // no other emoji has this id in its name
	if err := u.Discord.RenameEmoji(ctx, r.ID, r.Name); err != nil {
		return err
	}
	return u.Store.KeepEmoji(ctx, application, r)
}

func (u *Uploader) upload(ctx context.Context, application string, e Emoji) error {
	id, err := u.Discord.CreateEmoji(ctx, e.Name, e.Picture())
	if err != nil {
		return err
	}
	return u.Store.KeepEmoji(ctx, application, Row{id, e.Name, e.Hash()})
}

// compare deletes the rows of emoji that Discord no longer has. It returns the other rows by id, and the ids of all the application's emoji
// by name.
func (u *Uploader) compare(ctx context.Context, application string) (rows map[string]Row, own map[string]string, err error) {
	saved, err := u.Store.Emoji(ctx, application)
	if err != nil {
		return nil, nil, err
	}
	there, err := u.Discord.OwnEmoji(ctx)
	if err != nil {
		return nil, nil, err
	}
	names := make(map[string]string, len(there))
	own = make(map[string]string, len(there))
	for _, e := range there {
		names[e.ID], own[e.Name] = e.Name, e.ID
	}
	rows = make(map[string]Row, len(saved))
	for _, r := range saved {
		switch name, is := names[r.ID]; {
		case !is:
			err = u.Store.ForgetEmoji(ctx, application, r.ID)
		case name != r.Name: // the rename was not recorded, or somebody else has renamed it
			r.Name = name
			err = u.Store.KeepEmoji(ctx, application, r)
			rows[r.ID] = r
		default:
			rows[r.ID] = r
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return rows, own, nil
}

// Superseded returns the rows of emoji with a former picture, which setAside has renamed.
func Superseded(rows []Row) (old []Row) {
	hashes := make(map[string]string, len(Set()))
	for _, e := range Set() {
		hashes[e.Name] = e.Hash()
	}
	for _, r := range rows {
		if hashes[r.Name] != r.Hash {
			old = append(old, r)
		}
	}
	return old
}
