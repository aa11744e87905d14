package standalone

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"tictactoe/discordsim"
)

// proxied is a local Discord with a proxy.
type proxied struct {
	*Site
	proxy *url.URL
	trust *tls.Config
}

func newProxied(t *testing.T) *proxied {
	t.Helper()
	s, err := Open("127.0.0.1:0", false, discordsim.Config{Logger: slog.New(slog.DiscardHandler), NoRateLimits: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.openProxy("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	pem, err := os.ReadFile(s.authority.File())
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	return &proxied{s, &url.URL{Scheme: "http", Host: s.proxy.address}, &tls.Config{RootCAs: pool}}
}

func TestAnUnmodifiedSessionOfDiscordgoComesByTheProxy(t *testing.T) {
	t.Parallel()
	s := newProxied(t)
	bot, err := discordgo.New("Bot " + s.token())
	if err != nil {
		t.Fatal(err)
	}
	bot.Client = &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(s.proxy), TLSClientConfig: s.trust}}
	bot.Dialer = &websocket.Dialer{Proxy: http.ProxyURL(s.proxy), TLSClientConfig: s.trust}
	bot.AddHandler(func(b *discordgo.Session, i *discordgo.InteractionCreate) {
		err := b.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{
			Type: discordgo.InteractionResponseChannelMessageWithSource, Data: &discordgo.InteractionResponseData{Content: "pong"},
		})
		if err != nil {
			t.Error(err)
		}
	})
	if err := bot.Open(); err != nil {
		t.Fatal(err)
	}
	defer bot.Close()
	if _, err := bot.ApplicationCommandCreate(s.Sim.Application(), "", &discordgo.ApplicationCommand{Name: "ping", Description: "Answers"}); err != nil {
		t.Fatal(err)
	}
	if r, err := s.Sim.User("alice").Command(t.Context(), "general", "ping", nil); err != nil || r.Message == nil || r.Message.Content != "pong" {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestDiscordsOtherHostsAreThereToo(t *testing.T) {
	t.Parallel()
	s := newProxied(t)
	dialer := websocket.Dialer{Proxy: http.ProxyURL(s.proxy), TLSClientConfig: s.trust}
	conn, _, err := dialer.Dial("wss://gateway.discord.gg/?v=10&encoding=json", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, hello, err := conn.ReadMessage(); err != nil || !strings.Contains(string(hello), `"op":10`) {
		t.Errorf("the gateway says %s, %v", hello, err)
	}
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(s.proxy), TLSClientConfig: s.trust}}
	response, err := client.Get("https://cdn.discordapp.com/embed/avatars/0.png")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "image/png" {
		t.Errorf("an avatar: %s %s", response.Status, response.Header.Get("Content-Type"))
	}
}

func TestTheProxyLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	s := newProxied(t)
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(s.proxy), TLSClientConfig: s.trust}}
	for _, to := range []string{"https://example.com/", "https://discord.com:8443/", "https://notdiscord.com/", "https://discord.com.example.com/"} {
		if response, err := client.Get(to); err == nil || !strings.Contains(err.Error(), "Forbidden") {
			t.Errorf("%s: %v, %v", to, response, err)
		}
	}
	answer := httptest.NewRecorder()
	s.Site.proxy.ServeHTTP(answer, httptest.NewRequest(http.MethodConnect, "example.com:443", nil))
	if !strings.Contains(answer.Body.String(), "not to example.com:443: list that address in NO_PROXY") {
		t.Errorf("it says %s", answer.Body)
	}
	response, err := client.Get("http://discord.com/api/v10/gateway")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if text, _ := io.ReadAll(response.Body); response.StatusCode != http.StatusMethodNotAllowed || !strings.Contains(string(text), "CONNECT only") {
		t.Errorf("plain HTTP: %s %s", response.Status, text)
	}
}

func TestProgramsInOtherLanguagesComeByTheProxy(t *testing.T) {
	t.Parallel()
	s := newProxied(t)
	for program, args := range map[string][]string{
		"curl":    {"-sS", "https://discord.com/api/v10/gateway"},
		"python3": {"-c", `import urllib.request; print(urllib.request.urlopen("https://discord.com/api/v10/gateway").read().decode())`},
		// fetch supports HTTPS_PROXY only since Node.js 24, so the script opens the tunnel itself.
		"node": {"-e", `
			const p = new URL(process.env.HTTPS_PROXY);
			require('http').request({ host: p.hostname, port: p.port, method: 'CONNECT', path: 'discord.com:443' }).on('connect', (_, socket) =>
				require('https').get('https://discord.com/api/v10/gateway', { socket, agent: false }, (r) => r.pipe(process.stdout))).end()`},
	} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			file, err := exec.LookPath(program)
			if err != nil {
				t.Skip(err)
			}
			cmd := exec.CommandContext(t.Context(), file, args...)
			cmd.Env = append(os.Environ(), "HTTPS_PROXY="+s.proxy.String(), "https_proxy="+s.proxy.String(), "NO_PROXY=", "no_proxy=")
			for _, name := range []string{"NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "CURL_CA_BUNDLE"} {
				cmd.Env = append(cmd.Env, name+"="+s.authority.File())
			}
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), `{"url":"wss://discord.com/ws"}`) {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

func TestAReverseProxyOnThisMachineIsBelieved(t *testing.T) {
	t.Parallel()
	s := newProxied(t)
	for name, c := range map[string]struct {
		from, proto, host, want string
	}{
		"from loopback":               {"127.0.0.1:5", "https", "sim.example", "wss://sim.example/ws"},
		"from loopback, two proxies":  {"[::1]:5", "https, http", "sim.example, inner", "wss://sim.example/ws"},
		"from loopback, scheme alone": {"127.0.0.1:5", "https", "", "wss://localhost/ws"},
		"from elsewhere":              {"192.0.2.1:5", "https", "sim.example", "ws://localhost/ws"},
		"without headers":             {"127.0.0.1:5", "", "", "ws://localhost/ws"},
	} {
		r := httptest.NewRequest("GET", "http://localhost/api/v10/gateway", nil)
		r.RemoteAddr = c.from
		r.Header.Set("X-Forwarded-Proto", c.proto)
		r.Header.Set("X-Forwarded-Host", c.host)
		answer := httptest.NewRecorder()
		s.server.Handler.ServeHTTP(answer, r)
		if !strings.Contains(answer.Body.String(), `"`+c.want+`"`) {
			t.Errorf("%s: %s", name, answer.Body)
		}
	}
}

func TestAWordForTheShell(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{"/a/b-c.pem": "/a/b-c.pem", "/a b": "'/a b'", "it's": `'it'\''s'`, "": "''", "$HOME": "'$HOME'", "é": "'é'"} {
		if got := shellQuoted(word); got != want {
			t.Errorf("%q is written %s, want %s", word, got, want)
		}
	}
}
