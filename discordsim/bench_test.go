//go:build unix

package discordsim_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"tictactoe/discordsim"
)

// TestMain also runs the bot of BenchmarkLoad, in a separate process, so that the processor time of the bot and of
// the simulator can be told apart.
func TestMain(m *testing.M) {
	if kind := os.Getenv("DISCORDSIM_BOT"); kind != "" {
		benchBot(kind, os.Getenv("DISCORDSIM_URL"))
		return
	}
	os.Exit(m.Run())
}

// BenchmarkLoad measures 200 people who press buttons in 50 channels. The simulator writes its state to a file, and a
// bot in another process answers each press with the board. It reports the processor time of each side per
// interaction. "bare" is a handmade client that does only what is necessary; "discordgo" is an unmodified session.
func BenchmarkLoad(b *testing.B) {
	for _, kind := range []string{"bare", "discordgo"} {
		for _, rate := range []int{2000, 0} {
			name := kind + "/unbounded"
			if rate > 0 {
				name = fmt.Sprintf("%s/%d-per-second", kind, rate)
			}
			b.Run(name, func(b *testing.B) { benchLoad(b, kind, rate) })
		}
	}
}

func benchLoad(b *testing.B, kind string, rate int) {
	sim, err := discordsim.New(discordsim.Config{State: filepath.Join(b.TempDir(), "sim.discord")})
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(sim.Handler())
	bot := startBenchBot(b, kind, server.URL)
	b.Cleanup(func() { bot.stop(); sim.Close(); server.Close() })
	// A first load creates the people and the channels, and warms up both processes.
	boards := map[string]string{}
	var load discordsim.Load
	load.Users, load.Channels, load.For = 200, 50, time.Second
	load.Act = func(ctx context.Context, u *discordsim.User, channel string, _ int) (discordsim.Result, error) {
		return u.Command(ctx, channel, "board", nil)
	}
	if _, err := sim.Load(b.Context(), load); err != nil {
		b.Fatal(err)
	}
	for n := range 50 {
		channel := fmt.Sprintf("load-%d", n+1)
		messages, err := sim.User("alice").Messages(channel)
		if err != nil || len(messages) == 0 {
			b.Fatal(channel, err)
		}
		boards[messages[0].ChannelID] = messages[0].ID
	}
	load.PerSecond, load.For = rate, 5*time.Second
	load.Act = func(ctx context.Context, u *discordsim.User, channel string, n int) (discordsim.Result, error) {
		return u.Click(ctx, boards[channel], discordsim.Button{Index: n % 9})
	}
	for b.Loop() {
		simBefore, botBefore := processorTime(), bot.processorTime()
		report, err := sim.Load(b.Context(), load)
		if err != nil || report.Statuses[discordsim.Answered] != report.Interactions {
			b.Fatalf("%+v, %v", report, err)
		}
		simTook, botTook := processorTime()-simBefore, bot.processorTime()-botBefore
		each := func(d time.Duration) float64 { return float64(d.Microseconds()) / float64(report.Interactions) }
		b.ReportMetric(report.PerSecond, "interactions/s")
		b.ReportMetric(each(simTook), "sim-cpu-µs/interaction")
		b.ReportMetric(each(botTook), "bot-cpu-µs/interaction")
		b.ReportMetric(float64(report.Median.Microseconds())/1000, "median-ms")
		b.ReportMetric(float64(report.Percentile99.Microseconds())/1000, "p99-ms")
	}
	b.ReportMetric(0, "ns/op") // hides ns/op, the duration of the loop, which does not measure the simulator
}

// processorTime returns the processor time that this process has used.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// botProcess is the process of a bot under load. It prints its processor time for each line of input, and ends with
// its input.
type botProcess struct {
	b      *testing.B
	cmd    *exec.Cmd
	in     io.WriteCloser
	output *bufio.Reader
}

func startBenchBot(b *testing.B, kind, address string) *botProcess {
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "DISCORDSIM_BOT="+kind, "DISCORDSIM_URL="+address)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	p := &botProcess{b, cmd, in, bufio.NewReader(out)}
	p.processorTime() // the bot answers once it is connected
	return p
}

