package discordsim_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/discordsim"
)

// reply is the response to a request.
type reply struct {
	status int
	text   string
}

func (r reply) code() int {
	var refused struct{ Code int }
	json.Unmarshal([]byte(r.text), &refused)
	return refused.Code
}

// at lists the codes of the nested errors at a path.
func (r reply) at(path string) []string {
	var node any
	json.Unmarshal([]byte(r.text), &node)
	keys := []string{"errors"}
	if path != "." { // "." is the request itself
		keys = append(keys, strings.Split(path, ".")...)
	}
	for _, key := range keys {
		below, _ := node.(map[string]any)
		node = below[key]
	}
	here, _ := node.(map[string]any)
	faults, _ := here["_errors"].([]any)
	var codes []string
	for _, f := range faults {
		codes = append(codes, f.(map[string]any)["code"].(string))
	}
	return codes
}

// stage is a bubble with the helpers that the rows of the tables need.
type stage struct {
	*bubble
	general string
}

const stageCommands = `[{"name":"ping","description":"Answers","integration_types":[0,1],"contexts":[0,1,2]},
	{"name":"find","description":"Finds","options":[
		{"type":3,"name":"what","description":"What","autocomplete":true},
		{"type":4,"name":"many","description":"How many","autocomplete":true}]}]`

func (s *stage) do(method, path, body string) reply {
	s.t.Helper()
	status, _, text := s.rest(method, path, body)
	return reply{status, text}
}

func (s *stage) answer(i *discordgo.Interaction, body string) reply {
	s.t.Helper()
	return s.do("POST", "/interactions/"+i.ID+"/"+i.Token+"/callback", body)
}

// used makes alice use a command in a channel, and returns the interaction.
func (s *stage) used(channel string) *discordgo.Interaction {
	go s.User("alice").Command(context.Background(), channel, "ping", nil)
	return <-s.got
}

// typing makes alice type into an option of the command find, and returns the interaction.
func (s *stage) typing(option string) *discordgo.Interaction {
	go s.User("alice").Autocomplete(context.Background(), "general", "find", map[string]any{option: "a"}, option)
	return <-s.got
}

// board makes an interaction create a message with a button in a channel, and returns both.
func (s *stage) board(channel string) (i *discordgo.Interaction, message string) {
	s.t.Helper()
	done := make(chan discordsim.Result, 1)
	go func() {
		r, err := s.User("alice").Command(context.Background(), channel, "ping", nil)
		if err != nil {
			s.t.Error(err)
		}
		done <- r
	}()
	i = <-s.got
	s.answer(i, `{"type":4,"data":{"content":"board","components":[{"type":1,"components":[{"type":2,"style":1,"label":"b2","custom_id":"b2"}]}]}}`)
	return i, (<-done).Message.ID
}

// clicked makes alice click on the board's button, and returns the interaction.
func (s *stage) clicked(message string) *discordgo.Interaction {
	s.t.Helper()
	if _, err := s.User("alice").Click(context.Background(), message, discordsim.Button{CustomID: "b2", Hold: true}); err != nil {
		s.t.Fatal(err)
	}
	return <-s.got
}

func (s *stage) submitted() *discordgo.Interaction {
	s.t.Helper()
	i := s.used("general")
	s.answer(i, `{"type":9,"data":{"custom_id":"m","title":"Why","components":[{"type":1,"components":[{"type":4,"custom_id":"why","style":1,"label":"Why"}]}]}}`)
	go s.User("alice").Submit(context.Background(), i.ID, map[string]any{"why": "so"})
	return <-s.got
}

func (s *stage) token(i *discordgo.Interaction) string { return "/webhooks/" + botID + "/" + i.Token }

// sent sends a message of the bot to #general and returns its path.
func (s *stage) sent(body string) (path string) {
	s.t.Helper()
	r := s.do("POST", "/channels/"+s.general+"/messages", body)
	if r.status != http.StatusOK {
		s.t.Fatalf("writing got %d %s", r.status, r.text)
	}
	var m struct{ ID string }
	json.Unmarshal([]byte(r.text), &m)
	return "/channels/" + s.general + "/messages/" + m.ID
}

func (s *stage) messages() string { return "/channels/" + s.general + "/messages" }

func (s *stage) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) advance(d time.Duration) { s.must(s.Advance(context.Background(), d)) }

// thread creates a thread in #general and returns its id.
func (s *stage) thread() (id string) {
	s.t.Helper()
	id, err := s.AddChannel(discordsim.Room{Name: "talk", Type: 11, Parent: "general"})
	s.must(err)
	return id
}

func (s *stage) archive(id string, archived bool) {
	s.t.Helper()
	s.must(s.ChangeChannel(id, discordsim.RoomChange{Archived: &archived}))
}

func (s *stage) deny(who string, p discordsim.Permission) {
	s.t.Helper()
	s.must(s.SetOverwrite("general", who, 0, p))
}

// form sends a request with files.
func (s *stage) form(method, path, body string, files ...[]byte) reply {
	s.t.Helper()
	var text bytes.Buffer
	form := multipart.NewWriter(&text)
	s.must(form.WriteField("payload_json", body))
	for n, content := range files {
		part, err := form.CreateFormFile(fmt.Sprintf("files[%d]", n), fmt.Sprintf("f%d.txt", n))
		s.must(err)
		part.Write(content)
	}
	s.must(form.Close())
	req, err := http.NewRequest(method, "http://sim.test/api/v10"+path, &text)
	s.must(err)
	req.Header.Set("Authorization", "Bot "+token)
	req.Header.Set("Content-Type", form.FormDataContentType())
	res, err := s.http.Do(req)
	s.must(err)
	defer res.Body.Close()
	read, err := io.ReadAll(res.Body)
	s.must(err)
	return reply{res.StatusCode, string(read)}
}

// typed sends a message of the bot with the given Content-Type.
func (s *stage) typed(kind, body string) reply {
	s.t.Helper()
	req, err := http.NewRequest("POST", "http://sim.test/api/v10"+s.messages(), strings.NewReader(body))
	s.must(err)
	req.Header.Set("Authorization", "Bot "+token)
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	res, err := s.http.Do(req)
	s.must(err)
	defer res.Body.Close()
	read, err := io.ReadAll(res.Body)
	s.must(err)
	return reply{res.StatusCode, string(read)}
}

// withEmoji returns a reply with a button that has an application's emoji.
func (s *stage) withEmoji(id string) reply {
	s.t.Helper()
	return s.answer(s.used("general"), `{"type":4,"data":{"content":"x","components":[{"type":1,"components":[
		{"type":2,"style":1,"custom_id":"a","emoji":{"id":"`+id+`","name":"cross"}}]}]}}`)
}

// askWith opens a modal with a select whose option has an application's emoji.
func (s *stage) askWith(id string) reply {
	s.t.Helper()
	return s.answer(s.used("general"), `{"type":9,"data":{"custom_id":"m","title":"t","components":[{"type":18,"label":"l","component":
		{"type":3,"custom_id":"c","options":[{"label":"a","value":"a","emoji":{"id":"`+id+`","name":"cross"}}]}}]}}`)
}

// replyTo makes the bot reply to a message of alice. members are further members of the message_reference.
func (s *stage) replyTo(content, members string) reply {
	s.t.Helper()
	return s.do("POST", s.messages(), fmt.Sprintf(`{"content":%q,"message_reference":{"message_id":%q%s}}`, content, s.written("general"), members))
}

// inServer registers a command of one server.
func (s *stage) inServer(body string) reply {
	s.t.Helper()
	return s.do("POST", "/applications/"+botID+"/guilds/"+s.server()+"/commands", body)
}

// as sends a request with another Authorization.
func (s *stage) as(authorization, method, path string) reply {
	s.t.Helper()
	req, err := http.NewRequest(method, "http://sim.test/api"+path, nil)
	s.must(err)
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	res, err := s.http.Do(req)
	s.must(err)
	defer res.Body.Close()
	read, err := io.ReadAll(res.Body)
	s.must(err)
	return reply{res.StatusCode, string(read)}
}

func commandNames(kind int, prefix string, n int) string {
	var list []string
	for i := range n {
		description := `,"description":"x"`
		if kind != 1 {
			description = ""
		}
		list = append(list, fmt.Sprintf(`{"type":%d,"name":"%s%d"%s}`, kind, prefix, i, description))
	}
	return "[" + strings.Join(list, ",") + "]"
}

