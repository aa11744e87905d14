package rest_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"tictactoe/bot/rest"
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
			t.Errorf("%s: taken for a refused emoji: %v", name, got)
		}
	}
}

func TestABodyWithoutOwnEmoji(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"each becomes the one of everybody that stands for it",
			`[{"emoji":{"name":"a1_x_last","id":"12"},"custom_id":"play:1:2:a1"},{"emoji":{"name":"b2_empty","id":"345"}}]`,
			`[{"emoji":{"name":"❎"},"custom_id":"play:1:2:a1"},{"emoji":{"name":"▫️"}}]`},
		{"those of everybody stay", `{"emoji":{"name":"❌"}}`, `{"emoji":{"name":"❌"}}`},
		{"a name that none of ours has is an empty square", `{"emoji":{"name":"party","id":"12"}}`, `{"emoji":{"name":"▫️"}}`},
		{"what a person wrote stays, quotes and all",
			`{"content":"\"emoji\":{\"name\":\"a1_x\",\"id\":\"12\"} <:a1_x:12>"}`, `{"content":"\"emoji\":{\"name\":\"a1_x\",\"id\":\"12\"} <:a1_x:12>"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := string(rest.WithoutOwnEmoji([]byte(test.body))); got != test.want {
				t.Errorf("%s\nbecomes %s\nwant    %s", test.body, got, test.want)
			}
		})
	}
}
