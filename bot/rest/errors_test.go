package rest_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/rest"
	"tictactoe/internal/boards/messages"
)

func TestKindsOfErrors(t *testing.T) {
	for _, test := range []struct {
		err  error
		want []error
	}{
		{errors.New("connection reset"), nil},
		{&rest.APIError{Status: http.StatusBadGateway}, nil},
		{&rest.APIError{Status: http.StatusNotFound, Code: discordgo.ErrCodeUnknownMessage}, []error{messages.ErrGone, messages.ErrRefused}},
		{&rest.APIError{Status: http.StatusForbidden}, []error{messages.ErrForbidden, messages.ErrRefused}},
		{&rest.APIError{Status: http.StatusBadRequest}, []error{messages.ErrRefused}},
		{&rest.APIError{Status: http.StatusTooManyRequests}, []error{messages.ErrRateLimited, messages.ErrRefused}},
		{errors.Join(&messages.LimitError{After: time.Minute}, &rest.APIError{Status: http.StatusBadGateway}), []error{messages.ErrRateLimited}},
	} {
		var kinds []error
		for _, kind := range []error{messages.ErrGone, messages.ErrForbidden, messages.ErrRateLimited, messages.ErrRefused} {
			if errors.Is(fmt.Errorf("edit: %w", test.err), kind) {
				kinds = append(kinds, kind)
			}
		}
		if fmt.Sprint(kinds) != fmt.Sprint(test.want) {
			t.Errorf("%v is of the kinds %v, want %v", test.err, kinds, test.want)
		}
	}
}
