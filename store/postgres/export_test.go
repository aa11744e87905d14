package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgconn"
)

// Stored and Plain turn a text into what is kept and back.
var (
	Stored = stored
	Plain  = plain
)

// OpenOver is Open with other connections than those of the network.
func OpenOver(ctx context.Context, address string, dial pgconn.DialFunc) (*Store, error) {
	config, err := configure(address)
	if err != nil {
		return nil, err
	}
	config.ConnConfig.DialFunc = dial
	return open(ctx, address, config)
}
