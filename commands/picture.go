package commands

import (
	"strings"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// maxAlt is how long Discord lets the description of a picture be, in characters.
const maxAlt = 1024

// shown is the reply that shows a screen. A picture goes along as a file. Where the bot may not attach files, or Discord does not
// take this one, it is told in words.
func shown(in *bot.Interaction, kind bot.Kind, s view.Screen, words locale.Words, style discordStyle) bot.Reply {
	reply := bot.Reply{Kind: kind, Components: encode(s.InWords(), words, style)}
	if p := s.Picture; p != nil && !in.NoFiles {
		reply.Wordy, reply.Components = reply.Components, encode(s, words, style)
		reply.Files = []bot.File{{Name: p.Name, Type: typeOf(p.Name), Description: alt(*p, words, style), Content: p.Content}}
	}
	return reply
}

// typeOf is the type of a picture's file.
func typeOf(name string) string {
	if strings.HasSuffix(name, ".gif") {
		return "image/gif"
	}
	return "image/png"
}

// gallery shows a picture that comes along as a file.
func gallery(p view.Picture, words locale.Words, style discordStyle) discordgo.MediaGallery {
	described := alt(p, words, style)
	return discordgo.MediaGallery{Items: []discordgo.MediaGalleryItem{
		{Media: discordgo.UnfurledMediaItem{URL: "attachment://" + p.Name}, Description: &described},
	}}
}

// alt is what a screen reader says of a picture. It reads no markdown.
func alt(p view.Picture, words locale.Words, style discordStyle) string {
	return cutName(words.Say(p.Alt, labelStyle{style}), maxAlt)
}
