package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgconn"

	"tictactoe/store/internal/sqlstore"
)

// OpenOver is like Open, but connects with dial.
func OpenOver(ctx context.Context, address string, dial pgconn.DialFunc) (*Store, error) {
	config, err := configure(address)
	if err != nil {
		return nil, err
	}
	config.ConnConfig.DialFunc = dial
	return open(ctx, address, config)
}

// TransferIntoWith is like TransferInto, with migrations that the test chooses.
var TransferIntoWith = transferInto

// Depart releases the locks that tell other bots that this one is present, as Close does.
func (s *Store) Depart() { s.presence.release() }

// NewClock returns a clock that asks for the server's time by calling a function.
var NewClock = newClock

// Look asks the server for the time once.
func (c *Clock) Look(ctx context.Context) error { return c.look(ctx) }

// LongLimits returns the server's timeouts in a long transaction.
func (s *Store) LongLimits(ctx context.Context) (map[string]string, error) {
	limits := make(map[string]string)
	err := database{s}.Write(ctx, sqlstore.Kind{Long: true}, func(ctx context.Context, tx sqlstore.Tx) error {
		for name := range serverTimeouts {
			var limit string
			if err := tx.Row(ctx, "SHOW "+name).Scan(&limit); err != nil {
				return err
			}
			limits[name] = limit
		}
		return nil
	})
	return limits, err
}
