package bot

import (
	"context"
	"crypto/ed25519"
	"errors"
	"net"
	"net/http"
	"time"

	"tictactoe/bot/backoff"
	"tictactoe/bot/endpoint"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/internal/replica/session"
)

// listEvery is how often the bot asks Discord for its servers.
const listEvery = 24 * time.Hour

// ErrWrongKey means that Endpoint.Key is not the key with which Discord signs this application's requests.
var ErrWrongKey = errors.New("the public key is not that of this application; copy it from the developer portal (General Information, Public Key)")

// Endpoint says where the bot takes interactions over HTTP, and how it verifies them. All fields are required.
type Endpoint struct {
	// Listen opens the listener for requests to [endpoint.Path], without TLS. It is called only when the bot can answer: until then
	// connections are refused, so that a proxy tries another process. Run closes the listener.
	Listen func() (net.Listener, error)
	// Key is the application's public key, which verifies Discord's signatures. See [endpoint.ParseKey].
	Key ed25519.PublicKey
}

// webhook receives the interactions over HTTP and is the source of the only shard.
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

// Run serves requests until ctx ends, which is not an error, until listening fails, or until Discord refuses this bot for good.
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

// listen serves requests until ctx ends or the listener fails.
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

// Probe returns the present time, because HTTP has no queue: each request that Discord has sent by now was either accepted or is late.
func (w *webhook) Probe(context.Context, time.Time) time.Time { return w.date() }

// date returns the time of receipt of a request that is read now.
func (w *webhook) date() time.Time { return gateway.Received(w.bot.config.Clock.Woke()) }

// Resumable returns the zero session, because HTTP has no sessions to resume.
func (w *webhook) Resumable() session.Session { return session.Session{} }

// introduce asks Discord for the bot's application until there is an answer. It gives up if Discord rejects the token, or if the
// application has another key than Endpoint.Key.
func (w *webhook) introduce(ctx context.Context) (own rest.Application, err error) {
	err = backoff.Retry(ctx, w.log, "Discord does not say who the bot is", func() (err error) {
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

// look asks Discord for the bot's servers, at once and then once a day, because no events report changes without the gateway.
func (w *webhook) look(ctx context.Context) {
	var servers []string
	ask := func() (err error) { servers, err = w.bot.rest.Guilds(ctx); return err }
	for backoff.Retry(ctx, w.log, "servers not listed", ask, nil) == nil {
		w.guilds.setAll(servers)
		select {
		case <-w.bot.config.Clock.After(listEvery):
		case <-ctx.Done():
		}
	}
}

// meet records the server from which an interaction comes, if the bot is a member there. The daily list alone would miss a server that the
// bot joins and leaves within a day, and its matches would never be deleted.
func (w *webhook) meet(in *Interaction) {
	if in != nil && in.GuildID != "" && in.BotMember() {
		w.guilds.meet(in.GuildID)
	}
}

// take handles a signed request and returns its response. All answers to interactions take the callback route, as those to interactions
// of the gateway do, because a response tells the bot neither whether Discord accepted it nor the id of a new message.
func (w *webhook) take(body []byte) (status int, content []byte) {
	in, err := decode(body)
	if errors.Is(err, errPing) {
		return http.StatusOK, []byte(`{"type":1}`) // PONG
	}
	w.meet(in)
	w.bot.dispatcher.accept(w.shardConnection, in, err, w.date())
	if in == nil {
		return http.StatusBadRequest, nil
	}
	return http.StatusAccepted, nil
}
