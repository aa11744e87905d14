package check_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tictactoe/discordsim/check"
	"tictactoe/internal/longtest"
)

// full are bodies that together have every member that Discord's description knows in the simulated requests.
var full = []struct {
	name string
	kind check.Kind
	body string
}{
	{"a message", check.MessageCreate, `{"content":"hi","tts":true,"nonce":"n","enforce_nonce":true,"flags":4,"sticker_ids":["1"],` + fullEmbeds + `,` +
		fullMentions + `,` + fullFiles + `,` + fullPoll + `,"components":[` + list(fullRows[:5]...) + `],` +
		`"message_reference":{"type":0,"message_id":"1","channel_id":"2","guild_id":"3","fail_if_not_exists":false},` +
		`"shared_client_theme":{"colors":["5865F2"],"gradient_angle":90,"base_mix":50,"base_theme":1}}`},
	{"a message with a number for a nonce", check.MessageCreate, `{"content":"hi","nonce":5}`},
	{"a rich message", check.MessageCreate, `{"flags":32768,"components":[` + fullLayout + `]}`},
	{"a post", check.PostCreate, `{"name":"talk","auto_archive_duration":60,"rate_limit_per_user":5,"applied_tags":["1"],"message":{"content":"hi","flags":4,` +
		`"sticker_ids":["1"],` + someEmbeds + `,` + someMentions + `,` + someFiles + `,` + somePoll + `,"components":[` + row(button("b")) + `],` +
		`"shared_client_theme":{"colors":["5865F2"],"gradient_angle":90,"base_mix":50,"base_theme":1}}}`},
	{"a channel", check.ChannelEdit, fullChannel},
	{"a new channel", check.ChannelCreate, fullChannel},
	{"a ban", check.BanCreate, `{"delete_message_seconds":60,"delete_message_days":1}`},
	{"several bans", check.BulkBan, `{"user_ids":["1","2"],"delete_message_seconds":60}`},
	{"an edit", check.MessageEdit, `{"content":"hi","flags":4,"sticker_ids":["1"],` + someEmbeds + `,` + someMentions + `,` + someFiles +
		`,"components":[` + row(button("b")) + `]}`},
	{"a follow-up", check.WebhookCreate, `{"content":"hi","tts":true,"flags":64,"username":"me","avatar_url":"https://example.com/a.png",` +
		`"thread_name":"talk","applied_tags":["1"],` + someEmbeds + `,` + someMentions + `,` + someFiles + `,` + somePoll + `,"components":[` + row(button("b")) + `]}`},
	{"an edit by token", check.WebhookEdit, `{"content":"hi","flags":4,` + someEmbeds + `,` + someMentions + `,` + someFiles + `,` + somePoll +
		`,"components":[` + fullRows[5] + `]}`},
	{"a reply", check.Callback, callback(4, `{"content":"hi","tts":true,"flags":64,`+someEmbeds+`,`+someMentions+`,`+someFiles+`,`+somePoll+
		`,"components":[`+row(button("b"))+`]}`)},
	{"an update", check.Callback, callback(7, `{"content":"hi","flags":4,`+someEmbeds+`,`+someMentions+`,`+someFiles+`,"components":[`+row(button("b"))+`]}`)},
	{"a pong", check.Callback, `{"type":1}`},
	{"a launch", check.Callback, `{"type":12}`},
	{"an answer about a purchase", check.Callback, callback(13, `{"eligible":false,"ineligible_reason":1,"ineligible_reason_description":"Yours already"}`)},
	{"texts to choose from", check.Callback, callback(8, `{"choices":[{"name":"n","name_localizations":{"de":"n"},"value":"v"}]}`)},
	{"numbers to choose from", check.Callback, callback(8, `{"choices":[{"name":"n","value":3},{"name":"m","value":1.5}]}`)},
	{"a modal of rows", check.Callback, modal(`{"type":1,"id":1,"components":[{"type":4,"id":2,"custom_id":"i","style":1,"label":"Why",` +
		`"value":"so","placeholder":"p","required":false,"min_length":1,"max_length":10}]}`)},
	{"a modal of selects", check.Callback, modal(fullLabel(`{"type":3,`+fullSelect+`,"options":[`+list(fullOption, option("w"))+`]}`), fullLabel(`{"type":5,`+fullSelect+`,"default_values":[{"id":"1","type":"user"}]}`),
		fullLabel(`{"type":6,`+fullSelect+`,"default_values":[{"id":"1","type":"role"}]}`),
		fullLabel(`{"type":7,`+fullSelect+`,"default_values":[{"id":"1","type":"role"},{"id":"1","type":"user"}]}`),
		fullLabel(`{"type":8,`+fullSelect+`,"channel_types":[0],"default_values":[{"id":"1","type":"channel"}]}`))},
	{"a modal of the rest", check.Callback, modal(`{"type":10,"id":9,"content":"hi"}`,
		fullLabel(`{"type":19,"id":1,"custom_id":"f","required":true,"min_values":1,"max_values":2}`),
		fullLabel(`{"type":21,"id":2,"custom_id":"r","required":true,"options":[`+list(fullChoice("a"), fullChoice("b"))+`]}`),
		fullLabel(`{"type":22,"id":3,"custom_id":"c","required":false,"min_values":0,"max_values":1,"options":[`+fullChoice("a")+`]}`),
		fullLabel(`{"type":23,"id":4,"custom_id":"t","default":true}`))},
	{"a slash command", check.Command, `{` + fullCommand + `,"options":[` + fullOptions + `]}`},
	{"a menu command", check.Command, `{"type":2,"name":"Challenge me","name_localizations":{"de":"Fordern"},"default_member_permissions":"8",` +
		`"contexts":[0,1],"integration_types":[0,1]}`},
	{"an entry point", check.Command, `{"type":4,"name":"launch","description":"d","handler":1}`},
	{"a list of commands", check.CommandsBulk, `[{"id":"1",` + fullCommand + `},{"type":4,"name":"launch","description":"d","handler":2},` +
		`{"name":"go","description":"d","options":[{"type":3,` + fullNames + `}]}]`},
	{"a user", check.UserEdit, `{"username":"xo","avatar":"data:image/png;base64,iVBORw0KGgo=","banner":"data:image/gif;base64,R0lGODlh"}`},
	{"direct messages", check.DirectCreate, `{"recipient_id":"1","access_tokens":["t"],"nicks":{"1":"n"}}`},
}