const (
	appCommands = "/applications/" + botID + "/commands"
	updated     = `{"type":7,"data":{"content":"moved"}}`
	suggested   = `{"type":8,"data":{"choices":[{"name":"n","value":"v"}]}}`
	texts       = `{"type":10,"content":"hi"}`
	poll        = `{"question":{"text":"Who?"},"answers":[{"poll_media":{"text":"X","emoji":{"name":"❌"}}},{"poll_media":{"text":"O"}}]}`
	somePoll    = `{"poll":` + poll + `}`
	someVoice   = `{"flags":8192,"attachments":[{"id":0,"filename":"a.ogg","duration_secs":1.5,"waveform":"AA=="}]}`
)

// twins is a request or a sequence of requests that Discord refuses, together with the most similar one that Discord
// accepts. It has the status and the code of the refusal and, for an invalid form, the place and the code of the
// nested error.
type twins struct {
	name         string
	status, code int
	at, inner    string
	bad, good    func(*stage) reply
}

// refusals are the refusals about interactions, messages and commands. Other subjects have tables in their own files.
var refusals = []twins{
	// Types of callback.
	{"a pong to a command", 400, 50035, "type", "BASE_TYPE_CHOICES",
		func(s *stage) reply { return s.answer(s.used("general"), `{"type":1}`) },
		func(s *stage) reply { return s.answer(s.used("general"), sayPong) }},
	{"an update where nothing was clicked", 400, 50035, "type", "BASE_TYPE_CHOICES",
		func(s *stage) reply { return s.answer(s.used("general"), updated) },
		func(s *stage) reply { _, m := s.board("general"); return s.answer(s.clicked(m), updated) }},
	{"a deferred update where nothing was clicked", 400, 50035, "type", "BASE_TYPE_CHOICES",
		func(s *stage) reply { return s.answer(s.used("general"), `{"type":6}`) },
		func(s *stage) reply { _, m := s.board("general"); return s.answer(s.clicked(m), `{"type":6}`) }},
	{"suggestions to a command", 400, 50035, "type", "BASE_TYPE_CHOICES",
		func(s *stage) reply { return s.answer(s.used("general"), suggested) },
		func(s *stage) reply { return s.answer(s.typing("what"), suggested) }},
	{"suggestions to a click", 400, 50035, "type", "BASE_TYPE_CHOICES",
		func(s *stage) reply { _, m := s.board("general"); return s.answer(s.clicked(m), suggested) },
		func(s *stage) reply { return s.answer(s.typing("what"), `{"type":8,"data":{"choices":[]}}`) }},
	{"a message to somebody who is typing", 400, 50035, "type", "BASE_TYPE_CHOICES",
		func(s *stage) reply { return s.answer(s.typing("what"), sayPong) },
		func(s *stage) reply { return s.answer(s.used("general"), sayPong) }},
	{"a deferral to somebody who is typing", 400, 50035, "type", "BASE_TYPE_CHOICES",
		func(s *stage) reply { return s.answer(s.typing("what"), `{"type":5}`) },
		func(s *stage) reply { return s.answer(s.used("general"), `{"type":5}`) }},
	{"a modal to a modal", 400, 50035, "type", "BASE_TYPE_CHOICES",
		func(s *stage) reply {
			return s.answer(s.submitted(), `{"type":9,"data":{"custom_id":"m","title":"t","components":[{"type":10,"content":"hi"}]}}`)
		},
		func(s *stage) reply { return s.answer(s.submitted(), sayPong) }},
	{"an update by a modal that no message opened", 400, 50035, "type", "BASE_TYPE_CHOICES",
		func(s *stage) reply { return s.answer(s.submitted(), updated) },
		func(s *stage) reply { return s.answer(s.submitted(), `{"type":5,"data":{"flags":64}}`) }},
	{"who may buy a SKU, which is not simulated", 501, 501, "", "",
		func(s *stage) reply {
			return s.answer(s.used("general"), `{"type":13,"data":{"eligible":true}}`)
		},
		func(s *stage) reply { return s.answer(s.used("general"), sayPong) }},
	{"an activity while typing", 400, 50035, "type", "BASE_TYPE_CHOICES",
		func(s *stage) reply { return s.answer(s.typing("what"), `{"type":12}`) },
		func(s *stage) reply { return s.answer(s.used("general"), `{"type":12}`) }},
	{"a callback of no type", 400, 50035, "type", "BASE_TYPE_REQUIRED",
		func(s *stage) reply { return s.answer(s.used("general"), `{"data":{"content":"x"}}`) },
		func(s *stage) reply { return s.answer(s.used("general"), sayPong) }},
	{"a callback of a type that does not exist", 400, 50035, "type", "BASE_TYPE_CHOICES",
		func(s *stage) reply { return s.answer(s.used("general"), `{"type":99}`) },
		func(s *stage) reply { return s.answer(s.used("general"), sayPong) }},
	{"a reply of a number", 400, 50035, "data.content", "STRING_TYPE_CONVERT",
		func(s *stage) reply { return s.answer(s.used("general"), `{"type":4,"data":{"content":5}}`) },
		func(s *stage) reply { return s.answer(s.used("general"), `{"type":5,"data":{"content":5}}`) }},
	{"an update of a number", 400, 50035, "data.content", "STRING_TYPE_CONVERT",
		func(s *stage) reply {
			_, m := s.board("general")
			return s.answer(s.clicked(m), `{"type":7,"data":{"content":5}}`)
		},
		func(s *stage) reply {
			_, m := s.board("general")
			return s.answer(s.clicked(m), `{"type":6,"data":{"content":5}}`)
		}},
	{"a reply that says nothing", 400, 50006, "", "",
		func(s *stage) reply { return s.answer(s.used("general"), `{"type":4,"data":{"content":""}}`) },
		func(s *stage) reply { return s.answer(s.used("general"), `{"type":4,"data":{"content":"."}}`) }},
	{"a callback that is no JSON", 400, 50109, "", "",
		func(s *stage) reply { return s.answer(s.used("general"), `{"type":4,`) },
		func(s *stage) reply { return s.answer(s.used("general"), sayPong) }},
	{"a text for an option that counts", 400, 50035, "data.choices.0.value", "NUMBER_TYPE_COERCE",
		func(s *stage) reply { return s.answer(s.typing("many"), suggested) },
		func(s *stage) reply {
			return s.answer(s.typing("many"), `{"type":8,"data":{"choices":[{"name":"n","value":3}]}}`)
		}},
	{"a number for an option that is a text", 400, 50035, "data.choices.0.value", "STRING_TYPE_CONVERT",
		func(s *stage) reply {
			return s.answer(s.typing("what"), `{"type":8,"data":{"choices":[{"name":"n","value":3}]}}`)
		},
		func(s *stage) reply { return s.answer(s.typing("what"), suggested) }},
	{"a custom_id used twice in a reply", 400, 50035, "data.components.0.components.1.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED",
		func(s *stage) reply {
			return s.answer(s.used("general"), `{"type":4,"data":{"content":"x","components":[{"type":1,"components":[
				{"type":2,"style":1,"label":"a","custom_id":"a"},{"type":2,"style":1,"label":"b","custom_id":"a","disabled":true}]}]}}`)
		},
		func(s *stage) reply {
			return s.answer(s.used("general"), `{"type":4,"data":{"content":"x","components":[{"type":1,"components":[
				{"type":2,"style":1,"label":"a","custom_id":"a"},{"type":2,"style":1,"label":"b","custom_id":"b","disabled":true}]}]}}`)
		}},

	// Time limits, and repeated answers.
	{"an answer after 3.1 s", 404, 10062, "", "",
		func(s *stage) reply {
			i := s.used("general")
			time.Sleep(3100 * time.Millisecond)
			return s.answer(i, sayPong)
		},
		func(s *stage) reply {
			i := s.used("general")
			time.Sleep(2900 * time.Millisecond)
			return s.answer(i, sayPong)
		}},
	{"suggestions after 3.1 s", 404, 10062, "", "",
		func(s *stage) reply {
			i := s.typing("what")
			time.Sleep(3100 * time.Millisecond)
			return s.answer(i, suggested)
		},
		func(s *stage) reply {
			i := s.typing("what")
			time.Sleep(2900 * time.Millisecond)
			return s.answer(i, suggested)
		}},
	{"a second answer", 400, 40060, "", "",
		func(s *stage) reply { i := s.used("general"); s.answer(i, sayPong); return s.answer(i, sayPong) },
		func(s *stage) reply { i := s.used("general"); s.answer(i, `{"type":99}`); return s.answer(i, sayPong) }},
	{"a second deferral", 400, 40060, "", "",
		func(s *stage) reply {
			i := s.used("general")
			s.answer(i, `{"type":5}`)
			return s.answer(i, `{"type":5}`)
		},
		func(s *stage) reply {
			i := s.used("general")
			s.answer(i, `{"type":5}`)
			return s.do("PATCH", s.token(i)+"/messages/@original", `{"content":"done"}`)
		}},
	{"suggestions twice", 400, 40060, "", "",
		func(s *stage) reply { i := s.typing("what"); s.answer(i, suggested); return s.answer(i, suggested) },
		func(s *stage) reply {
			s.answer(s.typing("what"), suggested)
			return s.answer(s.typing("what"), suggested)
		}},
	{"an interaction that never was", 404, 10062, "", "",
		func(s *stage) reply { return s.do("POST", "/interactions/1/abc/callback", sayPong) },
		func(s *stage) reply { return s.answer(s.used("general"), sayPong) }},
	{"an answer with another interaction's token", 404, 10062, "", "",
		func(s *stage) reply {
			first, second := s.used("general"), s.used("general")
			return s.do("POST", "/interactions/"+first.ID+"/"+second.Token+"/callback", sayPong)
		},
		func(s *stage) reply { s.used("general"); return s.answer(s.used("general"), sayPong) }},
	{"a follow-up before the answer", 404, 10015, "", "",
		func(s *stage) reply { return s.do("POST", s.token(s.used("general")), `{"content":"x"}`) },
		func(s *stage) reply {
			i := s.used("general")
			s.answer(i, sayPong)
			return s.do("POST", s.token(i), `{"content":"x"}`)
		}},
	{"a follow-up to what is typed", 404, 10015, "", "",
		func(s *stage) reply {
			i := s.typing("what")
			s.answer(i, suggested)
			return s.do("POST", s.token(i), `{"content":"x"}`)
		},
		func(s *stage) reply {
			i := s.submitted()
			s.answer(i, sayPong)
			return s.do("POST", s.token(i), `{"content":"x"}`)
		}},
	{"a token that never was", 401, 50027, "", "",
		func(s *stage) reply { return s.do("POST", "/webhooks/"+botID+"/abc", `{"content":"x"}`) },
		func(s *stage) reply { i, _ := s.board("general"); return s.do("POST", s.token(i), `{"content":"x"}`) }},
	{"a token of another application", 404, 10015, "", "",
		func(s *stage) reply {
			i, _ := s.board("general")
			return s.do("POST", "/webhooks/7/"+i.Token, `{"content":"x"}`)
		},
		func(s *stage) reply { i, _ := s.board("general"); return s.do("POST", s.token(i), `{"content":"x"}`) }},
	{"a follow-up after 15 minutes", 401, 50027, "", "",
		func(s *stage) reply {
			i, _ := s.board("general")
			s.advance(15 * time.Minute)
			return s.do("POST", s.token(i), `{"content":"x"}`)
		},
		func(s *stage) reply {
			i, _ := s.board("general")
			s.advance(14 * time.Minute)
			return s.do("POST", s.token(i), `{"content":"x"}`)
		}},
	{"an edit by a token of 15 minutes", 401, 50027, "", "",
		func(s *stage) reply {
			i, _ := s.board("general")
			s.advance(15 * time.Minute)
			return s.do("PATCH", s.token(i)+"/messages/@original", `{"content":"x"}`)
		},
		func(s *stage) reply {
			_, m := s.board("general")
			s.advance(15 * time.Minute)
			return s.do("PATCH", s.messages()+"/"+m, `{"content":"x"}`)
		}},
	{"deleting by a token of 15 minutes", 401, 50027, "", "",
		func(s *stage) reply {
			i, _ := s.board("general")
			s.advance(15 * time.Minute)
			return s.do("DELETE", s.token(i)+"/messages/@original", "")
		},
		func(s *stage) reply {
			i, _ := s.board("general")
			return s.do("DELETE", s.token(i)+"/messages/@original", "")
		}},
	{"a sixth follow-up of an application that only a person has", 400, 40094, "", "",
		func(s *stage) reply { return s.follow(6) },
		func(s *stage) reply { return s.follow(5) }},

	// Authors and channels of messages.
	{"@original of a modal", 404, 10008, "", "",
		func(s *stage) reply {
			i := s.used("general")
			s.answer(i, `{"type":9,"data":{"custom_id":"m","title":"t","components":[{"type":10,"content":"hi"}]}}`)
			return s.do("GET", s.token(i)+"/messages/@original", "")
		},
		func(s *stage) reply {
			i, _ := s.board("general")
			return s.do("GET", s.token(i)+"/messages/@original", "")
		}},
	{"editing the message of another token", 404, 10008, "", "",
		func(s *stage) reply {
			_, theirs := s.board("general")
			mine, _ := s.board("general")
			return s.do("PATCH", s.token(mine)+"/messages/"+theirs, `{"content":"x"}`)
		},
		func(s *stage) reply {
			i, mine := s.board("general")
			return s.do("PATCH", s.token(i)+"/messages/"+mine, `{"content":"x"}`)
		}},
	{"@original after it was deleted", 404, 10008, "", "",
		func(s *stage) reply {
			i, m := s.board("general")
			s.must(s.DeleteMessage(m))
			return s.do("PATCH", s.token(i)+"/messages/@original", `{"content":"x"}`)
		},
		func(s *stage) reply {
			i, m := s.board("general")
			s.must(s.DeleteMessage(m))
			return s.do("POST", s.token(i), `{"content":"x"}`)
		}},
	{"updating a message that was deleted after the click", 404, 10008, "", "",
		func(s *stage) reply { return s.answer(s.clickedAndDeleted(), updated) },
		func(s *stage) reply { return s.answer(s.clickedAndDeleted(), sayPong) }},
	{"deferring the update of a deleted message", 404, 10008, "", "",
		func(s *stage) reply { return s.answer(s.clickedAndDeleted(), `{"type":6}`) },
		func(s *stage) reply { return s.answer(s.clickedAndDeleted(), `{"type":5}`) }},
	{"editing an ephemeral message with the bot token", 404, 10008, "", "",
		func(s *stage) reply { return s.do("PATCH", s.messages()+"/"+s.replied(64), `{"content":"x"}`) },
		func(s *stage) reply { return s.do("PATCH", s.messages()+"/"+s.replied(0), `{"content":"x"}`) }},
	{"reading an ephemeral message with the bot token", 404, 10008, "", "",
		func(s *stage) reply { return s.do("GET", s.messages()+"/"+s.replied(64), "") },
		func(s *stage) reply { return s.do("GET", s.messages()+"/"+s.replied(0), "") }},
	{"deleting an ephemeral message with the bot token", 404, 10008, "", "",
		func(s *stage) reply { return s.do("DELETE", s.messages()+"/"+s.replied(64), "") },
		func(s *stage) reply { return s.do("DELETE", s.messages()+"/"+s.replied(0), "") }},
	{"an ephemeral message of the bot's own", 400, 50035, "flags", "BASE_TYPE_CHOICES",
		func(s *stage) reply { return s.do("POST", s.messages(), `{"content":"x","flags":64}`) },
		func(s *stage) reply { return s.do("POST", s.messages(), `{"content":"x","flags":4096}`) }},
	{"editing a person's message", 403, 50005, "", "",
		func(s *stage) reply { return s.do("PATCH", s.messages()+"/"+s.written("general"), `{"content":"x"}`) },
		func(s *stage) reply { return s.do("PATCH", s.sent(`{"content":"mine"}`), `{"content":"x"}`) }},
	{"deleting a person's message without the right to", 403, 50013, "", "",
		func(s *stage) reply { return s.do("DELETE", s.messages()+"/"+s.written("general"), "") },
		func(s *stage) reply {
			s.must(s.SetMember("", botID, discordsim.Membership{Permissions: discordsim.ManageMessages}))
			return s.do("DELETE", s.messages()+"/"+s.written("general"), "")
		}},
	{"a reply to a message that is not there", 400, 50035, "message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE",
		func(s *stage) reply {
			return s.do("POST", s.messages(), `{"content":"x","message_reference":{"message_id":"1"}}`)
		},
		func(s *stage) reply {
			return s.do("POST", s.messages(), `{"content":"x","message_reference":{"message_id":"1","fail_if_not_exists":false}}`)
		}},

	{"a poll with an emoji that the bot does not have", 400, 50035, "poll.answers.0.poll_media.emoji.id", "BASE_TYPE_CHOICES",
		func(s *stage) reply {
			return s.do("POST", s.messages(), `{"poll":{"question":{"text":"?"},"answers":[{"poll_media":{"text":"a","emoji":{"id":"1"}}}]}}`)
		},
		func(s *stage) reply {
			body := `{"poll":{"question":{"text":"?"},"answers":[{"poll_media":{"text":"a","emoji":{"id":"` + path.Base(s.uploaded("own")) + `"}}}]}}`
			return s.do("POST", s.messages(), body)
		}},
	{"an edit of a message with a poll", 400, 520003, "", "",
		func(s *stage) reply { return s.do("PATCH", s.sent(`{"poll":`+poll+`}`), `{"content":"x"}`) },
		func(s *stage) reply { return s.do("DELETE", s.sent(`{"poll":`+poll+`}`), "") }},
	{"an edit that brings a poll to what is there already", 400, 50035, "poll", "BASE_TYPE_CHOICES",
		func(s *stage) reply {
			i, _ := s.board("general")
			return s.do("PATCH", s.token(i)+"/messages/@original", `{"poll":`+poll+`}`)
		},
		func(s *stage) reply {
			i := s.used("general")
			s.answer(i, `{"type":5}`)
			return s.do("PATCH", s.token(i)+"/messages/@original", `{"poll":`+poll+`}`)
		}},
	{"a forward of what Discord has written", 403, 50021, "", "",
		func(s *stage) reply { return s.forward(s.pinned(), "") },
		func(s *stage) reply { s.pinned(); return s.forward(s.sentID(), "") }},
	{"a forward of a poll", 400, 50035, "message_reference", "BASE_TYPE_CHOICES",
		func(s *stage) reply {
			at := s.sent(`{"poll":` + poll + `}`)
			return s.forward(at[strings.LastIndex(at, "/")+1:], "")
		},
		func(s *stage) reply { return s.forward(s.sentID(), "") }},
	{"a forward of a message that is not there", 400, 50035, "message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE",
		func(s *stage) reply { return s.forward("1", "") },
		func(s *stage) reply { return s.forward(s.sentID(), "") }},
	{"a forward that does not say from where", 400, 50035, "message_reference.channel_id", "BASE_TYPE_REQUIRED",
		func(s *stage) reply {
			return s.do("POST", s.messages(), `{"message_reference":{"type":1,"message_id":"`+s.sentID()+`"}}`)
		},
		func(s *stage) reply { return s.forward(s.sentID(), "") }},
	{"a forward with words of its own", 400, 160011, "", "",
		func(s *stage) reply { return s.forward(s.sentID(), `"content":"look",`) },
		func(s *stage) reply { return s.forward(s.sentID(), `"content":"",`) }},
	{"a forward of what it cannot read", 400, 160014, "", "",
		func(s *stage) reply { return s.forward(s.written("general"), "") },
		func(s *stage) reply {
			m, err := s.User("alice").Write("general", "hello <@"+botID+">")
			s.must(err)
			return s.forward(m.ID, "")
		}},
	{"a forward out of a channel that it does not see", 403, 50001, "", "",
		func(s *stage) reply {
			m := s.sentID()
			s.deny(botID, discordsim.ViewChannel)
			return s.forwardToLounge(m)
		},
		func(s *stage) reply { return s.forwardToLounge(s.sentID()) }},
	{"a forward of what was there before it could look back", 403, 160009, "", "",
		func(s *stage) reply {
			m := s.sentID()
			s.deny(botID, discordsim.ReadMessageHistory)
			return s.forwardToLounge(m)
		},
		func(s *stage) reply {
			m := s.sentID()
			s.deny(botID, discordsim.SendMessages)
			return s.forwardToLounge(m)
		}},

	// Source: developers/resources/message.mdx, "Create Message" and "Message Reference Structure"; the codes are
	// from developers/topics/opcodes-and-status-codes.mdx.
	{"a reply with nothing in it", 400, 50006, "", "",
		func(s *stage) reply { return s.replyTo("", "") },
		func(s *stage) reply { return s.replyTo("x", "") }},
	{"a reply where it may not read what was said", 403, 160002, "", "",
		func(s *stage) reply {
			s.deny("", discordsim.ReadMessageHistory)
			return s.replyTo("x", "")
		},
		func(s *stage) reply {
			s.deny("", discordsim.ReadMessageHistory)
			return s.do("POST", s.messages(), `{"content":"x"}`)
		}},
	{"a reply to a message of another server", 400, 50035, "message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE",
		func(s *stage) reply { return s.replyTo("x", `,"guild_id":"1"`) },
		func(s *stage) reply { return s.replyTo("x", `,"guild_id":"`+s.server()+`"`) }},
	{"a reply to a message of another channel", 400, 50035, "message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE",
		func(s *stage) reply { return s.replyTo("x", `,"channel_id":"1"`) },
		func(s *stage) reply { return s.replyTo("x", `,"channel_id":"`+s.general+`"`) }},
	{"a reference of a type that does not exist", 400, 50035, "message_reference.type", "BASE_TYPE_CHOICES",
		func(s *stage) reply { return s.replyTo("x", `,"type":2`) },
		func(s *stage) reply { return s.replyTo("x", `,"type":0`) }},
	{"text read aloud where it may not", 403, 50013, "", "",
		func(s *stage) reply {
			s.deny("", discordsim.SendTTSMessages)
			return s.do("POST", s.messages(), `{"content":"x","tts":true}`)
		},
		func(s *stage) reply { return s.do("POST", s.messages(), `{"content":"x","tts":true}`) }},
	{"a poll where it may not", 403, 50013, "", "",
		func(s *stage) reply {
			s.deny("", discordsim.SendPolls)
			return s.do("POST", s.messages(), somePoll)
		},
		func(s *stage) reply { return s.do("POST", s.messages(), somePoll) }},
	{"a voice message where it may not", 403, 50013, "", "",
		func(s *stage) reply {
			s.deny("", discordsim.SendVoiceMessages)
			return s.form("POST", s.messages(), someVoice, []byte("OggS"))
		},
		func(s *stage) reply { return s.form("POST", s.messages(), someVoice, []byte("OggS")) }},
	{"a voice message with words", 400, 50159, "", "",
		func(s *stage) reply {
			return s.form("POST", s.messages(), strings.Replace(someVoice, "{", `{"content":"hi",`, 1), []byte("OggS"))
		},
		func(s *stage) reply { return s.form("POST", s.messages(), someVoice, []byte("OggS")) }},
	// Source: Discord's api-docs#2601 and discord.js#7544. TestEmbedsAreLeftOutWhereTheyMayNotBeSent tests embeds
	// in a message with a text.
	{"nothing but an embed where it may not", 403, 50013, "", "",
		func(s *stage) reply {
			s.deny("", discordsim.EmbedLinks)
			return s.do("POST", s.messages(), `{"embeds":[{"title":"t"}]}`)
		},
		func(s *stage) reply {
			s.deny("", discordsim.EmbedLinks)
			return s.answer(s.used("general"), `{"type":4,"data":{"embeds":[{"title":"t"}]}}`)
		}},
	{"an edit to nothing but an embed where it may not", 400, 50006, "", "",
		func(s *stage) reply {
			at := s.sent(`{"content":"x"}`)
			s.deny("", discordsim.EmbedLinks)
			return s.do("PATCH", at, `{"content":"","embeds":[{"title":"t"}]}`)
		},
		func(s *stage) reply {
			at := s.sent(`{"content":"x"}`)
			s.deny("", discordsim.EmbedLinks)
			return s.do("PATCH", at, `{"content":"y","embeds":[{"title":"t"}]}`)
		}},
	// Source: the responses that bots got, in Discord's api-docs#3128.
	{"a sticker that is not there", 400, 50081, "", "",
		func(s *stage) reply { return s.do("POST", s.messages(), `{"content":"x","sticker_ids":["1"]}`) },
		func(s *stage) reply { return s.do("POST", s.messages(), `{"content":"x","sticker_ids":[]}`) }},
	// Source: developers/resources/emoji.mdx, "Application-Owned Emoji", and Discord's api-docs#8071 for the code.
	{"an emoji that is not there", 400, 50035, "data.components.0.components.0.emoji.id", "BUTTON_COMPONENT_INVALID_EMOJI",
		func(s *stage) reply { return s.withEmoji("12") },
		func(s *stage) reply { return s.withEmoji(path.Base(s.uploaded("cross"))) }},
	{"an emoji that is not there in a modal", 400, 50035, "data.components.0.component.options.0.emoji.id", "BUTTON_COMPONENT_INVALID_EMOJI",
		func(s *stage) reply { return s.askWith("12") },
		func(s *stage) reply { return s.askWith(path.Base(s.uploaded("cross"))) }},

	// Edits of messages.
	{"an edit that leaves nothing", 400, 50006, "", "",
		func(s *stage) reply { return s.do("PATCH", s.sent(`{"content":"x"}`), `{"content":""}`) },
		func(s *stage) reply {
			return s.do("PATCH", s.sent(`{"content":"x","embeds":[{"title":"t"}]}`), `{"content":""}`)
		}},
	{"an edit whose null leaves nothing", 400, 50006, "", "",
		func(s *stage) reply { return s.do("PATCH", s.sent(`{"content":"x"}`), `{"content":null}`) },
		func(s *stage) reply {
			return s.do("PATCH", s.sent(`{"content":"x","embeds":[{"title":"t"}]}`), `{"content":null}`)
		}},
	{"an edit by token whose nulls leave nothing", 400, 50006, "", "",
		func(s *stage) reply {
			i, _ := s.board("general")
			return s.do("PATCH", s.token(i)+"/messages/@original", `{"content":null,"components":null}`)
		},
		func(s *stage) reply {
			i, _ := s.board("general")
			return s.do("PATCH", s.token(i)+"/messages/@original", `{"components":null}`)
		}},
	{"an update whose nulls leave nothing", 400, 50006, "", "",
		func(s *stage) reply {
			return s.answer(s.embedClicked(), `{"type":7,"data":{"embeds":null,"components":null}}`)
		},
		func(s *stage) reply {
			return s.answer(s.embedClicked(), `{"type":7,"data":{"embeds":null,"components":null,"content":"over"}}`)
		}},
	{"Components V2 taken out by null", 400, 50006, "", "",
		func(s *stage) reply {
			return s.do("PATCH", s.sent(`{"flags":32768,"components":[`+texts+`]}`), `{"components":null}`)
		},
		func(s *stage) reply {
			return s.do("PATCH", s.sent(`{"flags":32768,"components":[`+texts+`]}`), `{"content":null,"embeds":null}`)
		}},
	{"filling a deferred reply with nothing", 400, 50006, "", "",
		func(s *stage) reply {
			i := s.used("general")
			s.answer(i, `{"type":5}`)
			return s.do("PATCH", s.token(i)+"/messages/@original", `{}`)
		},
		func(s *stage) reply {
			i := s.used("general")
			s.answer(i, `{"type":5}`)
			return s.do("PATCH", s.token(i)+"/messages/@original", `{"flags":32768,"components":[`+texts+`]}`)
		}},
	{"taking Components V2 back", 400, 50035, "flags", "BASE_TYPE_CHOICES",
		func(s *stage) reply {
			return s.do("PATCH", s.sent(`{"flags":32768,"components":[`+texts+`]}`), `{"flags":0,"components":[`+texts+`]}`)
		},
		func(s *stage) reply {
			return s.do("PATCH", s.sent(`{"flags":32768,"components":[`+texts+`]}`), `{"components":[`+texts+`]}`)
		}},
	{"text on a message of Components V2", 400, 50035, "content", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
		func(s *stage) reply {
			return s.do("PATCH", s.sent(`{"flags":32768,"components":[`+texts+`]}`), `{"content":"x"}`)
		},
		func(s *stage) reply { return s.do("PATCH", s.sent(`{"content":"x"}`), `{"content":"y"}`) }},
	{"Components V2 over text that is left", 400, 50035, "content", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
		func(s *stage) reply {
			return s.do("PATCH", s.sent(`{"content":"x"}`), `{"flags":32768,"components":[`+texts+`]}`)
		},
		func(s *stage) reply {
			return s.do("PATCH", s.sent(`{"content":"x"}`), `{"content":null,"flags":32768,"components":[`+texts+`]}`)
		}},
	{"Components V2 over embeds that are null", 400, 50035, "data.embeds", "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
		func(s *stage) reply {
			return s.answer(s.embedClicked(), `{"type":7,"data":{"embeds":null,"flags":32768,"components":[`+texts+`]}}`)
		},
		func(s *stage) reply {
			return s.answer(s.embedClicked(), `{"type":7,"data":{"embeds":[],"flags":32768,"components":[`+texts+`]}}`)
		}},
	{"a rich component in an update without the flag", 400, 50035, "data.components.0.type", "UNION_TYPE_CHOICES",
		func(s *stage) reply {
			_, m := s.board("general")
			return s.answer(s.clicked(m), `{"type":7,"data":{"components":[`+texts+`]}}`)
		},
		func(s *stage) reply {
			_, m := s.board("general")
			return s.answer(s.clicked(m), `{"type":7,"data":{"content":null,"flags":32768,"components":[`+texts+`]}}`)
		}},
	{"a picture that did not come along", 400, 50035, "components.0.items.0.media.url", "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
		func(s *stage) reply {
			return s.form("POST", s.messages(), `{"flags":32768,"components":[{"type":12,"items":[{"media":{"url":"attachment://f1.txt"}}]}]}`, []byte("a"))
		},
		func(s *stage) reply {
			return s.form("POST", s.messages(), `{"flags":32768,"components":[{"type":12,"items":[{"media":{"url":"attachment://f0.txt"}}]}]}`, []byte("a"))
		}},
	{"a thumbnail that did not come along", 400, 50035, "data.components.0.accessory.media.url", "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
		func(s *stage) reply {
			return s.answer(s.used("general"), `{"type":4,"data":`+thumbnail("attachment://a.png")+`}`)
		},
		func(s *stage) reply {
			return s.answer(s.used("general"), `{"type":4,"data":`+thumbnail("https://example.com/a.png")+`}`)
		}},
	// Source: the response that a bot got, in concord#78.
	{"a file that did not come along", 400, 50035, "attachments.0", "ATTACHMENT_NOT_FOUND",
		func(s *stage) reply {
			return s.form("POST", s.messages(), `{"content":"x","attachments":[{"id":1}]}`, []byte("a"))
		},
		func(s *stage) reply {
			return s.form("POST", s.messages(), `{"content":"x","attachments":[{"id":0}]}`, []byte("a"))
		}},
	{"eleven files", 400, 50035, "attachments", "BASE_TYPE_MAX_LENGTH",
		func(s *stage) reply { return s.form("POST", s.messages(), `{}`, make([][]byte, 11)...) },
		func(s *stage) reply { return s.form("POST", s.messages(), `{}`, make([][]byte, 10)...) }},
	{"a file beyond 10 MiB", 413, 40005, "", "",
		func(s *stage) reply { return s.form("POST", s.messages(), `{}`, make([]byte, 10<<20+1)) },
		func(s *stage) reply { return s.form("POST", s.messages(), `{}`, make([]byte, 10<<20)) }},
	{"a request beyond 25 MiB", 413, 40005, "", "",
		func(s *stage) reply {
			return s.form("POST", s.messages(), `{}`, make([]byte, 9<<20), make([]byte, 9<<20), make([]byte, 9<<20))
		},
		func(s *stage) reply {
			return s.form("POST", s.messages(), `{}`, make([]byte, 9<<20), make([]byte, 9<<20))
		}},

	// Channels, threads and permissions.
	{"editing in an archived thread", 400, 50083, "", "",
		func(s *stage) reply {
			id, m := s.inThread(true)
			return s.do("PATCH", "/channels/"+id+"/messages/"+m, `{"content":"x"}`)
		},
		func(s *stage) reply {
			id, m := s.inThread(false)
			return s.do("PATCH", "/channels/"+id+"/messages/"+m, `{"content":"x"}`)
		}},
	{"updating in an archived thread", 400, 50083, "", "",
		func(s *stage) reply { _, m := s.inThread(true); return s.answer(s.clicked(m), updated) },
		func(s *stage) reply { _, m := s.inThread(true); return s.answer(s.clicked(m), sayPong) }},
	{"deferring an update in an archived thread", 400, 50083, "", "",
		func(s *stage) reply { _, m := s.inThread(true); return s.answer(s.clicked(m), `{"type":6}`) },
		func(s *stage) reply { _, m := s.inThread(false); return s.answer(s.clicked(m), `{"type":6}`) }},
	{"answering in a channel deleted since", 404, 10003, "", "",
		func(s *stage) reply {
			i := s.used("general")
			s.must(s.DeleteChannel("general"))
			return s.answer(i, sayPong)
		},
		func(s *stage) reply {
			id := s.thread()
			i := s.used("general")
			s.must(s.DeleteChannel(id))
			return s.answer(i, sayPong)
		}},
	{"following up in a channel deleted since", 404, 10003, "", "",
		func(s *stage) reply {
			i, _ := s.board("general")
			s.must(s.DeleteChannel("general"))
			return s.do("POST", s.token(i), `{"content":"x"}`)
		},
		func(s *stage) reply { i, _ := s.board("general"); return s.do("POST", s.token(i), `{"content":"x"}`) }},
	{"editing in a channel deleted since", 404, 10003, "", "",
		func(s *stage) reply {
			at := s.sent(`{"content":"x"}`)
			s.must(s.DeleteChannel("general"))
			return s.do("PATCH", at, `{"content":"y"}`)
		},
		func(s *stage) reply { return s.do("PATCH", s.sent(`{"content":"x"}`), `{"content":"y"}`) }},
	{"editing in a hidden channel", 403, 50001, "", "",
		func(s *stage) reply {
			at := s.sent(`{"content":"x"}`)
			s.deny(botID, discordsim.ViewChannel)
			return s.do("PATCH", at, `{"content":"y"}`)
		},
		func(s *stage) reply {
			at := s.sent(`{"content":"x"}`)
			s.deny(botID, discordsim.SendMessages)
			return s.do("PATCH", at, `{"content":"y"}`)
		}},
	{"writing where it may not", 403, 50013, "", "",
		func(s *stage) reply {
			s.deny("", discordsim.SendMessages)
			return s.do("POST", s.messages(), `{"content":"x"}`)
		},
		func(s *stage) reply {
			s.deny("", discordsim.SendMessages)
			s.must(s.SetOverwrite("general", botID, discordsim.SendMessages, 0))
			return s.do("POST", s.messages(), `{"content":"x"}`)
		}},
	{"writing in a thread where it may not", 403, 50013, "", "",
		func(s *stage) reply {
			id := s.thread()
			s.deny("", discordsim.SendMessagesInThreads)
			return s.do("POST", "/channels/"+id+"/messages", `{"content":"x"}`)
		},
		func(s *stage) reply {
			id := s.thread()
			s.deny("", discordsim.SendMessages)
			return s.do("POST", "/channels/"+id+"/messages", `{"content":"x"}`)
		}},
	{"a file where it may not", 403, 50013, "", "",
		func(s *stage) reply {
			s.deny("", discordsim.AttachFiles)
			return s.form("POST", s.messages(), `{}`, []byte("a"))
		},
		func(s *stage) reply {
			s.deny("", discordsim.AttachFiles)
			return s.do("POST", s.messages(), `{"content":"x"}`)
		}},
	{"reading an old message where it may not", 403, 50001, "", "",
		func(s *stage) reply {
			at := s.sent(`{"content":"x"}`)
			s.deny("", discordsim.ReadMessageHistory)
			return s.do("GET", at, "")
		},
		func(s *stage) reply { return s.do("GET", s.sent(`{"content":"x"}`), "") }},
	{"writing in a server that it has left", 403, 50001, "", "",
		func(s *stage) reply {
			s.must(s.RemoveMember("", botID))
			return s.do("POST", s.messages(), `{"content":"x"}`)
		},
		func(s *stage) reply {
			s.must(s.RemoveMember("", botID))
			s.must(s.SetMember("", botID, discordsim.Membership{}))
			return s.do("POST", s.messages(), `{"content":"x"}`)
		}},
	{"writing to a person with whom it shares no server", 403, 50007, "", "",
		func(s *stage) reply { return s.direct("bob", true) },
		func(s *stage) reply { return s.direct("bob", false) }},
	{"opening direct messages with a bot", 403, 50007, "", "",
		func(s *stage) reply { return s.do("POST", "/users/@me/channels", `{"recipient_id":"`+botID+`"}`) },
		func(s *stage) reply {
			return s.do("POST", "/users/@me/channels", `{"recipient_id":"`+s.User("bob").ID()+`"}`)
		}},
	{"opening direct messages with nobody", 400, 50035, "recipient_id", "BASE_TYPE_REQUIRED",
		func(s *stage) reply { return s.do("POST", "/users/@me/channels", `{}`) },
		func(s *stage) reply {
			return s.do("POST", "/users/@me/channels", `{"recipient_id":"`+s.User("bob").ID()+`"}`)
		}},
	{"the 31st edit of old messages in an hour", 429, 30046, "", "",
		func(s *stage) reply { return s.editOld(31, 0) },
		func(s *stage) reply { return s.editOld(31, time.Hour) }},

	// Commands.
	{"more than 200 new commands a day", 400, 30034, "", "",
		func(s *stage) reply { return s.create(200, 0) },
		func(s *stage) reply { return s.create(200, 24*time.Hour) }},
	{"the 101st slash command", 400, 30032, "", "",
		func(s *stage) reply {
			s.do("PUT", appCommands, commandNames(1, "c", 100))
			return s.do("POST", appCommands, `{"name":"more","description":"x"}`)
		},
		func(s *stage) reply {
			s.do("PUT", appCommands, commandNames(1, "c", 100))
			return s.do("POST", appCommands, `{"name":"c7","description":"changed"}`)
		}},
	{"the 16th command of a context menu", 400, 30032, "", "",
		func(s *stage) reply {
			s.do("PUT", appCommands, commandNames(2, "C", 15))
			return s.do("POST", appCommands, `{"type":2,"name":"More"}`)
		},
		func(s *stage) reply {
			s.do("PUT", appCommands, commandNames(2, "C", 15))
			return s.do("POST", appCommands, `{"type":3,"name":"More"}`)
		}},
	{"a command with a bad option among many", 400, 50035, "1.options.0.name", "APPLICATION_COMMAND_INVALID_NAME",
		func(s *stage) reply {
			return s.do("PUT", appCommands, `[{"name":"a","description":"x"},{"name":"b","description":"x","options":[{"type":3,"name":"Bad","description":"x"}]}]`)
		},
		func(s *stage) reply {
			return s.do("PUT", appCommands, `[{"name":"a","description":"x"},{"name":"b","description":"x","options":[{"type":3,"name":"good","description":"x"}]}]`)
		}},
	{"a command renamed to one that there is", 400, 50035, "name", "APPLICATION_COMMANDS_DUPLICATE_NAME",
		func(s *stage) reply { return s.do("PATCH", s.command(), `{"name":"find"}`) },
		func(s *stage) reply { return s.do("PATCH", s.command(), `{"name":"seek"}`) }},
	{"a command changed into a bad one", 400, 50035, "description", "BASE_TYPE_BAD_LENGTH",
		func(s *stage) reply { return s.do("PATCH", s.command(), `{"description":""}`) },
		func(s *stage) reply { return s.do("PATCH", s.command(), `{"description":"better"}`) }},
	{"a command changed into a number", 400, 50035, "name", "STRING_TYPE_CONVERT",
		func(s *stage) reply { return s.do("PATCH", s.command(), `{"name":5}`) },
		func(s *stage) reply { return s.do("PATCH", s.command(), `{"name":"five"}`) }},
	{"a command that is not there", 404, 10063, "", "",
		func(s *stage) reply { return s.do("GET", appCommands+"/1", "") },
		func(s *stage) reply { return s.do("GET", s.command(), "") }},
	{"commands of another application", 403, 20012, "", "",
		func(s *stage) reply {
			s.as("Bot "+tokenOf("42"), "GET", "/users/@me")
			return s.do("GET", "/applications/42/commands", "")
		},
		func(s *stage) reply { return s.do("GET", appCommands, "") }},
	{"commands of no application", 404, 10002, "", "",
		func(s *stage) reply { return s.do("GET", "/applications/43/commands", "") },
		func(s *stage) reply { return s.do("GET", appCommands, "") }},
	// Source: developers/interactions/application-commands.mdx, "Application Command Structure". The command of a
	// server may have contexts, too, but they are ignored.
	{"contexts of a command of one server that do not exist", 400, 50035, "contexts.0", "BASE_TYPE_CHOICES",
		func(s *stage) reply { return s.inServer(`{"name":"a","description":"d","contexts":[3]}`) },
		func(s *stage) reply {
			return s.inServer(`{"name":"a","description":"d","contexts":[0,1],"integration_types":[0,1]}`)
		}},
	{"installations of a command of one server that do not exist", 400, 50035, "0.integration_types.0", "BASE_TYPE_CHOICES",
		func(s *stage) reply {
			return s.do("PUT", "/applications/"+botID+"/guilds/"+s.server()+"/commands", `[{"name":"a","description":"d","integration_types":[2]}]`)
		},
		func(s *stage) reply {
			return s.do("PUT", "/applications/"+botID+"/guilds/"+s.server()+"/commands", `[{"name":"a","description":"d","integration_types":[1]}]`)
		}},
	{"a handler of a slash command", 400, 50035, "handler", "BASE_TYPE_CHOICES",
		func(s *stage) reply {
			return s.do("POST", appCommands, `{"name":"a","description":"d","handler":1}`)
		},
		func(s *stage) reply { return s.do("POST", appCommands, `{"name":"a","description":"d"}`) }},
	{"a list without the Entry Point command", 400, 50240, "", "",
		func(s *stage) reply {
			s.do("POST", appCommands, `{"type":4,"name":"launch","description":"","handler":2}`)
			return s.do("PUT", appCommands, `[{"name":"a","description":"d"}]`)
		},
		func(s *stage) reply {
			s.do("POST", appCommands, `{"type":4,"name":"launch","description":"","handler":2}`)
			return s.do("PUT", appCommands, `[{"name":"a","description":"d"},{"type":4,"name":"launch","handler":2}]`)
		}},
	{"two Entry Point commands", 400, 30032, "", "",
		func(s *stage) reply {
			return s.do("PUT", appCommands, `[{"type":4,"name":"launch"},{"type":4,"name":"start"}]`)
		},
		func(s *stage) reply { return s.do("PUT", appCommands, `[{"type":4,"name":"launch"}]`) }},
	{"options of an Entry Point command", 400, 50035, "options", "BASE_TYPE_MAX_LENGTH",
		func(s *stage) reply {
			return s.do("POST", appCommands, `{"type":4,"name":"launch","options":[{"type":3,"name":"a","description":"d"}]}`)
		},
		func(s *stage) reply { return s.do("POST", appCommands, `{"type":4,"name":"launch"}`) }},
	{"commands in a server that it has left", 403, 50001, "", "",
		func(s *stage) reply {
			s.must(s.RemoveMember("", botID))
			return s.do("PUT", "/applications/"+botID+"/guilds/"+s.server()+"/commands", `[]`)
		},
		func(s *stage) reply {
			return s.do("PUT", "/applications/"+botID+"/guilds/"+s.server()+"/commands", `[]`)
		}},
	{"overrides of a command that nobody overrode", 404, 10066, "", "",
		func(s *stage) reply {
			id := s.command()[len(appCommands)+1:]
			return s.do("GET", "/applications/"+botID+"/guilds/"+s.server()+"/commands/"+id+"/permissions", "")
		},
		func(s *stage) reply {
			return s.do("GET", "/applications/"+botID+"/guilds/"+s.server()+"/commands/permissions", "")
		}},
	{"overrides of a command set by a bot", 403, 20001, "", "",
		func(s *stage) reply {
			id := s.command()[len(appCommands)+1:]
			return s.do("PUT", "/applications/"+botID+"/guilds/"+s.server()+"/commands/"+id+"/permissions", `{"permissions":[]}`)
		},
		func(s *stage) reply {
			id := s.command()[len(appCommands)+1:]
			s.must(s.SetCommandPermissions("Playground", "", id, discordsim.CommandRule{Of: "bob", Allow: true}))
			return s.do("GET", "/applications/"+botID+"/guilds/"+s.server()+"/commands/"+id+"/permissions", "")
		}},

	// Requests in general.
	{"an id that is no number", 400, 50035, "channel_id", "NUMBER_TYPE_COERCE",
		func(s *stage) reply { return s.do("GET", "/channels/general", "") },
		func(s *stage) reply { return s.do("GET", "/channels/"+s.general, "") }},
	{"a message id that is no number", 400, 50035, "message_id", "NUMBER_TYPE_COERCE",
		func(s *stage) reply { return s.do("GET", s.messages()+"/last", "") },
		func(s *stage) reply { return s.do("GET", s.sent(`{"content":"x"}`), "") }},
	{"an application id that is no number", 400, 50035, "application_id", "NUMBER_TYPE_COERCE",
		func(s *stage) reply { return s.do("GET", "/applications/me/commands", "") },
		func(s *stage) reply { return s.do("GET", "/applications/@me", "") }},
	{"101 messages at once", 400, 50035, "limit", "NUMBER_TYPE_MAX",
		func(s *stage) reply { return s.do("GET", s.messages()+"?limit=101", "") },
		func(s *stage) reply { return s.do("GET", s.messages()+"?limit=100", "") }},
	{"no messages at all", 400, 50035, "limit", "NUMBER_TYPE_MIN",
		func(s *stage) reply { return s.do("GET", s.messages()+"?limit=0", "") },
		func(s *stage) reply { return s.do("GET", s.messages()+"?limit=1", "") }},
	{"as many messages as there may be", 400, 50035, "limit", "NUMBER_TYPE_COERCE",
		func(s *stage) reply { return s.do("GET", s.messages()+"?limit=all", "") },
		func(s *stage) reply { return s.do("GET", s.messages(), "") }},
	{"201 servers at once", 400, 50035, "limit", "NUMBER_TYPE_MAX",
		func(s *stage) reply { return s.do("GET", "/users/@me/guilds?limit=201", "") },
		func(s *stage) reply { return s.do("GET", "/users/@me/guilds?limit=200&after=1", "") }},
	{"messages before none", 400, 50035, "before", "NUMBER_TYPE_COERCE",
		func(s *stage) reply { return s.do("GET", s.messages()+"?before=last", "") },
		func(s *stage) reply { return s.do("GET", s.messages()+"?before=1", "") }},
	{"a username of one letter", 400, 50035, "username", "BASE_TYPE_BAD_LENGTH",
		func(s *stage) reply { return s.do("PATCH", "/users/@me", `{"username":"x"}`) },
		func(s *stage) reply { return s.do("PATCH", "/users/@me", `{"username":"xo"}`) }},
	{"a username after Discord", 400, 50035, "username", "USERNAME_INVALID_CONTAINS",
		func(s *stage) reply { return s.do("PATCH", "/users/@me", `{"username":"discord helper"}`) },
		func(s *stage) reply { return s.do("PATCH", "/users/@me", `{"username":"helper"}`) }},
	{"a picture of the bot by its address", 400, 50035, "avatar", "BINARY_TYPE_INVALID_DATA_URI",
		func(s *stage) reply { return s.do("PATCH", "/users/@me", `{"avatar":"https://example.com/a.png"}`) },
		func(s *stage) reply {
			return s.do("PATCH", "/users/@me", fmt.Sprintf(`{"avatar":%q}`, dataURI(pngBytes())))
		}},
	// Source: developers/topics/opcodes-and-status-codes.mdx, 50035: "or invalid Content-Type provided"; reference.mdx, "Content Type".
	{"a body of another type", 400, 50035, ".", "CONTENT_TYPE_INVALID",
		func(s *stage) reply { return s.typed("text/plain", `{"content":"x"}`) },
		func(s *stage) reply { return s.typed("application/json; charset=utf-8", `{"content":"x"}`) }},
	{"a body of no type", 400, 50035, ".", "CONTENT_TYPE_INVALID",
		func(s *stage) reply { return s.typed("", `{"content":"x"}`) },
		func(s *stage) reply { return s.typed("application/x-www-form-urlencoded", `content=x`) }},
	{"a method that the route does not know", 405, 0, "", "",
		func(s *stage) reply { return s.do("PUT", s.messages(), `{}`) },
		func(s *stage) reply { return s.do("GET", s.messages(), "") }},
	{"a method that Discord's route does not know, which is not simulated", 405, 0, "", "",
		func(s *stage) reply { return s.do("POST", "/guilds/"+s.server()+"/bans/1", `{}`) },
		func(s *stage) reply { return s.do("GET", s.messages(), "") }},
	{"a route of Discord's that is not simulated", 501, 501, "", "",
		func(s *stage) reply { return s.do("PUT", "/guilds/"+s.server()+"/onboarding", `{}`) },
		func(s *stage) reply { return s.do("GET", "/guilds/"+s.server(), "") }},
	{"a route that is not simulated and looks like one that is", 501, 501, "", "",
		func(s *stage) reply { return s.do("GET", "/guilds/"+s.server()+"/messages/search", "") },
		func(s *stage) reply { return s.do("GET", "/guilds/"+s.server()+"/members/"+botID, "") }},
	{"a premium button, which is not simulated", 501, 501, "", "",
		func(s *stage) reply {
			return s.answer(s.used("general"), `{"type":4,"data":{"content":"x","components":[{"type":1,"components":[{"type":2,"style":6,"sku_id":"1"}]}]}}`)
		},
		func(s *stage) reply {
			return s.answer(s.used("general"), `{"type":4,"data":{"content":"x","components":[{"type":1,"components":[{"type":2,"style":5,"url":"https://example.com","label":"x"}]}]}}`)
		}},
	{"a route that is not there", 404, 0, "", "",
		func(s *stage) reply { return s.do("GET", "/nowhere", "") },
		func(s *stage) reply { return s.do("GET", "/gateway", "") }},
	{"a version of the API that is gone", 400, 50041, "", "",
		func(s *stage) reply { return s.as("Bot "+token, "GET", "/v5/users/@me") },
		func(s *stage) reply { return s.as("Bot "+token, "GET", "/v9/users/@me") }},
	{"no token", 401, 0, "", "",
		func(s *stage) reply { return s.as("", "GET", "/users/@me") },
		func(s *stage) reply { return s.as("", "GET", "/gateway") }},
	{"a token without the word Bot", 401, 0, "", "",
		func(s *stage) reply { return s.as(token, "GET", "/users/@me") },
		func(s *stage) reply { return s.as("Bot "+token, "GET", "/users/@me") }},
}

