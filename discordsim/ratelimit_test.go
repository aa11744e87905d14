package discordsim_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/discordsim"
)

// ask sends a request straight to a simulator's handler.
func ask(sim *discordsim.Sim, from, method, path, authorization string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(method, "http://sim.test/api/v10"+path, strings.NewReader("{}"))
	req.RemoteAddr = from + ":50000"
	req.Header.Set("Content-Type", "application/json")
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	w := httptest.NewRecorder()
	sim.Handler().ServeHTTP(w, req)
	return w
}

// limited runs f with a simulator in a bubble, where time passes only while f sleeps.
func limited(t *testing.T, f func(*testing.T, *discordsim.Sim)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		sim, err := discordsim.New(discordsim.Config{Start: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)})
		if err != nil {
			t.Fatal(err)
		}
		defer sim.Close()
		f(t, sim)
	})
}

func TestAnApplicationMaySend50RequestsASecond(t *testing.T) {
	limited(t, func(t *testing.T, sim *discordsim.Sim) {
		routes := []string{"/users/@me", "/gateway/bot", "/applications/@me", "/users/@me/guilds"}
		for n := range 50 {
			if got := ask(sim, "10.0.0.1", "GET", routes[n%len(routes)], "Bot "+token); got.Code != http.StatusOK {
				t.Fatalf("request %d got %d %s", n+1, got.Code, got.Body)
			}
		}
		got := ask(sim, "10.0.0.1", "GET", "/users/@me", "Bot "+token)
		if got.Code != http.StatusTooManyRequests || got.Header().Get("X-RateLimit-Global") != "true" || got.Header().Get("Retry-After") != "1" ||
			got.Header().Get("Via") == "" || !strings.Contains(got.Body.String(), `"retry_after":1,"global":true`) {
			t.Errorf("the 51st got %d %s %v", got.Code, got.Body, got.Header())
		}
		for name := range got.Header() {
			if strings.HasPrefix(name, "X-Ratelimit-") && name != "X-Ratelimit-Global" {
				t.Errorf("it tells %s of a bucket", name)
			}
		}
		if got := ask(sim, "10.0.0.1", "GET", "/users/@me", "Bot "+tokenOf("42")); got.Code != http.StatusOK {
			t.Errorf("another application got %d %s", got.Code, got.Body)
		}
		for path, code := range map[string]string{"/interactions/1/abc/callback": "10062", "/webhooks/" + botID + "/abc": "50027"} {
			if got := ask(sim, "10.0.0.1", "POST", path, "Bot "+token); !strings.Contains(got.Body.String(), code) {
				t.Errorf("%s, which does not count, got %d %s", path, got.Code, got.Body)
			}
		}
		time.Sleep(time.Second)
		if got := ask(sim, "10.0.0.1", "GET", "/users/@me", "Bot "+token); got.Code != http.StatusOK {
			t.Errorf("a second later it got %d %s", got.Code, got.Body)
		}
	})
}

func TestTenThousandInvalidRequestsShutAnAddressOut(t *testing.T) {
	limited(t, func(t *testing.T, sim *discordsim.Sim) {
		for n := range 9_999 {
			if got := ask(sim, "10.0.0.1", "GET", "/users/@me", ""); got.Code != http.StatusUnauthorized {
				t.Fatalf("request %d got %d", n+1, got.Code)
			}
			// Other errors do not count.
			if got := ask(sim, "10.0.0.1", "GET", "/nowhere", ""); got.Code != http.StatusNotFound {
				t.Fatalf("request %d got %d", n+1, got.Code)
			}
		}
		if got := ask(sim, "10.0.0.1", "GET", "/gateway", ""); got.Code != http.StatusOK {
			t.Fatalf("after 9999 invalid ones a good one got %d", got.Code)
		}
		ask(sim, "10.0.0.1", "GET", "/users/@me", "")
		got := ask(sim, "10.0.0.1", "GET", "/gateway", "")
		if got.Code != http.StatusTooManyRequests || !strings.HasPrefix(got.Header().Get("Content-Type"), "text/html") ||
			got.Header().Get("Via") != "" || got.Header().Get("Retry-After") != "600" || !strings.Contains(got.Body.String(), "1015") {
			t.Errorf("the address got %d %v %s", got.Code, got.Header(), got.Body)
		}
		if got := ask(sim, "10.0.0.2", "GET", "/gateway", ""); got.Code != http.StatusOK {
			t.Errorf("another address got %d", got.Code)
		}
		time.Sleep(10 * time.Minute)
		if got := ask(sim, "10.0.0.1", "GET", "/gateway", ""); got.Code != http.StatusOK {
			t.Errorf("ten minutes later it got %d", got.Code)
		}
	})
}

func TestLimitsExceededAndAccessDeniedAreInvalidRequests(t *testing.T) {
	limited(t, func(t *testing.T, sim *discordsim.Sim) {
		message, err := sim.User("alice").Write("general", "hi")
		if err != nil {
			t.Fatal(err)
		}
		seen := map[int]int{}
		for n := 0; seen[403]+seen[429] < 10_000; n++ {
			got := ask(sim, "10.0.0.1", "PATCH", "/channels/"+message.ChannelID+"/messages/"+message.ID, "Bot "+token)
			seen[got.Code]++
			if n%1000 == 0 {
				time.Sleep(5 * time.Second)
			}
		}
		if got := ask(sim, "10.0.0.1", "GET", "/gateway", ""); seen[403] == 0 || seen[429] == 0 || got.Code != http.StatusTooManyRequests {
			t.Errorf("after %v the address got %d", seen, got.Code)
		}
	})
}

func TestABucketIsNamedByItsRoute(t *testing.T) {
	w := newWorld(t, discordsim.Config{})
	if _, err := w.AddChannel(discordsim.Room{Name: "other"}); err != nil {
		t.Fatal(err)
	}
	get := func(method, channel string) (bucket, left string) {
		_, _, h := w.raw(method, "/channels/"+w.channel(channel)+"/messages", `{"content":"x"}`, "Bot "+token)
		return h.Get("X-RateLimit-Bucket"), h.Get("X-RateLimit-Remaining")
	}
	here, first := get("POST", "general")
	there, second := get("POST", "other")
	if here != there || first != "4" || second != "4" {
		t.Errorf("two channels have the buckets %s, %s with %s and %s left", here, there, first, second)
	}
	if reads, _ := get("GET", "general"); reads == here {
		t.Errorf("reading and writing have the bucket %s", reads)
	}
}

func TestARequestWithoutUserAgentIsRefusedWhereTheyAreDemanded(t *testing.T) {
	for demanded, want := range map[bool]string{true: "403 40333", false: "200 0"} {
		sim, err := discordsim.New(discordsim.Config{UserAgents: demanded})
		if err != nil {
			t.Fatal(err)
		}
		defer sim.Close()
		got := ask(sim, "10.0.0.1", "GET", "/gateway", "")
		if answer := fmt.Sprint(got.Code, " ", reply{text: got.Body.String()}.code()); answer != want {
			t.Errorf("demanded %v: got %s, want %s", demanded, answer, want)
		}
	}
}
