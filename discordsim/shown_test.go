package discordsim_test

import (
	"encoding/json"
	"testing"
)

// Source: developers/resources/message.mdx, "Message Flags": SUPPRESS_EMBEDS does "not include any embeds when serializing".
func TestSuppressedEmbedsAreNotSent(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) reply {
		at := s.sent(`{"content":"x","flags":4,"embeds":[{"title":"hidden"}]}`)
		embeds := func() int {
			var m struct{ Embeds []json.RawMessage }
			s.must(json.Unmarshal([]byte(s.do("GET", at, "").text), &m))
			return len(m.Embeds)
		}
		if n := embeds(); n != 0 {
			t.Errorf("%d embeds are sent", n)
		}
		s.do("PATCH", at, `{"flags":0}`)
		if n := embeds(); n != 1 {
			t.Errorf("%d embeds are sent without the flag", n)
		}
		return reply{}
	})
}

// Source: developers/resources/message.mdx, "Attachment Flags", and is_spoiler of MessageAttachmentRequest.
func TestSpoilersHaveAFlag(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) reply {
		for name, c := range map[string]struct {
			body string
			want int
		}{
			"plain":     {`{"attachments":[{"id":"0","filename":"a.txt"}]}`, 0},
			"by flag":   {`{"attachments":[{"id":"0","filename":"a.txt","is_spoiler":true}]}`, 8},
			"by prefix": {`{"attachments":[{"id":"0","filename":"SPOILER_a.txt"}]}`, 8},
		} {
			var m struct{ Attachments []struct{ Flags int } }
			r := s.form("POST", s.messages(), c.body, []byte("a"))
			if json.Unmarshal([]byte(r.text), &m) != nil || len(m.Attachments) != 1 || m.Attachments[0].Flags != c.want {
				t.Errorf("%s: got %d %s, want the flags %d", name, r.status, r.text, c.want)
			}
		}
		return reply{}
	})
}
