package rest

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/transcript"
	"tictactoe/discordsim/world"
)

// signingKey returns the private key that signs the requests to an application's
// endpoint. It is derived from the id, so it is not a secret.
func signingKey(app string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte("discordsim " + app))
	return ed25519.NewKeyFromSeed(seed[:])
}

// VerifyKey returns the public key with which an application verifies Discord's
// signatures, in hexadecimal.
func VerifyKey(app string) string {
	return hex.EncodeToString(signingKey(app).Public().(ed25519.PublicKey))
}

const (
	// probeEvery is the number of interactions between two checks that an
	// endpoint still refuses bad signatures.
	probeEvery = 50
	// interactionPing is the type of the interaction that must be answered with a PONG.
	interactionPing = 1
	callbackPong    = 1
)

// ErrEndpoint means that an interactions endpoint failed Discord's verification.
var ErrEndpoint = errors.New("the interactions endpoint could not be verified")

// endpointClient returns a client that, like Discord, follows no redirects.
func endpointClient(given *http.Client) *http.Client {
	client := http.Client{}
	if given != nil {
		client = *given
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

// SetEndpoint sends a bot's interactions to a URL instead of the gateway; an empty URL selects the gateway again. The
// endpoint must answer a PING and refuse a bad signature at once; otherwise the error says how it answered. It takes
// the lock.
func (api *API) SetEndpoint(ctx context.Context, app, to string) error {
	if to != "" {
		if err := api.verify(ctx, app, to); err != nil {
			return err
		}
	}
	return api.w.Locked(func() error {
		api.w.Accounts.SetEndpoint(app, to)
		return nil
	})
}

// verify checks a new endpoint as Discord does before accepting it.
func (api *API) verify(ctx context.Context, app, to string) error {
	at, err := url.Parse(to)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return fmt.Errorf("%w: %q is no http or https address", ErrEndpoint, to)
	}
	ctx, cancel := context.WithTimeout(ctx, world.AnswerWithin)
	defer cancel()
	if err := api.probe(ctx, app, to); err != nil {
		return err
	}
	res, err := api.signed(ctx, app, to, "", api.ping(app), false)
	if err != nil {
		return fmt.Errorf("%w: a PING got no answer: %w", ErrEndpoint, err)
	}
	var pong struct {
		Type int `json:"type"`
	}
	kind, _, _ := mime.ParseMediaType(res.kind)
	switch {
	case res.status != http.StatusOK:
		return fmt.Errorf("%w: a PING was answered with %d, not 200", ErrEndpoint, res.status)
	case json.Unmarshal(res.body, &pong) != nil || pong.Type != callbackPong:
		return fmt.Errorf(`%w: a PING was not answered with {"type":1}`, ErrEndpoint)
	case kind != "application/json":
		return fmt.Errorf("%w: a PING was answered as %q, not as application/json", ErrEndpoint, res.kind)
	}
	return nil
}

// probe sends a PING with a bad signature, which an endpoint must refuse.
func (api *API) probe(ctx context.Context, app, to string) error {
	res, err := api.signed(ctx, app, to, "", api.ping(app), true)
	if err != nil {
		return fmt.Errorf("%w: a bad signature got no answer: %w", ErrEndpoint, err)
	}
	if res.status != http.StatusUnauthorized {
		return fmt.Errorf("%w: a bad signature was answered with %d, not 401", ErrEndpoint, res.status)
	}
	return nil
}

func (api *API) ping(app string) []byte {
	api.w.Lock()
	defer api.w.Unlock()
	id := api.w.NextID()
	return world.MustJSON(map[string]any{
		"id": id, "application_id": app, "type": interactionPing, "token": world.NewToken(id), "version": 1,
		"app_permissions": world.DirectPermissions, "authorizing_integration_owners": map[string]string{}, "entitlements": []any{},
	})
}

// reply is the response of an endpoint.
type reply struct {
	status int
	kind   string // its content type
	body   []byte
	files  []world.Upload
}

// signed posts a body to an endpoint with a signature dated in real time. With
// forge, the signature is bad.
func (api *API) signed(ctx context.Context, app, to, interaction string, body []byte, forge bool) (reply, error) {
	at := strconv.FormatInt(time.Now().Unix(), 10)
	signature := ed25519.Sign(signingKey(app), append([]byte(at), body...))
	if forge {
		signature[0] ^= 1
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Discord-Interactions/1.0 (+https://discord.com)")
	req.Header.Set("X-Signature-Ed25519", hex.EncodeToString(signature))
	req.Header.Set("X-Signature-Timestamp", at)
	note := transcript.Entry{
		Kind: transcript.OverHTTP, By: transcript.BySim, Application: app, Method: req.Method, Path: to, Interaction: interaction, Body: body,
	}
	api.transcript.Add(note)
	began := time.Now()
	res, err := api.client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	// The body may be a multipart form with files; only its JSON matters here.
	text, files, err := readBody(nil, &http.Request{Header: res.Header, Body: res.Body})
	note.By, note.Status, note.Took, note.Body = transcript.ByBot, res.StatusCode, time.Since(began), text
	api.transcript.Add(note)
	return reply{res.StatusCode, res.Header.Get("Content-Type"), text, files}, err
}

// callEndpoint sends an interaction to an endpoint. The response is the callback, unless its status is 202: then the
// callback follows on the REST route.
func (api *API) callEndpoint(in *world.Interaction, to string, body json.RawMessage) {
	api.calls[in.ApplicationID]++
	routine := api.calls[in.ApplicationID]%probeEvery == 0
	responded := make(chan struct{})
	in.Responded = responded
	api.w.Serving.Go(func() {
		ctx, cancel := context.WithTimeout(api.w.Life, world.AnswerWithin-time.Since(in.Sent))
		defer cancel()
		res, err := api.signed(ctx, in.ApplicationID, to, in.ID, body, false)
		switch {
		case errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled):
			// The timer of the callback fires at the same moment and settles the interaction.
		case err != nil:
			noteRefused(api.w, in.ID, check.Refusal(0, 0, "The interactions endpoint cannot be reached."))
		case res.status == http.StatusAccepted:
		case res.status != http.StatusOK:
			noteRefused(api.w, in.ID, check.Refusal(res.status, 0, fmt.Sprintf("The interactions endpoint answered %d.", res.status)))
		default:
			api.acceptAnswer(ctx, in, res)
		}
		close(responded)
		if routine {
			api.checkRoutinely(in.ApplicationID, to)
		}
	})
}

// afterResponse returns a handler for calls with an interaction's token. A call waits while the endpoint's response
// to the interaction is on its way. The two use different connections, so the call of a bot that has just responded
// might otherwise arrive before the response and be refused. On Discord, responses arrive first, because the route of
// a call is longer.
func afterResponse(serve func(*call) (answer, error)) func(*call) (answer, error) {
	return func(c *call) (answer, error) {
		c.w.Lock()
		in := c.w.Interactions.InFlight(world.TokenInteraction(c.PathValue("token")))
		var responded <-chan struct{}
		if in != nil && !in.Acknowledged {
			responded = in.Responded
		}
		c.w.Unlock()
		if responded != nil {
			late := time.NewTimer(world.AnswerWithin - time.Since(in.Sent))
			defer late.Stop()
			select {
			case <-responded:
			case <-late.C:
			case <-c.Context().Done():
			case <-c.w.Life.Done():
			}
		}
		return serve(c)
	}
}

// acceptAnswer handles the response of an endpoint as the interaction's callback.
func (api *API) acceptAnswer(ctx context.Context, in *world.Interaction, r reply) {
	req := (&http.Request{Method: http.MethodPost, URL: &url.URL{}, Header: http.Header{}}).WithContext(ctx)
	req.SetPathValue("interaction", in.ID)
	req.SetPathValue("token", in.Token)
	_, err := callback(&call{Request: req, api: api, w: api.w, Body: r.body, Files: r.files})
	if absent, is := errors.AsType[*absentError](err); is {
		api.w.NoteAbsence(in.ApplicationID, absent.feature)
	}
	if err != nil {
		noteRefused(api.w, in.ID, err)
	}
}

// checkRoutinely sends an endpoint a bad signature, and removes the endpoint if
// it accepts the signature. An unreachable or unavailable endpoint stays.
func (api *API) checkRoutinely(app, to string) {
	ctx, cancel := context.WithTimeout(api.w.Life, world.AnswerWithin)
	defer cancel()
	res, err := api.signed(ctx, app, to, "", api.ping(app), true)
	if err != nil || res.status == http.StatusUnauthorized || res.status >= http.StatusInternalServerError {
		return
	}
	api.w.Config.Logger.Warn("interactions endpoint removed", "application", app, "status", res.status)
	api.w.Locked(func() error {
		if now := api.w.State.EndpointOf(app); now != nil && *now == to {
			api.w.Accounts.SetEndpoint(app, "")
		}
		return nil
	})
}

var endpointRoutes = []route{
	{pattern: "PATCH /applications/@me", serve: applicationEdit, limit: lookUpBudget},
}

// applicationEdit sets the endpoint of an application. The other fields of an
// application are ignored.
func applicationEdit(c *call) (answer, error) {
	var body struct {
		Endpoint json.RawMessage `json:"interactions_endpoint_url"`
	}
	if err := c.decode(&body); err != nil {
		return answer{}, err
	}
	if len(body.Endpoint) > 0 {
		var to *string
		if json.Unmarshal(body.Endpoint, &to) != nil {
			return answer{}, check.InvalidField("interactions_endpoint_url", "BASE_TYPE_STRING", "Could not interpret the value as string.")
		}
		if to == nil {
			to = new(string)
		}
		if err := c.api.SetEndpoint(c.Context(), c.App, *to); errors.Is(err, ErrEndpoint) {
			return answer{}, check.InvalidField("interactions_endpoint_url", "APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID",
				"The specified interactions endpoint url could not be verified: "+err.Error())
		} else if err != nil {
			return answer{}, err
		}
	}
	return applicationSelf(c)
}
