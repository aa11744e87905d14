package emoji

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// MaxOfApplication is the largest number of emoji of an application (API reference, Emoji Resource).
const MaxOfApplication = 2000

const (
	// lookTime is the time after which the saved rows are read again, and soonTime the same while the set is incomplete: a replica knows
	// after that time what another has uploaded.
	lookTime = 30 * time.Second
	soonTime = 5 * time.Second
	// checkTime is the time after which a complete set is compared with Discord again.
	checkTime = time.Hour
	// retryTime is the time after a failure until the next try. Rate limits are waited for in between.
	retryTime = time.Minute
)

// ErrNoRoom means that an application has too many other emoji for the set, in which case none is uploaded, or that Discord takes no more
// of them. The next try is after checkTime, since only the host can make room.
var ErrNoRoom = errors.New("the application has no room for them")

// Row is the record of an emoji that was uploaded to Discord.
type Row struct {
	ID   string // Discord's
	Name string
	Hash string // of the picture; see Emoji.Hash
}

// Store keeps the rows of applications by their ids.
type Store interface {
	// Emoji returns the rows of an application.
	Emoji(ctx context.Context, application string) ([]Row, error)
	// KeepEmoji records an emoji, in place of the row with its id.
	KeepEmoji(ctx context.Context, application string, r Row) error
	// ForgetEmoji deletes the row with that id.
	ForgetEmoji(ctx context.Context, application, id string) error
}

// Own is an emoji of the application, as Discord has it.
type Own struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Discord is the part of Discord's API that handles emoji. Its calls wait for rate limits.
type Discord interface {
	ApplicationID(ctx context.Context) (string, error)
	OwnEmoji(ctx context.Context) ([]Own, error)
	// CreateEmoji returns an error that wraps ErrNoRoom if Discord takes no more emoji.
	CreateEmoji(ctx context.Context, name string, png []byte) (id string, err error)
	RenameEmoji(ctx context.Context, id, name string) error
}

// Uploader keeps the emoji at Discord equal to the set. Every process calls Watch; one of the processes that share a
// database calls Keep.
type Uploader struct {
	Known   *Known
	Store   Store
	Discord Discord
	Log     *slog.Logger
}

// Watch reads from the rows which emoji exist, and compares the rows with Discord when Discord has refused an emoji, until ctx ends.
func (u *Uploader) Watch(ctx context.Context) {
	for {
		refused, wait := u.Known.refused, lookTime
		if u.Known.inDoubt() {
			refused = nil // an emoji that exists and is refused must not make it look again and again
		}
		if err := u.look(ctx); err != nil && ctx.Err() == nil {
			u.Log.Warn("emoji not known", "err", err)
		} else if have, want := u.Known.Count(); have < want {
			wait = soonTime
		}
		select {
		case <-refused:
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}

// Keep uploads missing emoji, and compares the set with Discord every hour, until ctx ends. One process at a time calls it.
func (u *Uploader) Keep(ctx context.Context) {
	for {
		brought, err := u.Bring(ctx)
		if ctx.Err() != nil {
			return
		}
		wait, missing := checkTime, u.Known.missing
		switch {
		case errors.Is(err, ErrNoRoom):
			u.Log.Warn("emoji have no room at Discord, boards without theirs use Unicode", "brought", brought, "err", err, "wait", wait.String())
			missing = nil
		case err != nil:
			wait, missing = retryTime, nil
			u.Log.Warn("emoji not brought to Discord yet", "brought", brought, "err", err, "wait", wait.String())
		case brought > 0:
			u.Log.Info("emoji brought to Discord", "brought", brought, "emoji", len(Set()))
		}
		select {
		case <-time.After(wait):
		case <-missing:
		case <-ctx.Done():
			return
		}
	}
}

// look reads the rows. If Discord refused an emoji, it first drops the rows of deleted emoji.
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

// Bring compares the set with Discord, and uploads the missing emoji. It returns the number of uploads.
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
		case !listed: // uploaded before a row could be written, or the database was lost: the name says that it is ours
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
			return brought, fmt.Errorf("bring %s: %w", e.Name, err)
		}
		brought++
	}
	return brought, u.look(ctx)
}

// setAside renames an emoji with a former picture, since names are unique. Boards that show it keep it.
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

// compare drops the rows of emoji that Discord no longer has. It returns the other rows by id, and the ids of all emoji of the
// application by name.
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
		case name != r.Name: // a rename that was not recorded, or by somebody else
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

// Superseded returns the rows of emoji with a former picture.
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
