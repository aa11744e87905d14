package bot

import (
	"context"
	"crypto/ed25519"
	"errors"
	"net"
	"net/http"
	"time"

	"tictactoe/bot/endpoint"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/internal/replica/claim"
	"tictactoe/internal/replica/session"
)

// listEvery is how often the bot asks Discord for its servers.
const listEvery = 24 * time.Hour

// ErrWrongKey means that Discord signs this application's requests with another key.
var ErrWrongKey = errors.New("the public key is not that of this application; copy it from the developer portal (General Information, Public Key)")

// Endpoint configures how interactions are received over HTTP. All fields are required.
type Endpoint struct {
	// Listen opens the listener for requests, without TLS, for the path [endpoint.Path]. It is called only when requests can be answered:
	// a proxy tries another process where the connection is refused. Run closes the listener.
	Listen func() (net.Listener, error)
	// Key is the application's public key, which verifies Discord's signatures. See [endpoint.ParseKey].
	Key ed25519.PublicKey
	// Claim saves that this instance handles an interaction. The error wraps [claim.ErrTaken] if another instance has claimed it before:
	// then this instance answers nothing.
	Claim func(context.Context, claim.Claim) error
}

// webhook is the source of interactions over HTTP.
type webhook struct {
	Endpoint
	*shardConnection
	server *endpoint.Server
}

func newWebhook(given Endpoint, b *Bot) *webhook {
	w := &webhook{Endpoint: given}
	w.server = endpoint.New(given.Key, b.log, w.take)
	return w
}

// Run serves until ctx ends, which is not an error, until listening fails, or until Discord refuses this bot for good. Open requests are
// still answered afterwards.
func (w *webhook) Run(ctx context.Context) error {
	own, err := w.introduce(ctx)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	listening, cancel := context.WithCancel(ctx)
	defer cancel()
	if w.Up(listening); ctx.Err() == nil {
		err = w.listen(ctx, own)
	}
	cancel()
	w.Down()
	return err
}

// listen serves until ctx ends or the listener fails.
func (w *webhook) listen(ctx context.Context, own rest.Application) error {
	listener, err := w.Listen()
	if err != nil {
		return err
	}
	w.log.Info("taking interactions", "address", listener.Addr().String(), "path", endpoint.Path, "endpoint", own.Endpoint)
	if own.Endpoint == "" {
		w.log.Warn("Discord sends no interactions here before the Interactions Endpoint URL is set in the developer portal (General Information)")
	}
	return w.server.Serve(ctx, listener)
}

// Probe returns the time up to which the bot has heard, which is now: everything that has arrived is accepted, and later requests are
// late.
func (w *webhook) Probe(context.Context, time.Time) time.Time { return w.date() }

// date returns the time of receipt of a request that is read now.
func (w *webhook) date() time.Time { return gateway.Received(w.bot.config.Clock.Woke()) }

// Resumable returns the zero session, because HTTP has no sessions to resume.
func (w *webhook) Resumable() session.Session { return session.Session{} }

// introduce asks Discord for the bot's identity until there is an answer, or an error that is final.
func (w *webhook) introduce(ctx context.Context) (own rest.Application, err error) {
	err = rest.Retry(ctx, w.log, "Discord does not say who the bot is", func() (err error) {
		own, err = w.bot.rest.OwnApplication(ctx)
		if rest.Unauthorized(err) {
			return &gateway.FatalError{Code: http.StatusUnauthorized}
		}
		if key, unreadable := endpoint.ParseKey(own.Key); err == nil && unreadable == nil && !key.Equal(w.Key) {
			return ErrWrongKey
		}
		return err
	}, func(err error) bool { return gateway.Fatal(err) != nil || errors.Is(err, ErrWrongKey) })
	return own, err
}

// look asks for the bot's servers, at once and then once a day, because without a gateway no events report changes.
func (w *webhook) look(ctx context.Context) {
	var servers []string
	ask := func() (err error) { servers, err = w.bot.rest.Guilds(ctx); return err }
	for rest.Retry(ctx, w.log, "servers not listed", ask, nil) == nil {
		w.guilds.setAll(servers)
		select {
		case <-w.bot.config.Clock.After(listEvery):
		case <-ctx.Done():
		}
	}
}

// meet records the server of an interaction, if the bot is in it. So if the bot leaves before the servers are next listed, the server's
// matches are deleted too.
func (w *webhook) meet(in *Interaction) {
	if in != nil && in.GuildID != "" && in.BotMember() {
		w.guilds.meet(in.GuildID)
	}
}

// take handles a signed request. It returns the status with which the request is answered at once, or 0.
func (w *webhook) take(body []byte, response *endpoint.Response) (status int) {
	in, err := decode(body)
	if errors.Is(err, errPing) {
		response.Write(http.StatusOK, "application/json", []byte(`{"type":1}`)) // PONG
		return 0
	}
	w.meet(in)
	return w.bot.dispatcher.accept(w.shardConnection, in, err, w.date(), response)
}