func (p *botProcess) processorTime() time.Duration {
	p.b.Helper()
	io.WriteString(p.in, "\n")
	line, err := p.output.ReadString('\n')
	if err != nil {
		p.b.Fatal("the bot has ended: ", err)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
	if err != nil {
		p.b.Fatal(err)
	}
	return time.Duration(n)
}

func (p *botProcess) stop() {
	p.in.Close()
	p.cmd.Wait()
}

const boardCommand = `[{"name":"board","description":"Shows a board"}]`

// boardData is the bot's answer to every interaction: a board of nine squares.
var boardData = func() string {
	var rows []string
	for y := range 3 {
		var squares []string
		for x := range 3 {
			squares = append(squares, fmt.Sprintf(`{"type":2,"style":2,"custom_id":"play:0123456789abc:%d:%c%d","emoji":{"name":"▫️"}}`, y, 'a'+x, y+1))
		}
		rows = append(rows, `{"type":1,"components":[`+strings.Join(squares, ",")+`]}`)
	}
	return `{"flags":32768,"embeds":[],"components":[{"type":10,"content":"**Alice** to move"},` + strings.Join(rows, ",") + `]}`
}()

// benchBot runs the bot of the benchmark, in a process of its own.
func benchBot(kind, address string) {
	base, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}
	post := func(method, path, body string) {
		req, err := http.NewRequest(method, address+"/api/v10"+path, strings.NewReader(body))
		if err != nil {
			panic(err)
		}
		req.Header.Set("Authorization", "Bot "+token)
		req.Header.Set("Content-Type", "application/json")
		res, err := client.Do(req)
		if err != nil {
			return // the benchmark is over
		}
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if res.StatusCode >= 300 {
			panic(fmt.Sprint(method, " ", path, " got ", res.StatusCode))
		}
	}
	if kind == "discordgo" {
		discordgoBot(base)
	} else {
		go bareBot("ws://"+base.Host+"/ws/?v=10&encoding=json", func(id, token string, kind int) {
			post("POST", "/interactions/"+id+"/"+token+"/callback", fmt.Sprintf(`{"type":%d,"data":%s}`, kind, boardData))
		})
	}
	post("PUT", "/applications/"+botID+"/commands", boardCommand)
	asked := bufio.NewScanner(os.Stdin)
	for asked.Scan() {
		fmt.Println(processorTime().Nanoseconds())
	}
}

// callbackFor returns the callback type that answers an interaction type.
func callbackFor(kind int) int {
	if kind == 3 {
		return 7
	}
	return 4
}

func bareBot(address string, answer func(id, token string, kind int)) {
	ws, _, err := websocket.DefaultDialer.Dial(address, nil)
	if err != nil {
		panic(err)
	}
	if err := ws.WriteMessage(websocket.TextMessage, []byte(`{"op":2,"d":{"token":"`+token+`","intents":0,"properties":{}}}`)); err != nil {
		panic(err)
	}
	type given struct {
		ID, Token string
		Type      int
	}
	work := make(chan given, 1024)
	for range 64 {
		go func() {
			for g := range work {
				answer(g.ID, g.Token, callbackFor(g.Type))
			}
		}()
	}
	for {
		_, text, err := ws.ReadMessage()
		if err != nil {
			return // the benchmark is over
		}
		var frame struct {
			T string `json:"t"`
			D given  `json:"d"`
		}
		if err := json.Unmarshal(text, &frame); err != nil {
			panic(err)
		}
		if frame.T == "INTERACTION_CREATE" {
			work <- frame.D
		}
	}
}

func discordgoBot(base *url.URL) {
	s, err := discordgo.New("Bot " + token)
	if err != nil {
		panic(err)
	}
	s.Client = &http.Client{Transport: rewriter{base, &http.Transport{MaxIdleConnsPerHost: 256}}}
	s.Identify.Intents, s.StateEnabled = 0, false
	var data discordgo.InteractionResponseData
	message := discordgo.Message{}
	if err := json.Unmarshal([]byte(boardData), &message); err != nil {
		panic(err)
	}
	data.Flags, data.Components, data.Embeds = message.Flags, message.Components, []*discordgo.MessageEmbed{}
	s.AddHandler(func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		kind := discordgo.InteractionResponseType(callbackFor(int(i.Type)))
		s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: kind, Data: &data})
	})
	if err := s.Open(); err != nil {
		panic(err)
	}
}
