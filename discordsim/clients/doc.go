// Package clients tests the simulator with independent client libraries: one
// table of scenarios, played by people on the simulator against the same small
// bot on discordgo, disgo and discord.js, and whole games against a published
// tic-tac-toe bot. A bot that says pong is on seventeen libraries;
// docs/testing-your-bot.md shows how each is connected.
//
// A bot is a process of its own and gets two environment variables, the address
// DISCORD_URL and DISCORD_TOKEN. It ends when its standard input does. What the
// three do:
//
//	/echo text [count ratio loud user channel role anybody file]
//	                      says each option that was given, as name=value
//	/colour name          with autocompletion among red, green and grey
//	/show buttons         Update (updates), Later (defers, then edits),
//	                      Whisper (answers privately), Form (opens the form)
//	/show selects         one of each kind; says privately what was picked
//	/show embed, layout, file
//	                      an embed, Components V2, an attached board.txt
//	/form rows, labels    a modal in the older and the newer layout
//	/reply now twice      with a public and a private follow-up
//	/reply now gone       and deletes the answer
//	/reply now edited     and edits it by its channel's route
//	/reply later public, private, layout
//	                      defers, then edits; the last into Components V2
//	/burst count          writes that many messages into the channel
//	/about                how often its gateway was ready, and resumed
//	Wave at, Quote        context menus of a person and of a message
package clients