const (
	fullMedia  = `"width":1,"height":1,"placeholder":"p","placeholder_version":1,"is_animated":true,"description":"d"`
	fullEmbeds = `"embeds":[{"type":"rich","title":"t","description":"d","url":"https://example.com","color":1,"timestamp":"2026-11-21T12:00:00Z",` +
		`"author":{"name":"n","url":"https://example.com","icon_url":"https://example.com"},"footer":{"text":"t","icon_url":"https://example.com"},` +
		`"image":{"url":"https://example.com",` + fullMedia + `},"thumbnail":{"url":"https://example.com",` + fullMedia + `},` +
		`"video":{"url":"https://example.com",` + fullMedia + `},"provider":{"name":"n","url":"https://example.com"},` +
		`"fields":[{"name":"n","value":"v","inline":true}]}]`
	fullMentions = `"allowed_mentions":{"parse":["everyone"],"users":["1"],"roles":["1"],"replied_user":true}`
	fullFiles    = `"attachments":[{"id":"0","filename":"a.ogg","description":"d","duration_secs":1.5,"waveform":"AA==","title":"t","is_spoiler":false,"is_remix":false}]`
	fullChannel  = `{"name":"help","type":15,"topic":"t","position":1,"parent_id":"1","nsfw":false,"rate_limit_per_user":5,` +
		`"default_thread_rate_limit_per_user":5,"default_auto_archive_duration":60,"default_sort_order":1,"default_forum_layout":2,` +
		`"default_tag_setting":"match_all","bitrate":8000,"user_limit":1,"video_quality_mode":1,"rtc_region":null,` +
		`"permission_overwrites":[{"id":"1","type":0,"allow":"1","deny":"2"}],"default_reaction_emoji":{"emoji_id":null,"emoji_name":"👍"},` +
		`"available_tags":[{"id":"1","name":"bug","moderated":true,"emoji_id":"2","emoji_name":null}]}`
	fullPoll = `"poll":{"question":{"text":"?","emoji":{"id":"1","name":"n","animated":false}},"duration":24,"allow_multiselect":true,"layout_type":1,` +
		`"answers":[{"poll_media":{"text":"a","emoji":{"id":"1","name":"n","animated":false}}}]}`
	// The first body has these members in full, and the other bodies in this short form.
	someEmbeds   = `"embeds":[{"title":"t"}]`
	someMentions = `"allowed_mentions":{"parse":["everyone"]}`
	someFiles    = `"attachments":[{"id":"0"}]`
	somePoll     = `"poll":{"question":{"text":"?"},"answers":[{"poll_media":{"text":"a"}}]}`
	fullOption   = `{"label":"l","value":"v","description":"d","default":true,"emoji":{"id":"1","name":"n"}}`
	fullSelect   = `"id":0,"custom_id":"CUSTOM","placeholder":"p","min_values":1,"max_values":2,"disabled":false,"required":true`
	fullShow     = `"description":"d","spoiler":true,"media":{"url":"https://example.com/a.png"}`
	fullLayout   = `{"type":17,"id":1,"accent_color":1,"spoiler":true,"components":[{"type":10,"id":2,"content":"hi"}]},` +
		`{"type":9,"id":3,"components":[{"type":10,"content":"hi"}],"accessory":{"type":11,"id":4,` + fullShow + `}},` +
		`{"type":12,"id":5,"items":[{` + fullShow + `}]},{"type":13,"id":6,"spoiler":true,"file":{"url":"attachment://a.txt"}},` +
		`{"type":14,"id":7,"spacing":2,"divider":false}`
	fullCommand = `"type":1,"name":"play","name_localizations":{"de":"spiel"},"description":"d","description_localizations":{"de":"b"},` +
		`"default_member_permissions":8,"dm_permission":true,"contexts":[0],"integration_types":[0]`
	fullOptions = `{"type":2,` + fullNames + `,"options":[{"type":1,` + fullNames + `,"options":[` +
		`{"type":3,` + fullNames + `,"autocomplete":false,"min_length":1,"max_length":9,"choices":[{"name":"n","name_localizations":{"de":"n"},"value":"v"}]},` +
		`{"type":4,` + fullNames + `,"autocomplete":true,"min_value":1,"max_value":9},` +
		`{"type":4,` + fullNames + `,"choices":[{"name":"n","name_localizations":{"de":"n"},"value":1}]},` +
		`{"type":10,` + fullNames + `,"autocomplete":true,"min_value":1.5,"max_value":9},` +
		`{"type":10,` + fullNames + `,"choices":[{"name":"n","name_localizations":{"de":"n"},"value":1.5}]},` +
		`{"type":5,` + fullNames + `},{"type":6,` + fullNames + `},{"type":7,` + fullNames + `,"channel_types":[0]},{"type":8,` + fullNames + `},` +
		`{"type":9,` + fullNames + `},{"type":11,` + fullNames + `}]}]}`
	fullNames = `"name":"NAME","name_localizations":{"de":"DE"},"description":"d","description_localizations":{"de":"b"},"required":false`
)

