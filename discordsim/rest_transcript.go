package discordsim

import "time"

// noteRequest records a REST request.
func (api *API) noteRequest(c *call) {
	c.caller = api.callerOf(c)
	api.transcript.hide(c.Header.Get("Authorization"))
	api.transcript.add(api.newEntry(c, byBot, c.Body))
}

// noteAnswer records the answer to a REST request.
func (api *API) noteAnswer(c *call, template string, began time.Time, status int, body []byte) {
	line := api.newEntry(c, bySim, body)
	line.status, line.took, line.lacks = status, time.Since(began), c.lacks
	if c.PathValue("message") == "@original" || template == callbackTemplate {
		api.w.Lock()
		if g := api.w.state.grants[line.interaction]; g != nil {
			line.message = g.Original
		}
		api.w.Unlock()
	}
	api.transcript.add(line)
}

func (api *API) newEntry(c *call, by string, body []byte) said {
	line := said{kind: overREST, by: by, application: c.caller, method: c.Method, path: c.URL.RequestURI(), body: body}
	if line.interaction = c.PathValue("interaction"); line.interaction == "" {
		line.interaction = tokenInteraction(c.PathValue("token"))
	}
	if line.message = c.PathValue("message"); line.message == "@original" {
		line.message = ""
	}
	return line
}
