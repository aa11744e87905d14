package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"tictactoe/migrations"
	"tictactoe/store/internal/column"
)

// The errors of Open that only a person can fix.
var (
	// ErrAddress is wrapped when the address is invalid.
	ErrAddress = errors.New("no Postgres address")
	// ErrRefused is wrapped when the server does not let the bot in: no such user, password, database or right.
	ErrRefused = errors.New("the Postgres server refuses it")
	// ErrPooled is wrapped when a pooler lends out the connection for less than a session: the session's locks and settings would
	// go to the next client.
	ErrPooled = errors.New("a pooler in transaction mode is in between; connect to the server itself, or set pool_mode = session")
	// ErrNewer is wrapped when a newer version of this program has migrated the database.
	ErrNewer = column.ErrNewer
	// ErrOlder is wrapped when the schema is too old. The error names the version that brings the database up to date.
	ErrOlder = column.ErrOlder
)

// schema is the schema that has all tables.
const schema = "tictactoe"

// poolConnections is how many connections the pool of a store has at most, unless the address says pool_max_conns. A process has
// one more, for presence. Ten processes with nine connections each fit the hundred that Postgres allows by default.
const poolConnections = 8

// serverTimeouts are settings of each connection: a click has to be answered within three seconds. The last setting is for a client
// machine that disappears during a transaction: until the server ends the transaction, others wait for its locks.
var serverTimeouts = map[string]time.Duration{
	"statement_timeout":                   2500 * time.Millisecond,
	"lock_timeout":                        2 * time.Second,
	"idle_in_transaction_session_timeout": 2 * time.Second,
}

// connectTime bounds one attempt to connect.
const connectTime = 2 * time.Second

// IsAddress reports whether db is the address of a Postgres, and not a path.
func IsAddress(db string) bool {
	return strings.HasPrefix(db, "postgres://") || strings.HasPrefix(db, "postgresql://")
}

// Redact returns an address for display: without the password, and without the options, which may include a password.
func Redact(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "postgres://"
	}
	u.RawQuery, u.Fragment = "", ""
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	return u.String()
}

// Open connects to the database at address, postgres://user:password@host:port/name with the options of libpq, and
// creates or migrates its tables if they are older than the program. Any number of stores may open at once.
//
// Errors wrap [ErrAddress], [ErrRefused], [ErrPooled], [ErrNewer], [ErrOlder], [ErrUnfinished], or [match.ErrBusy] when the server does
// not answer for long.
func Open(ctx context.Context, address string) (*Store, error) {
	config, err := configure(address)
	if err != nil {
		return nil, err
	}
	return open(ctx, address, config)
}

func open(ctx context.Context, address string, config *pgxpool.Config) (*Store, error) {
	if err := migrate(ctx, config.ConnConfig, migrations.Postgres(), false); err != nil {
		return nil, ofDatabase(address, err)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, ofDatabase(address, err)
	}
	s := newStore(pool)
	if err := s.useKey(ctx); err != nil {
		return nil, errors.Join(ofDatabase(address, err), s.Close())
	}
	return s, nil
}

const (
	insertKey = `INSERT INTO installation (key) VALUES ($1) ON CONFLICT DO NOTHING`
	selectKey = `SELECT key FROM installation`
)

// useKey gives the store the key of the installation, which the first store makes.
func (s *Store) useKey(ctx context.Context) error {
	var text string
	var isNew bool
	err := patiently(ctx, func(ctx context.Context) error {
		err := s.pool.QueryRow(ctx, selectKey).Scan(&text)
		if !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		made, err := s.pool.Exec(ctx, insertKey, column.NewKey().String())
		if err != nil {
			return err
		}
		isNew = made.RowsAffected() > 0
		return s.pool.QueryRow(ctx, selectKey).Scan(&text)
	})
	if err != nil {
		return err
	}
	key, err := column.ParseKey(text)
	if err == nil {
		s.keyLost, err = s.UseKey(ctx, key, isNew)
	}
	return err
}

// KeyLost reports whether the key of the installation was missing, so that earlier erasures cannot be recognised any
// more.
func (s *Store) KeyLost() bool { return s.keyLost }

func configure(address string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("%w: %s cannot be read: write it like postgres://user:password@host:5432/name", ErrAddress, Redact(address))
	}
	if u, err := url.Parse(address); err == nil && !u.Query().Has("pool_max_conns") {
		config.MaxConns = poolConnections
	}
	if config.ConnConfig.ConnectTimeout == 0 || config.ConnConfig.ConnectTimeout > connectTime {
		config.ConnConfig.ConnectTimeout = connectTime
	}
	params := config.ConnConfig.RuntimeParams
	params["application_name"] = schema
	params["timezone"] = "UTC"
	set(config.ConnConfig)
	return config, nil
}