// fullRows are a row with each kind of button, and a row for each kind of select.
var fullRows = []string{
	`{"type":1,"id":1,"components":[{"type":2,"id":2,"style":1,"label":"l","custom_id":"CUSTOM","disabled":true,"emoji":{"id":"1","name":"n"}},` +
		`{"type":2,"style":5,"label":"l","url":"https://example.com"},{"type":2,"style":6,"sku_id":"1"}]}`,
	row(`{"type":3,` + fullSelect + `,"options":[` + fullOption + `,{"label":"l","value":"w"}]}`),
	row(`{"type":5,` + fullSelect + `,"default_values":[{"id":"1","type":"user"}]}`),
	row(`{"type":6,` + fullSelect + `,"default_values":[{"id":"1","type":"role"}]}`),
	row(`{"type":7,` + fullSelect + `,"default_values":[{"id":"1","type":"role"}]}`),
	row(`{"type":8,` + fullSelect + `,"channel_types":[0],"default_values":[{"id":"1","type":"channel"}]}`),
}

func fullChoice(value string) string {
	return `{"label":"l","value":"` + value + `","description":"d","default":false}`
}

func fullLabel(component string) string {
	return `{"type":18,"id":0,"label":"l","description":"d","component":` + component + `}`
}

// numbered gives every custom_id and every name of an option a unique number.
func numbered(body string) string {
	for _, word := range []string{"CUSTOM", "NAME", "DE"} {
		for n := 1; strings.Contains(body, `"`+word+`"`); n++ {
			body = strings.Replace(body, `"`+word+`"`, fmt.Sprintf(`"%s%d"`, strings.ToLower(word), n), 1)
		}
	}
	return body
}

