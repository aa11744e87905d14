package bot_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/bot"
)

func TestWhatHappensToServers(t *testing.T) {
	inBubble(t, "is told, but for outages of Discord's and what cannot be read", func(t *testing.T, f *fake) {
		var mu sync.Mutex
		var told []string
		f.run(func(c *bot.Config) {
			c.Guild = func(id string, event bot.GuildEvent) {
				mu.Lock()
				defer mu.Unlock()
				told = append(told, fmt.Sprint(id, " ", event))
			}
		})
		passed(0)
		for _, e := range [][2]string{
			{"GUILD_CREATE", `{"id":"1"}`},
			{"GUILD_DELETE", `{"id":"1","unavailable":true}`},
			{"GUILD_DELETE", `{"id":"1"}`},
			{"CHANNEL_UPDATE", `{"id":"5","guild_id":"2"}`},
			{"THREAD_UPDATE", `{"id":"5","guild_id":"3"}`},
			{"GUILD_ROLE_UPDATE", `{"guild_id":"4","role":{"id":"7"}}`},
			{"GUILD_MEMBER_UPDATE", `{"guild_id":"5"}`},
			{"CHANNEL_UPDATE", `{"id":"5"}`},
			{"TYPING_START", `{"guild_id":"6"}`},
		} {
			f.gateway().event(e[0], e[1])
		}
		passed(0)
		mu.Lock()
		defer mu.Unlock()
		want := []string{"1 seen", "1 left", "2 changed", "3 changed", "4 changed", "5 changed"}
		if diff := cmp.Diff(want, told); diff != "" {
			t.Error(diff)
		}
	})
}