// follow answers an interaction in a server where only ivy has the application, and then sends a number of follow-ups.
func (s *stage) follow(times int) (last reply) {
	s.t.Helper()
	_, err := s.AddServer(discordsim.Server{Name: "Elsewhere", Channels: []string{"lobby"}, BotsAbsent: true})
	s.must(err)
	ivy, err := s.AddUser(discordsim.Person{Username: "ivy", Installs: true})
	s.must(err)
	go ivy.Command(context.Background(), "lobby", "ping", nil)
	i := <-s.got
	s.answer(i, sayPong)
	for range times {
		last = s.do("POST", s.token(i), `{"content":"more"}`)
		time.Sleep(time.Second)
	}
	return last
}

// clickedAndDeleted returns a click on a message that is deleted before the answer.
func (s *stage) clickedAndDeleted() *discordgo.Interaction {
	s.t.Helper()
	_, m := s.board("general")
	i := s.clicked(m)
	s.must(s.DeleteMessage(m))
	return i
}

// embedClicked returns a click on a message that has an embed.
func (s *stage) embedClicked() *discordgo.Interaction {
	s.t.Helper()
	at := s.sent(`{"embeds":[{"title":"t"}],"components":[{"type":1,"components":[{"type":2,"style":1,"label":"b2","custom_id":"b2"}]}]}`)
	return s.clicked(at[strings.LastIndex(at, "/")+1:])
}