// set makes each new connection set its search path, the options of the query planner, and the serverTimeouts, except the timeouts
// named in lifted. The connection sets them after connecting: PgBouncer refuses a connection that has such parameters at its start.
func set(config *pgx.ConnConfig, lifted ...string) {
	// Every statement gets one generic plan. By default the server would plan a query for two names anew at each click, because a plan for
	// two names looks much cheaper than the generic plan, which assumes ten names.
	//
	// Most pages are in memory, so random reads cost little more than sequential ones; by default the server would read small tables as a
	// whole. JIT compilation would take longer than it saves.
	statements := "SET search_path = " + schema + "; SET plan_cache_mode = force_generic_plan; SET random_page_cost = 1.1; SET jit = off"
	for name, limit := range serverTimeouts {
		if slices.Contains(lifted, name) {
			limit = 0
		}
		statements += fmt.Sprintf("; SET %s = %d", name, limit.Milliseconds())
	}
	config.AfterConnect = func(ctx context.Context, conn *pgconn.PgConn) error {
		ctx, cancel := context.WithTimeout(ctx, connectTime)
		defer cancel()
		return conn.Exec(ctx, statements).Close()
	}
}

// session calls do with a new connection, which it closes. The error is ErrPooled if the connection is not one session of the server.
func session(ctx context.Context, config *pgx.ConnConfig, do func(conn *pgx.Conn) error) error {
	var conn *pgx.Conn
	err := patiently(ctx, func(ctx context.Context) (err error) {
		conn, err = connect(ctx, config)
		return err
	})
	if err != nil {
		return err
	}
	defer hangUp(conn)
	return do(conn)
}

// connect returns a connection that is one session of the server, and applies the settings of config to it. The error is ErrPooled if a
// pooler makes that impossible.
func connect(ctx context.Context, config *pgx.ConnConfig) (*pgx.Conn, error) {
	settings := config.AfterConnect
	config = config.Copy()
	config.AfterConnect = nil // behind a pooler, another client's session would get the settings
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	if err = refusePooler(ctx, config, conn); err == nil && settings != nil {
		err = settings(ctx, conn.PgConn())
	}
	if err != nil {
		hangUp(conn)
		return nil, err
	}
	return conn, nil
}

// connected calls do with a connection to the database at address, without the timeouts named in lifted.
func connected(ctx context.Context, address string, do func(conn *pgx.Conn) error, lifted ...string) error {
	config, err := configure(address)
	if err != nil {
		return err
	}
	set(config.ConnConfig, lifted...)
	return ofDatabase(address, session(ctx, config.ConnConfig, do))
}

// hangUp ends a connection.
func hangUp(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), connectTime)
	defer cancel()
	_ = conn.Close(ctx)
}

// unlock gives up all locks of a session before its connection is closed, because the server may take a moment to notice that.
func unlock(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), connectTime)
	defer cancel()
	_, _ = conn.Exec(ctx, "SELECT pg_advisory_unlock_all()")
}

// refusePooler returns ErrPooled if a connection is not one session of the server: its server process changes, or serves another
// connection too. A busy pooler may do neither; then refusePooler does not notice the pooler.
func refusePooler(ctx context.Context, config *pgx.ConnConfig, one *pgx.Conn) error {
	process, err := processOf(ctx, one)
	if err != nil || process == one.PgConn().PID() { // a pooler reports a process number that it made up, for cancellation
		return err
	}
	other, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer hangUp(other)
	for range 3 {
		its, err := processOf(ctx, other)
		if err != nil {
			return err
		}
		now, err := processOf(ctx, one)
		if err != nil {
			return err
		}
		if its == process || now != process {
			return ErrPooled
		}
	}
	return nil
}

// processOf returns the id of the server process that answers a connection.
func processOf(ctx context.Context, conn *pgx.Conn) (pid uint32, err error) {
	err = conn.QueryRow(ctx, "SELECT pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&pid)
	return pid, err
}

// ofDatabase adds the address of the database, without the password, to an error.
func ofDatabase(address string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("database %s: %w", Redact(address), refusal(err))
}

// refusal turns permanent errors of the server into an [ErrRefused].
func refusal(err error) error {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		switch e.Code {
		case "28000", "28P01", "3D000", "42501": // authentication, password, no such database, no right
			// The error itself is not wrapped: it holds the configuration of the connection.
			return fmt.Errorf("%w: %s (%s)", ErrRefused, e.Message, e.Code)
		}
	}
	return err
}
