package commands_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/rest"
	"tictactoe/commands"
	"tictactoe/internal/boards"
)

func TestErrorsOfDiscordMeanTheSameToBoards(t *testing.T) {
	if boards.TokenLife != rest.TokenLife {
		t.Errorf("a token works for %v or %v", boards.TokenLife, rest.TokenLife)
	}
	all := []error{boards.ErrGone, boards.ErrForbidden, boards.ErrRateLimited, boards.ErrRefused}
	for _, tt := range []struct {
		err  error
		want []error
	}{
		{errors.New("connection reset"), nil},
		{&rest.APIError{Status: http.StatusBadGateway}, nil},
		{&rest.APIError{Status: http.StatusNotFound, Code: discordgo.ErrCodeUnknownMessage}, []error{boards.ErrGone, boards.ErrRefused}},
		{&rest.APIError{Status: http.StatusForbidden}, []error{boards.ErrForbidden, boards.ErrRefused}},
		{&rest.APIError{Status: http.StatusBadRequest}, []error{boards.ErrRefused}},
		{&rest.APIError{Status: http.StatusTooManyRequests}, []error{boards.ErrRateLimited, boards.ErrRefused}},
		{errors.Join(&rest.LimitError{After: time.Minute}, &rest.APIError{Status: http.StatusBadGateway}), []error{boards.ErrRateLimited}},
	} {
		got := commands.Failure(fmt.Errorf("edit: %w", tt.err))
		var means []error
		for _, e := range all {
			if errors.Is(got, e) {
				means = append(means, e)
			}
		}
		if fmt.Sprint(means) != fmt.Sprint(tt.want) || !errors.Is(got, tt.err) {
			t.Errorf("%v means %v, want %v", tt.err, means, tt.want)
		}
		failure, is := errors.AsType[*boards.Failure](got)
		if _, limited := errors.AsType[*rest.LimitError](tt.err); limited && (!is || failure.After != time.Minute) {
			t.Errorf("%v: the time to wait is unknown", tt.err)
		}
	}
	if commands.Failure(nil) != nil {
		t.Error("success is a failure")
	}
}