// replied returns the id of a reply with the given flags.
func (s *stage) replied(flags int) string {
	s.t.Helper()
	i := s.used("general")
	r := s.do("POST", "/interactions/"+i.ID+"/"+i.Token+"/callback?with_response=true", fmt.Sprintf(`{"type":4,"data":{"content":"x","flags":%d}}`, flags))
	var answered struct {
		Interaction struct {
			ID string `json:"response_message_id"`
		}
	}
	s.must(json.Unmarshal([]byte(r.text), &answered))
	return answered.Interaction.ID
}

// written makes alice write a message and returns its id.
func (s *stage) written(channel string) string {
	s.t.Helper()
	m, err := s.User("alice").Write(channel, "hello")
	s.must(err)
	return m.ID
}

// inThread creates a thread with a board in it and, if archived is set, archives the thread.
func (s *stage) inThread(archived bool) (thread, message string) {
	s.t.Helper()
	thread = s.thread()
	_, message = s.board("talk")
	s.archive(thread, archived)
	return thread, message
}

// sentID sends a message of the bot to #general and returns its id.
func (s *stage) sentID() string {
	s.t.Helper()
	at := s.sent(`{"content":"x"}`)
	return at[strings.LastIndex(at, "/")+1:]
}

// pinned pins a message of the bot and returns the id of the system message about it.
func (s *stage) pinned() string {
	s.t.Helper()
	s.must(s.SetMember("", botID, discordsim.Membership{Permissions: discordsim.PinMessages}))
	s.do("PUT", s.messages()+"/pins/"+s.sentID(), "")
	list, err := s.User("alice").Messages("general")
	s.must(err)
	notice := list[len(list)-1]
	if notice.Type != 6 || notice.Referenced != nil {
		s.t.Errorf("the notice is %+v", notice)
	}
	return notice.ID
}

