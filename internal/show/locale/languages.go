package locale

import "tictactoe/internal/show/view"

// Languages are the names of those that Discord's clients have.
func Languages() (names []string) {
	for _, l := range view.Languages() {
		names = append(names, l.Code)
	}
	return names
}