// TestTheHandRulesRefuseWhatTheDescriptionRefuses mutates each member of the full bodies: the member is removed, gets
// another type or another word, or becomes too long, too short, too large, too small or too many. The hand-written
// rules must refuse every mutant that the schemas refuse. Where Discord accepts more than its description says, the
// description is corrected when it is read: ids and permissions as numbers, forwards, media channels, a change of the
// user without a name. The data of a deferral has no schema, as Discord ignores it.
func TestTheHandRulesRefuseWhatTheDescriptionRefuses(t *testing.T) {
	longtest.Only(t)
	hand, spec := handRules(t), described(t)
	for _, base := range full {
		t.Run(base.name, func(t *testing.T) {
			t.Parallel()
			body := numbered(base.body)
			for who, c := range map[string]*check.Checker{"the hand rules": hand, "the description": spec} {
				if refusal := judge(c, base.kind, body); refusal != nil {
					t.Fatalf("%s refuse it unchanged: %v", who, refusal)
				}
			}
			if findings := hand.Findings(base.kind, []byte(body)); findings != nil {
				t.Errorf("unknown to the hand rules: %v", findings)
			}
			tried, refused := 0, 0
			mutants(t, body, func(what, mutant string) {
				tried++
				if judge(hand, base.kind, mutant) != nil {
					refused++
					return
				}
				if refusal := judge(spec, base.kind, mutant); refusal != nil {
					t.Errorf("%s: only the description refuses: %.200s", what, refusal.Error())
				}
			})
			t.Logf("%d mutants, %d refused by hand", tried, refused)
		})
	}
}

// TestAnUnknownMemberIsFoundWhereverItStands adds an unknown member to each object of the full bodies.
func TestAnUnknownMemberIsFoundWhereverItStands(t *testing.T) {
	hand := handRules(t)
	for _, base := range full {
		var holders [][]string
		document := decode(t, numbered(base.body))
		walk(document, nil, func(at []string, node any) {
			key := ""
			if len(at) > 0 {
				key = at[len(at)-1]
			}
			// These objects have members of any name: languages, users.
			if _, isObject := node.(map[string]any); isObject && !strings.HasSuffix(key, "_localizations") && key != "nicks" {
				holders = append(holders, at)
			}
		})
		for _, at := range holders {
			changed := decode(t, numbered(base.body))
			find(changed, at).(map[string]any)["typo"] = 1
			want := strings.Join(append(slices.Clone(at), "typo"), ".") + ": unknown field"
			if got := hand.Findings(base.kind, encode(t, changed)); !slices.Equal(got, []string{want}) {
				t.Errorf("%s: got %q, want %q", base.name, got, want)
			}
		}
	}
}