// forward forwards a message of #general in #general. The text more holds further JSON fields of the body, each followed by a comma.
func (s *stage) forward(message, more string) reply {
	s.t.Helper()
	return s.do("POST", s.messages(), `{`+more+`"message_reference":{"type":1,"message_id":"`+message+`","channel_id":"`+s.general+`"}}`)
}

// forwardToLounge forwards a message of #general to another channel.
func (s *stage) forwardToLounge(message string) reply {
	s.t.Helper()
	lounge, err := s.AddChannel(discordsim.Room{Name: "lounge"})
	s.must(err)
	return s.do("POST", "/channels/"+lounge+"/messages", `{"message_reference":{"type":1,"message_id":"`+message+`","channel_id":"`+s.general+`"}}`)
}

// direct makes the bot write to a person in direct messages. If left is set, the person leaves the server first.
func (s *stage) direct(who string, left bool) reply {
	s.t.Helper()
	if left {
		s.must(s.RemoveMember("", who))
	}
	var ch struct{ ID string }
	s.must(json.Unmarshal([]byte(s.do("POST", "/users/@me/channels", `{"recipient_id":"`+s.User(who).ID()+`"}`).text), &ch))
	return s.do("POST", "/channels/"+ch.ID+"/messages", `{"content":"x"}`)
}

