package world

// Webhook lets an application write into a channel with the webhook's own token.
// It is a value that is replaced, never changed.
type Webhook struct {
	ID          string `json:"id"`
	Token       string `json:"token"`
	Application string `json:"application"`
	Channel     string `json:"channel"`
	Name        string `json:"name"`
	Avatar      string `json:"avatar,omitempty"` // the hash of its avatar
}

// Avatar is the picture of a webhook: its bytes, or the URL of an external
// picture, which is never fetched here. It is never changed.
type Avatar struct {
	Hash string `json:"hash"`
	Type string `json:"type,omitempty"` // such as image/png
	Data []byte `json:"data,omitempty"`
	URL  string `json:"url,omitempty"`
}

// Speaker returns the id of the application that writes under an id, which is the
// id of a webhook or of the application itself.
func (st *State) Speaker(id string) string {
	if hook := st.Webhooks[id]; hook != nil {
		return hook.Application
	}
	return id
}