// TestTheFullBodiesNameEveryMember tests that the table full has every member, since the two tests above try only the
// members in the table.
func TestTheFullBodiesNameEveryMember(t *testing.T) {
	described(t) // skips without the file
	text, err := os.ReadFile(specPath())
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	c := coverage{schemas: document.Components.Schemas, all: map[string]bool{}, named: map[string]bool{}}
	for _, base := range full {
		root := roots[base.kind]
		if base.kind == check.Callback {
			body := decode(t, base.body).(map[string]any)
			root = callbackRoots[body["type"].(json.Number).String()]
		}
		body := decode(t, base.body)
		if list, isList := body.([]any); isList {
			for _, item := range list {
				c.name(root, item)
			}
		} else {
			c.name(root, body)
		}
		c.reach(root)
	}
	for member := range c.all {
		if !c.named[member] {
			t.Errorf("no body names %s", member)
		}
	}
	if len(c.named) < 300 {
		t.Errorf("only %d members are named: the walk has gone astray", len(c.named))
	}
}

// roots are the schemas of the requests.
var roots = map[check.Kind]string{
	check.MessageCreate: "MessageCreateRequest", check.MessageEdit: "MessageEditRequestPartial",
	check.WebhookCreate: "IncomingWebhookRequestPartial", check.WebhookEdit: "IncomingWebhookUpdateRequestPartial",
	check.Command: "ApplicationCommandCreateRequest", check.CommandsBulk: "ApplicationCommandUpdateRequest",
	check.UserEdit: "BotAccountPatchRequest", check.DirectCreate: "CreatePrivateChannelRequest",
}

var callbackRoots = map[string]string{
	"1": "PongInteractionCallbackRequest", "4": "CreateMessageInteractionCallbackRequest", "7": "UpdateMessageInteractionCallbackRequest",
	"8": "ApplicationCommandAutocompleteCallbackRequest", "9": "ModalInteractionCallbackRequest", "12": "LaunchActivityInteractionCallbackRequest",
	"13": "SocialLayerSKUPurchaseEligibilityInteractionCallbackRequest",
}

// coverage collects the members of schemas, and the members of bodies, each as Schema.member.
type coverage struct {
	schemas    map[string]any
	all, named map[string]bool
}

// branches returns the names of the schemas to which a schema refers directly, in a union or as its items.
func (c coverage) branches(schema any) (names []string) {
	s, _ := schema.(map[string]any)
	if ref, isRef := s["$ref"].(string); isRef {
		return []string{path.Base(ref)}
	}
	for _, union := range []string{"oneOf", "anyOf"} {
		options, _ := s[union].([]any)
		for _, option := range options {
			names = append(names, c.branches(option)...)
		}
	}
	return append(names, c.items(s)...)
}

func (c coverage) items(s map[string]any) []string {
	if s["items"] == nil {
		return nil
	}
	return c.branches(s["items"])
}

func (c coverage) properties(name string) map[string]any {
	s, _ := c.schemas[name].(map[string]any)
	properties, _ := s["properties"].(map[string]any)
	return properties
}

// reach collects the members of a schema and of the schemas below it.
func (c coverage) reach(name string) {
	for key, schema := range c.properties(name) {
		if member := name + "." + key; !c.all[member] {
			c.all[member] = true
			for _, below := range c.branches(schema) {
				c.reach(below)
			}
		}
	}
}