// editOld repeatedly edits a message that is a day old, with a pause before the last edit.
func (s *stage) editOld(times int, pause time.Duration) (last reply) {
	s.t.Helper()
	at := s.sent(`{"content":"old"}`)
	s.advance(24 * time.Hour)
	for n := range times {
		if n == times-1 {
			s.advance(pause)
		}
		last = s.do("PATCH", at, fmt.Sprintf(`{"content":"%d"}`, n))
		time.Sleep(time.Second)
	}
	return last
}

// create creates a number of commands, a hundred at once, with a pause before the last ones.
func (s *stage) create(commands int, pause time.Duration) (last reply) {
	s.t.Helper()
	for n := 0; n < commands; n += 100 {
		if n+100 >= commands {
			s.advance(pause)
		}
		last = s.do("PUT", appCommands, commandNames(1, fmt.Sprintf("c%d-", n), min(100, commands-n)))
	}
	return last
}

// command returns the path of the command ping.
func (s *stage) command() string {
	s.t.Helper()
	var list []struct{ ID, Name string }
	s.must(json.Unmarshal([]byte(s.do("GET", appCommands, "").text), &list))
	for _, c := range list {
		if c.Name == "ping" {
			return appCommands + "/" + c.ID
		}
	}
	s.t.Fatal("there is no ping")
	return ""
}

