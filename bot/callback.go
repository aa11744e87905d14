package bot

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"
)

// callbackTries is how often a callback is made at most, and acknowledgementTries one that a reply waits for.
const (
	callbackTries        = 5
	acknowledgementTries = 2
)

// callback answers an interaction. What fails for a reason that passes is made again while there is the time: what would be
// late is of no use.
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
	var last error // of the tries
	for try := 1; ; try++ {
		end := r.latency.begin()
		err := r.do(ctx, q, into)
		end()
		wait, passes := passing(err, try)
		if due, ok := ctx.Deadline(); !passes || try == tries || ok && time.Until(due) <= wait || pause(ctx, wait) != nil {
			return answer.Resource.Message, after(last, err)
		}
		last = err
	}
}

// passing tells whether the reason passes for which the try of that number has failed, and how long to wait for that.
func passing(err error, try int) (wait time.Duration, passes bool) {
	switch api, is := errors.AsType[*APIError](err); {
	case is && api.Status < 500:
		return api.after, api.Status == http.StatusTooManyRequests
	case err == nil, errors.Is(err, ErrRateLimited): // by ourselves, for minutes
		return 0, false
	default:
		return 50 * time.Millisecond << try, true
	}
}
