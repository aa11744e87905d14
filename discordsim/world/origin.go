package world

import "net/http"

// NoteOrigin remembers the address at which the API was last reached, because the
// client will look for files at the same address.
func (w *World) NoteOrigin(r *http.Request) {
	at := "http://" + r.Host
	if r.TLS != nil {
		at = "https://" + r.Host
	}
	if w.Origin() != at {
		w.reached.Store(&at)
	}
}

// Origin returns the address at which the API was last reached.
func (w *World) Origin() string {
	if at := w.reached.Load(); at != nil {
		return *at
	}
	return "http://localhost"
}

// GatewayAt returns the URL of the gateway on the host that the client used.
func GatewayAt(r *http.Request) string {
	if r.TLS != nil {
		return "wss://" + r.Host + "/ws"
	}
	return "ws://" + r.Host + "/ws"
}