func (s *stage) server() string {
	s.t.Helper()
	var ch struct {
		Guild string `json:"guild_id"`
	}
	s.must(json.Unmarshal([]byte(s.as("Bot "+tokenOf("42"), "GET", "/channels/"+s.general).text), &ch))
	return ch.Guild
}

func thumbnail(url string) string {
	return `{"flags":32768,"components":[{"type":9,"components":[` + texts + `],"accessory":{"type":11,"media":{"url":"` + url + `"}}}]}`
}

// onStage plays one story on a new simulator.
func onStage(t *testing.T, story func(*stage) reply) (r reply) {
	t.Helper()
	inBubble(t, discordsim.Config{}, func(b *bubble) {
		s := &stage{bubble: b}
		if r := s.do("PUT", appCommands, stageCommands); r.status != http.StatusOK {
			t.Fatalf("registering: %d %s", r.status, r.text)
		}
		message, err := s.User("alice").Write("general", "hi")
		s.must(err)
		s.general = message.ChannelID
		r = story(s)
		time.Sleep(15 * time.Second) // so that the interactions in flight are settled
	})
	return r
}

func TestDiscordRefusesTheBadStoryAndNotItsGoodTwin(t *testing.T) { tell(t, refusals) }

// tell plays both stories of every row.
func tell(t *testing.T, rows []twins) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got := onStage(t, row.bad)
			if got.status != row.status || got.code() != row.code || !strings.Contains(got.text, `"message":"`) {
				t.Errorf("got %d %s, want %d with code %d", got.status, got.text, row.status, row.code)
			}
			if row.at != "" {
				if codes := got.at(row.at); len(codes) != 1 || codes[0] != row.inner {
					t.Errorf("want %s at %s, got %s", row.inner, row.at, got.text)
				}
			}
			if twin := onStage(t, row.good); twin.status >= 300 {
				t.Errorf("the good twin got %d %s", twin.status, twin.text)
			}
		})
	}
}

func TestEmbedsAreLeftOutWhereTheyMayNotBeSent(t *testing.T) {
	story := func(denied discordsim.Permission) func(*stage) reply {
		return func(s *stage) reply {
			s.deny("", denied)
			return s.do("POST", s.messages(), `{"content":"x","embeds":[{"title":"t"}]}`)
		}
	}
	for denied, want := range map[discordsim.Permission]int{discordsim.EmbedLinks: 0, discordsim.AttachFiles: 1} {
		var sent struct{ Embeds []any }
		got := onStage(t, story(denied))
		if err := json.Unmarshal([]byte(got.text), &sent); err != nil || got.status != http.StatusOK || len(sent.Embeds) != want {
			t.Errorf("without %v: got %d %s, want %d embeds", denied.Names(), got.status, got.text, want)
		}
	}
}
