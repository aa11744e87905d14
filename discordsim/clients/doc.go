// Package clients tests the simulator with independent client libraries: one
// table of scenarios, in which people on the simulator use the same small demo
// bot on discordgo, disgo and discord.js, and whole games against a published
// tic-tac-toe bot. A smaller ping bot exists for seventeen libraries;
// docs/testing-your-bot.md shows how each is connected.
//
// Each bot is a separate process. It gets the address and its token in the
// environment variables DISCORD_URL and DISCORD_TOKEN, and ends when its
// standard input ends. The demo bots have these commands:
//
//	/echo text [count ratio loud user channel role anybody file]
//	                      replies with each given option, as name=value
//	/colour name          with autocompletion among red, green and grey
//	/show buttons         Update (updates), Later (defers, then edits),
//	                      Whisper (answers privately), Form (opens the form)
//	/show selects         one of each kind; replies privately with the values
//	/show embed, layout, file
//	                      an embed, Components V2, an attached board.txt
//	/form rows, labels    a modal in the older and the newer layout
//	/reply now twice      with a public and a private follow-up
//	/reply now gone       and deletes the answer
//	/reply now edited     and edits it by its channel's route
//	/reply later public, private, layout
//	                      defers, then edits; the last into Components V2
//	/burst count          writes that many messages into the channel
//	/about                counts of READY and RESUMED events
//	Wave at, Quote        context menus of a person and of a message
package clients
