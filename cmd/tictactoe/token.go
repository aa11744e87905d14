package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode"
)

var errNoToken = errors.New("no usable bot token")

// readToken reads the bot's token from the environment, or from the file that the environment names. There is no flag for the token,
// because other users of the machine could read flags. Errors wrap errNoToken, and quote no part of the token.
func readToken(env func(string) string) (string, error) {
	from, content := "DISCORD_TOKEN", env("DISCORD_TOKEN")
	if file := env("DISCORD_TOKEN_FILE"); strings.TrimSpace(content) == "" && file != "" {
		read, err := os.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("%w: DISCORD_TOKEN_FILE: %w", errNoToken, err)
		}
		from, content = "DISCORD_TOKEN_FILE ("+file+")", string(read)
		if strings.TrimSpace(content) == "" {
			return "", fmt.Errorf("%w: %s is empty; write the bot's token into it", errNoToken, from)
		}
	}
	token := strings.TrimSpace(content)
	if token == "" {
		return "", fmt.Errorf("%w: set DISCORD_TOKEN, or DISCORD_TOKEN_FILE to a file that holds it (the README tells where to get one). "+
			"To try the bot without one: tictactoe playground", errNoToken)
	}
	if fault := tokenFault(token); fault != "" {
		return "", fmt.Errorf("%w: %s %s", errNoToken, from, fault)
	}
	return token, nil
}

// tokenFault says what is wrong with the form of a token, and what to do, or nothing if the form is right. Only Discord knows whether the
// token is valid.
func tokenFault(token string) string {
	first, _, _ := strings.Cut(token, " ")
	switch {
	case strings.HasPrefix(token, "\xff\xfe"), strings.HasPrefix(token, "\xfe\xff"), strings.Contains(token, "\x00"):
		return "is text in UTF-16, as some Windows programs write it; save it as UTF-8 or ASCII"
	case strings.HasPrefix(token, "\ufeff"):
		return "begins with a byte order mark (BOM); save it as UTF-8 without one"
	case strings.Contains(token, "[200~"), strings.Contains(token, "[201~"):
		return "holds the escape sequence of a bracketed paste (ESC[200~); remove that, or enter the token without pasting it"
	case strings.Contains(token, "DISCORD_TOKEN"):
		return "holds the name DISCORD_TOKEN as well; remove it and the = behind it"
	case strings.EqualFold(first, "Bot"):
		return `has the word "Bot" before the token; remove it, the program adds it itself`
	case strings.ContainsAny(token, "\"'`“”‘’"):
		return "has quotation marks; remove them"
	case strings.ContainsFunc(token, unicode.IsSpace):
		return "is more than one word, with white space inside; it should be the token alone"
	case strings.ContainsFunc(token, func(r rune) bool { return r < '!' || r > '~' }):
		return "has control characters or others that no token has; copy the token there once more, as plain text"
	}
	return ""
}