// name collects the members of a body.
func (c coverage) name(name string, node any) {
	if list, isList := node.([]any); isList {
		for _, item := range list {
			c.name(name, item)
		}
		return
	}
	body, _ := node.(map[string]any)
	for key, member := range body {
		schema, known := c.properties(name)[key]
		if !known {
			continue
		}
		c.named[name+"."+key] = true
		for _, below := range c.branches(schema) {
			c.nameUnion(below, member)
		}
	}
}

// nameUnion is like name, for a branch of a union; it ignores a branch of another type than the body's.
func (c coverage) nameUnion(name string, node any) {
	if list, isList := node.([]any); isList {
		for _, item := range list {
			c.nameUnion(name, item)
		}
		return
	}
	body, _ := node.(map[string]any)
	if kind, typed := c.properties(name)["type"].(map[string]any); typed && body["type"] != nil {
		if enum, closed := kind["enum"].([]any); closed && fmt.Sprint(enum[0]) != fmt.Sprint(body["type"]) {
			return
		}
	}
	c.name(name, node)
}

// mutants calls try with every mutant of a body. Each mutant differs from the body in one place.
func mutants(t *testing.T, body string, try func(what, mutant string)) {
	t.Helper()
	var places [][]string
	walk(decode(t, body), nil, func(at []string, _ any) { places = append(places, at) })
	for _, at := range places {
		if len(at) == 0 {
			continue
		}
		original := find(decode(t, body), at)
		for _, v := range append(variants(original), gone{}) {
			changed := decode(t, body)
			set(changed, at, v)
			try(fmt.Sprintf("%s = %.40v", strings.Join(at, "."), v), string(encode(t, changed)))
		}
	}
}

// gone stands for a member that is removed.
type gone struct{}

// variants returns the values that replace a value in mutants.
func variants(original any) []any {
	all := []any{[]any{}, map[string]any{}, "x", "", true, -1, 1.5, []any{"x"}, "007"}
	switch original := original.(type) {
	case string:
		for _, n := range []int{2, 7, 26, 33, 46, 65, 81, 101, 151, 256, 257, 301, 401, 513, 1025, 2049, 4097, 6001} {
			all = append(all, long(n))
		}
	case json.Number:
		for _, n := range []int64{0, 2, 3, 5, 6, 7, 9, 11, 14, 16, 26, 99, 101, 361, 769, 4001, 6001, 1 << 24, 1 << 31, 1 << 53, math.MaxInt64} {
			all = append(all, n)
		}
		all = append(all, math.Pow(2, 54), -math.Pow(2, 54), 1e30)
	case []any:
		for _, n := range []int{2, 4, 6, 11, 26, 41, 101, 1522} {
			items := make([]any, n)
			for i := range items {
				items[i] = original[0]
			}
			all = append(all, items)
		}
	}
	return all
}

func decode(t *testing.T, body string) (document any) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&document); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return document
}

func encode(t *testing.T, document any) []byte {
	t.Helper()
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// walk visits every value of a document, with its path.
func walk(node any, at []string, visit func(at []string, node any)) {
	visit(at, node)
	switch node := node.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(node)) {
			walk(node[key], append(slices.Clone(at), key), visit)
		}
	case []any:
		for i := range node {
			walk(node[i], append(slices.Clone(at), strconv.Itoa(i)), visit)
		}
	}
}

func find(node any, at []string) any {
	for _, key := range at {
		switch here := node.(type) {
		case map[string]any:
			node = here[key]
		case []any:
			i, _ := strconv.Atoi(key)
			node = here[i]
		}
	}
	return node
}

// set replaces the value at a path below the root of a document. The value gone removes a member, or makes an item
// null.
func set(document any, at []string, v any) {
	key := at[len(at)-1]
	switch holder := find(document, at[:len(at)-1]).(type) {
	case map[string]any:
		if holder[key] = v; v == (gone{}) {
			delete(holder, key)
		}
	case []any:
		i, _ := strconv.Atoi(key)
		if holder[i] = v; v == (gone{}) {
			holder[i] = nil
		}
	}
}
