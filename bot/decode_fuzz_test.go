package bot_test

import (
	"encoding/json"
	"testing"

	"tictactoe/bot"
)

// FuzzDecode: whatever the gateway sends, it can be looked at, and who can be answered is.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"id":"1","token":"t","type":2,"data":{"name":"tictactoe","type":1,"options":[{"name":"ai","type":1,"options":[{"name":"level","type":3,"value":"easy"}]}]},"member":{"user":{"id":"2"},"permissions":"8"},"guild_id":"3"}`,
		`{"id":"1","token":"t","type":3,"data":{"custom_id":"play:1:0:b2","component_type":2},"message":{"id":"4","flags":32768,"components":[{"type":17,"components":[{"type":1,"components":[{"type":2,"custom_id":"x"}]},{"type":99}]}]},"user":{"id":"2"}}`,
		`{"id":"1","token":"t","type":5,"data":{"custom_id":"resign:1:2","components":[{"type":18,"component":{"type":4,"custom_id":"x","value":"y"}}]}}`,
		`{"id":"1","token":"t","type":2,"data":{"name":"x","type":2,"target_id":"5","resolved":{"users":{"5":null}}}}`,
		`{"id":"1","token":"t","type":3,"data":null,"message":null}`,
		`{"id":"1","token":"t","type":2,"data":{"options":[null]}}`,
		`{"id":"1","token":"t","type":1}`, `{"id":1,"token":{}}`, `[]`, `null`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		decoded, err := bot.Decode(json.RawMessage(raw))
		if decoded == nil {
			if err == nil {
				t.Errorf("neither an interaction nor an error: %s", raw)
			}
			return
		}
		if decoded.ID == "" || decoded.Token == "" {
			t.Errorf("nobody could answer %+v", decoded)
		}
		if err != nil {
			return // the dispatcher answers it without looking into it
		}
		in := &bot.Interaction{Interaction: decoded}
		in.User()
		in.DisplayName()
		in.Options()
		in.Carried()
		in.CommandPath()
		in.CustomID()
		in.Member()
		in.Locale()
		in.ServerLocale()
	})
}
