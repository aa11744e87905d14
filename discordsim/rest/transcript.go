package rest

import (
	"time"

	"tictactoe/discordsim/transcript"
	"tictactoe/discordsim/world"
)

// noteRequest records a REST request.
func (api *API) noteRequest(c *call) {
	c.caller = api.callerOf(c)
	api.transcript.Hide(c.Header.Get("Authorization"))
	api.transcript.Add(api.newEntry(c, transcript.ByBot, c.Body))
}

// noteAnswer records the answer to a REST request.
func (api *API) noteAnswer(c *call, template string, began time.Time, status int, body []byte) {
	line := api.newEntry(c, transcript.BySim, body)
	line.Status, line.Took, line.Absent = status, time.Since(began), c.lacks
	if c.PathValue("message") == "@original" || template == callbackTemplate {
		api.w.Lock()
		if g := api.w.State.Grants[line.Interaction]; g != nil {
			line.Message = g.Original
		}
		api.w.Unlock()
	}
	api.transcript.Add(line)
}

func (api *API) newEntry(c *call, by string, body []byte) transcript.Entry {
	line := transcript.Entry{Kind: transcript.OverREST, By: by, Application: c.caller, Method: c.Method, Path: c.URL.RequestURI(), Body: body}
	if line.Interaction = c.PathValue("interaction"); line.Interaction == "" {
		line.Interaction = world.TokenInteraction(c.PathValue("token"))
	}
	if line.Message = c.PathValue("message"); line.Message == "@original" {
		line.Message = ""
	}
	return line
}
