package bot

import "strings"

// redact replaces secrets in a text that we did not write ourselves, such as a handler's error or panic.
func redact(text string, secrets ...string) string {
	for _, secret := range secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "[redacted]")
		}
	}
	return text
}
