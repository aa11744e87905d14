package bot

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"
)

// callbackTries is the maximum number of attempts at a callback. acknowledgementTries is that of acknowledgements. It
// is smaller because a reply waits for the acknowledgement.
const (
	callbackTries        = 5
	acknowledgementTries = 2
)

// callback answers an interaction. It repeats an attempt that failed for a passing reason while ctx leaves the time for it. With
// wantMessage it returns the message that Discord has made.
func (r *REST) callback(ctx context.Context, in *Interaction, body callbackBody, files []File, wantMessage bool) (posted, error) {
	address := discordgo.EndpointInteractionResponse(in.ID, in.Token)
	var answer struct {
		Resource struct {
			Message posted `json:"message"`
		} `json:"resource"`
	}
	var into any
	if wantMessage {
		address += "?with_response=true"
		into = &answer
	}
	q := request{name: "callback", method: http.MethodPost, url: address, body: body, files: files, anonymous: true, callback: true}
	tries := callbackTries
	if body.Type == callbackDefer || body.Type == callbackDeferUpdate {
		tries = acknowledgementTries
	}
	var last error // of the try before
	for try := 1; ; try++ {
		end := r.latency.begin()
		err := r.do(ctx, q, into)
		end()
		wait, passes := passing(err, try)
		if due, ok := ctx.Deadline(); !passes || try == tries || ok && time.Until(due) <= wait || Pause(ctx, wait) != nil {
			return answer.Resource.Message, withLast(last, err)
		}
		last = err
	}
}

// passing reports whether err, with which attempt number try failed, will pass, and how long to wait before the next attempt.
func passing(err error, try int) (wait time.Duration, passes bool) {
	switch api, is := errors.AsType[*APIError](err); {
	case is && api.Status < 500:
		return api.after, api.Status == http.StatusTooManyRequests
	case err == nil, errors.Is(err, ErrRateLimited): // the bot itself holds requests back for minutes
		return 0, false
	default:
		return 50 * time.Millisecond << try, true
	}
}
