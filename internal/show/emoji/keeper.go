package emoji

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// MaxOfApplication is how many emoji Discord lets an application have (API reference, Emoji Resource).
const MaxOfApplication = 2000

const (
	// lookTime is how often the saved rows are read, and soonTime while the set is not whole: how long a replica does not know what
	// another has brought.
	lookTime = 30 * time.Second
	soonTime = 5 * time.Second
	// checkTime is how often a whole set is compared with what Discord has.
	checkTime = time.Hour
	// retryTime is how long after a failure it is tried again. Rate limits are waited for in between.
	retryTime = time.Minute
)

// ErrNoRoom means that an application has too many other emoji for the set. Then none is brought.
var ErrNoRoom = errors.New("the application has no room for them")

// Row is an emoji that was brought to Discord, as the database has it.
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

// Discord is where the emoji go. Its calls wait for rate limits.
type Discord interface {
	ApplicationID(ctx context.Context) (string, error)
	OwnEmoji(ctx context.Context) ([]Own, error)
	CreateEmoji(ctx context.Context, name string, png []byte) (id string, err error)
	RenameEmoji(ctx context.Context, id, name string) error
	DeleteEmoji(ctx context.Context, id string) error
}

// Keeper brings the set to Discord. Every process watches; one of those that share a database keeps.
type Keeper struct {
	Known   *Known
	Store   Store
	Discord Discord
	Log     *slog.Logger
}

// Watch learns from the rows which emoji there are, and compares them with Discord when that refused one, until ctx ends.
func (k *Keeper) Watch(ctx context.Context) {
	for {
		refused, wait := k.Known.refused, lookTime
		if k.Known.inDoubt() {
			refused = nil // what Discord refuses although it is there is not asked for again and again
		}
		if err := k.look(ctx); err != nil && ctx.Err() == nil {
			k.Log.Warn("emoji not known", "err", err)
		} else if s := k.Known.State(); s.Have < s.Want {
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

// Keep brings to Discord what is missing, and looks every hour whether something is, until ctx ends. One process at a time does.
func (k *Keeper) Keep(ctx context.Context) {
	for {
		brought, err := k.bring(ctx)
		if ctx.Err() != nil {
			return
		}
		k.Known.failed(err)
		wait, missing := checkTime, k.Known.missing
		switch {
		case errors.Is(err, ErrNoRoom):
			k.Log.Warn("no emoji brought to Discord, boards use Unicode", "err", err)
			missing = nil
		case err != nil:
			wait, missing = retryTime, nil
			k.Log.Warn("emoji not brought to Discord yet", "brought", brought, "err", err, "wait", wait.String())
		case brought > 0:
			k.Log.Info("emoji brought to Discord", "brought", brought, "emoji", len(Set()))
		}
		select {
		case <-time.After(wait):
		case <-missing:
		case <-ctx.Done():
			return
		}
	}
}

// look reads the rows. If Discord refused an emoji, those are dropped before whose emoji are gone.
func (k *Keeper) look(ctx context.Context) error {
	application, err := k.Discord.ApplicationID(ctx)
	if err != nil {
		return err
	}
	doubtful := k.Known.inDoubt()
	if doubtful {
		if _, _, err := k.compare(ctx, application); err != nil {
			return err
		}
	}
	rows, err := k.Store.Emoji(ctx, application)
	if err != nil {
		return err
	}
	k.Known.learn(rows, doubtful)
	return nil
}

// bring makes one round: it compares, and uploads what is missing. It returns how many it uploaded.
func (k *Keeper) bring(ctx context.Context) (brought int, err error) {
	application, err := k.Discord.ApplicationID(ctx)
	if err != nil {
		return 0, err
	}
	rows, own, err := k.compare(ctx, application)
	if err != nil {
		return 0, err
	}
	missing, outdated := 0, make(map[string]Row)
	for _, e := range Set() {
		id, there := own[e.Name]
		switch row, listed := rows[id]; {
		case !there:
			missing++
		case !listed: // brought by us before a row could be written, or the database was lost: the name says whose it is
			if err := k.Store.KeepEmoji(ctx, application, Row{id, e.Name, e.Hash()}); err != nil {
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
			err = k.setAside(ctx, application, row)
		} else if _, there := own[e.Name]; there {
			continue
		}
		if err == nil {
			err = k.upload(ctx, application, e)
		}
		if err != nil {
			return brought, fmt.Errorf("bring %s: %w", e.Name, err)
		}
		brought++
	}
	return brought, k.look(ctx)
}

// setAside gives the emoji with a former picture another name, since a name is given once. Boards that show it keep it.
func (k *Keeper) setAside(ctx context.Context, application string, r Row) error {
	r.Name += "_" + r.ID // which no other emoji has in its name
	if err := k.Discord.RenameEmoji(ctx, r.ID, r.Name); err != nil {
		return err
	}
	return k.Store.KeepEmoji(ctx, application, r)
}

func (k *Keeper) upload(ctx context.Context, application string, e Emoji) error {
	id, err := k.Discord.CreateEmoji(ctx, e.Name, e.Picture())
	if err != nil {
		return err
	}
	return k.Store.KeepEmoji(ctx, application, Row{id, e.Name, e.Hash()})
}

// compare drops the rows whose emoji Discord does not have any more. It returns the others by id, and the ids of all emoji of the
// application by name.
func (k *Keeper) compare(ctx context.Context, application string) (rows map[string]Row, own map[string]string, err error) {
	saved, err := k.Store.Emoji(ctx, application)
	if err != nil {
		return nil, nil, err
	}
	there, err := k.Discord.OwnEmoji(ctx)
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
			err = k.Store.ForgetEmoji(ctx, application, r.ID)
		case name != r.Name: // a rename that was not recorded, or somebody else's
			r.Name = name
			err = k.Store.KeepEmoji(ctx, application, r)
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

// Superseded returns the rows that are not of the set: those with a former picture.
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
