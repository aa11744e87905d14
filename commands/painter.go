package commands

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/board"
	"tictactoe/internal/locale"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

// Painter makes what the messages of boards show outside of interactions, for package redraw.
type Painter struct {
	Matches match.Store
	Boards  board.Store
	Book    *locale.Book
	Level   string // of the computer that is offered where a challenge came to nothing
	Site    string // where people read: links to boards lead there
}

// Challenge shows a challenge that led to no match.
func (p Painter) Challenge(ctx context.Context, b board.Board, c match.Challenge) ([]discordgo.MessageComponent, error) {
	names, err := p.Matches.Names(ctx, c.From, c.To)
	if err != nil {
		return nil, err
	}
	return encode(view.OfChallenge(c, names, p.Level), p.words(b), discordStyle{}), nil
}

// Match shows a match, and returns the version that is shown.
func (p Painter) Match(ctx context.Context, b board.Board, m match.Match) ([]discordgo.MessageComponent, int, error) {
	screen, style, err := matchScreen(ctx, p.Matches, p.Boards, p.style(), m)
	if err != nil {
		return nil, 0, err
	}
	return encode(screen, p.words(b), style), shownVersion(m, style), nil
}

// Moved says where the board is now.
func (p Painter) Moved(b board.Board) []discordgo.MessageComponent {
	return encode(view.Moved(b.ID), p.words(b), p.style(b))
}

// Mention calls the side to move.
func (p Painter) Mention(ctx context.Context, b board.Board, m match.Match) ([]discordgo.MessageComponent, error) {
	names, err := p.Matches.Names(ctx, m.Seats.Players()...)
	if err != nil {
		return nil, err
	}
	return encode(view.TurnMention(m, names), p.words(b), p.style(b)), nil
}

// About is the challenge or match that a custom_id is about, empty if none.
func (p Painter) About(customID string) match.ID {
	id, _ := parseCustomID(customID)
	return id.about
}

func (p Painter) words(b board.Board) locale.Words { return p.Book.In(b.Locale) }
