package discordsim_test

import (
	"encoding/json"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/discordsim"
)

// reads reports whether alice sees a message with this text in general.
func (b *bubble) reads(text string) bool {
	b.t.Helper()
	messages, err := b.User("alice").Messages("general")
	if err != nil {
		b.t.Fatal(err)
	}
	return slices.ContainsFunc(messages, func(m *discordsim.Message) bool { return m.Content == text })
}

// TestWhatAnsweredPromises tests what docs/simulator.md says under "What answered promises".
func TestWhatAnsweredPromises(t *testing.T) {
	t.Parallel()
	t.Run("the message is there for everybody, while the bot's own call still waits for its response", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			b.fault(discordsim.Faults{CallbackDelayMS: 1000})
			i, done := b.ping()
			returned := make(chan int)
			go func() {
				status, _ := b.callback(i, sayPong)
				returned <- status
			}()
			if r := <-done; r.Status != discordsim.Answered || r.Message.Content != "pong" || r.Milliseconds != 0 {
				t.Errorf("the person was told of %s after %d ms", r.Status, r.Milliseconds)
			}
			if !b.reads("pong") {
				t.Error("the message is not in the channel")
			}
			select {
			case status := <-returned:
				t.Errorf("the callback had returned %d", status)
			default:
			}
			if status := <-returned; status != 204 {
				t.Errorf("the callback returned %d", status)
			}
		})
	})
	t.Run("what the bot does next has not happened", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			b.fault(discordsim.Faults{CallbackDelayMS: 1000})
			i, done := b.ping()
			go func() {
				b.callback(i, sayPong)
				b.rest("POST", "/webhooks/"+botID+"/"+i.Token, `{"content":"and more"}`)
			}()
			<-done
			if b.reads("and more") {
				t.Error("the follow-up is there")
			}
			time.Sleep(time.Second)
			synctest.Wait()
			if !b.reads("and more") {
				t.Error("the follow-up never came")
			}
		})
	})
	t.Run("after a deferral it comes with the edit, not before", func(t *testing.T) {
		inBubble(t, discordsim.Config{}, func(b *bubble) {
			i, done := b.ping()
			b.callback(i, `{"type":5}`)
			synctest.Wait()
			select {
			case r := <-done:
				t.Errorf("the deferral alone was %s", r.Status)
			default:
			}
			b.rest("PATCH", "/webhooks/"+botID+"/"+i.Token+"/messages/@original", `{"content":"late"}`)
			if r := <-done; r.Status != discordsim.Answered || r.Message.Content != "late" || !b.reads("late") {
				got, _ := json.Marshal(r)
				t.Errorf("got %s", got)
			}
		})
	})
}
