package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

const (
	// endpointPath is the path on which a bot accepts interactions.
	endpointPath = "/interactions"
	// dialTime bounds one connection attempt, and tryTime the attempts to connect to any replica. tryPause is the pause between two
	// rounds of attempts. The proxy in folder deploy has the same values.
	dialTime = 500 * time.Millisecond
	tryTime  = 2 * time.Second
	tryPause = 100 * time.Millisecond
	ping     = 1 // the type of an interaction that only checks the endpoint
)

// proxy distributes requests over the replicas in turn. It tries another replica only if it could not connect to the first.
type proxy struct {
	fleet  *fleet
	record *recorder
	client http.Client
	turn   atomic.Uint64
}

func newProxy(f *fleet, r *recorder) *proxy {
	dialer := net.Dialer{Timeout: dialTime}
	return &proxy{fleet: f, record: r, client: http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}}}
}

// ServeHTTP passes a request on, and records which replica got an interaction and whether it answered.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var in struct {
		ID   string `json:"id"`
		Type int    `json:"type"`
	}
	_ = json.Unmarshal(body, &in) // requests that are not interactions are passed on as well
	note := func(at time.Time, kind Kind, replica int, text string) {
		if in.ID != "" && in.Type != ping {
			p.record.add(Event{At: at, Kind: kind, Interaction: in.ID, Replica: replica, Text: text})
		}
	}
	ctx, cancel := context.WithTimeout(r.Context(), tryTime)
	defer cancel()
	replicas := p.fleet.replicas
	for first := int(p.turn.Add(1) % uint64(len(replicas))); ; {
		for i := range replicas {
			n := (first + i) % len(replicas)
			began := time.Now()
			response, err := p.pass(r, body, replicas[n])
			if refused := (*net.OpError)(nil); errors.As(err, &refused) && refused.Op == "dial" {
				continue
			}
			if err != nil {
				note(began, Routed, n+1, err.Error())
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			note(began, Routed, n+1, http.StatusText(response.status))
			w.Header().Set("Content-Type", response.kind)
			w.WriteHeader(response.status)
			_, _ = w.Write(response.body)
			return
		}
		pause := time.NewTimer(tryPause)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			note(time.Now(), Unreached, 0, "")
			w.WriteHeader(http.StatusBadGateway)
			return
		}
	}
}

// passed is the response of a replica.
type passed struct {
	status int
	kind   string
	body   []byte
}

func (p *proxy) pass(r *http.Request, body []byte, to *replica) (passed, error) {
	address := to.address.Load()
	if address == nil {
		return passed{}, &net.OpError{Op: "dial", Err: errors.New("no such replica")}
	}
	request, err := http.NewRequestWithContext(r.Context(), r.Method, "http://"+*address+r.URL.Path, bytes.NewReader(body))
	if err != nil {
		return passed{}, err
	}
	request.Header = r.Header.Clone()
	response, err := p.client.Do(request)
	if err != nil {
		return passed{}, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return passed{response.StatusCode, response.Header.Get("Content-Type"), answer}, err
}

// takes reports whether a replica accepts requests, which is true if it rejects an unsigned one.
func (p *proxy) takes(ctx context.Context, r *replica) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, "POST", "http://any"+endpointPath, nil)
	if err != nil {
		return false
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := p.pass(request, nil, r)
	return err == nil && answer.status == http.StatusUnauthorized
}

// freeAddress returns an address that is not in use.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
