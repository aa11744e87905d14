package rest_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"tictactoe/bot/rest"
	"tictactoe/internal/show/emoji"
)

func TestRefusedEmoji(t *testing.T) {
	refusal := func(status int, detail string) error {
		return fmt.Errorf("answer: %w", &rest.APIError{Status: status, Detail: detail})
	}
	const invalid = `{"components":{"0":{"emoji":{"id":{"_errors":[{"code":"BUTTON_COMPONENT_INVALID_EMOJI"}]}}}}}`
	for name, test := range map[string]struct {
		err  error
		want bool
	}{
		"an emoji that is gone":        {refusal(http.StatusBadRequest, invalid), true},
		"something else in the body":   {refusal(http.StatusBadRequest, `{"components":{"_errors":[{"code":"BASE_TYPE_REQUIRED"}]}}`), false},
		"another status":               {refusal(http.StatusForbidden, invalid), false},
		"no answer of Discord":         {errors.New(invalid), false},
		"nothing, as the message came": {nil, false},
	} {
		if got := rest.RefusesEmoji(test.err); got != test.want {
			t.Errorf("%s: RefusesEmoji returned %v", name, got)
		}
	}
}

func TestABodyWithoutOwnEmoji(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"each becomes the one of everybody that stands for it",
			`[{"emoji":{"name":"a1_x_last","id":"12"},"custom_id":"play:1:2:a1"},{"emoji":{"name":"b2_empty","id":"345"}}]`,
			`[{"emoji":{"name":"❎"},"custom_id":"play:1:2:a1"},{"emoji":{"name":"▫️"}}]`},
		{"a button without a label names its square",
			`{"label":"","style":2,"disabled":false,"emoji":{"name":"a1_x_last","id":"12"},"custom_id":"play:1:2:a1"}`,
			`{"label":"a1","style":2,"disabled":false,"emoji":{"name":"❎"},"custom_id":"play:1:2:a1"}`},
		{"a Unicode emoji stays", `{"emoji":{"name":"❌"}}`, `{"emoji":{"name":"❌"}}`},
		{"a name that none of ours has is an empty square", `{"emoji":{"name":"party","id":"12"}}`, `{"emoji":{"name":"▫️"}}`},
		{"the text of a person stays, with its quotes",
			`{"content":"\"emoji\":{\"name\":\"a1_x\",\"id\":\"12\"} <:a1_x:12>"}`, `{"content":"\"emoji\":{\"name\":\"a1_x\",\"id\":\"12\"} <:a1_x:12>"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := string(rest.WithoutOwnEmoji([]byte(test.body))); got != test.want {
				t.Errorf("%s\nbecomes %s\nwant    %s", test.body, got, test.want)
			}
		})
	}
}

func TestNoRoomForAnEmoji(t *testing.T) {
	code := 0
	discord := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `{"id":"1"}`)
			return
		}
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"message":"No","code":%d}`, code)
	}))
	defer discord.Close()
	client, err := rest.New(rest.Config{Token: "MQ.a.b", BaseURL: discord.URL})
	if err != nil {
		t.Fatal(err)
	}
	for answered, want := range map[int]bool{30008: true, 30018: true, 50035: false, 300001: false} {
		code = answered
		if _, err := client.CreateEmoji(t.Context(), "b2_x", nil); err == nil || errors.Is(err, emoji.ErrNoRoom) != want {
			t.Errorf("code %d: %v says that there is no room: %v, want %v", code, err, !want, want)
		}
	}
}
