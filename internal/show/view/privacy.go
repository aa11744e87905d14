package view

import (
	"tictactoe/internal/match"
	"tictactoe/internal/people/user"
)

// Pages are the URLs of the operator's web pages. A URL is empty if there is no such page.
type Pages struct {
	Privacy, Terms string
	Game           string // the page that plays in a browser, without a fragment
}

// Privacy returns the page that tells players which data is stored about them, with buttons to export or delete the data.
func Privacy(held user.Held, pages Pages) Screen {
	s := Screen{Lines: []Text{T("privacy.title", nil)}}
	if known(held) {
		name, settings := T("privacy.nameless", nil), T("privacy.settings", nil)
		if held.Name != "" {
			name = T("privacy.name", Args{"Name": Name(held.Name)})
		}
		if n := len(held.Settings.Blocked) + held.Settings.Hashed; n > 0 {
			settings = T("privacy.settings.blocked", Args{"PluralCount": n})
		}
		s.Lines = append(s.Lines, name)
		for _, count := range []struct {
			key string
			n   int
		}{
			{"privacy.matches", held.Matches}, {"privacy.challenges", held.Challenges}, {"privacy.crowds", held.Crowds}, {"privacy.scores", held.Scores},
			{"privacy.ratings", held.Ratings},
			{"privacy.puzzles", held.Puzzles}, {"privacy.deeds", held.AuditEntries}, {"privacy.lessons", held.Lessons}, {"privacy.roles", held.Roles},
			{"privacy.arenas", held.Arenas}, {"privacy.bars", held.Bars}, {"privacy.members", held.Members},
		} {
			s.Lines = append(s.Lines, when(count.n > 0, T(count.key, Args{"PluralCount": count.n}))...)
		}
		s.Lines = append(s.Lines, settings)
		s.Lines = append(s.Lines, when(!held.Since.IsZero(), T("privacy.since", Args{"Since": Moment(held.Since)}))...)
	} else {
		s.Lines = append(s.Lines, T("privacy.none", nil))
	}
	s.Buttons = []Button{
		{Do: PersonalData{ExportData}, Label: T("action.privacy.export", nil), Weight: Main},
		{Do: PersonalData{EraseData}, Label: T("action.privacy.erase", nil), Weight: Bad},
	}
	s.Notes = []Text{T("privacy.use", nil), T("privacy.gone", nil), T("privacy.boards", nil)}
	s.Buttons = append(s.Buttons, when(pages.Privacy != "", Button{Label: T("action.privacy.policy", nil), URL: pages.Privacy})...)
	s.Buttons = append(s.Buttons, when(pages.Terms != "", Button{Label: T("action.privacy.terms", nil), URL: pages.Terms})...)
	return s
}

// known reports whether any data of the player is stored. Blocks of the player by other players do not count, because they are those
// players' data.
func known(h user.Held) bool {
	s := h.Settings
	return h.Name != "" || h.Matches+h.Challenges+h.Scores+h.Ratings+h.AuditEntries+h.Puzzles+h.Lessons+h.Crowds+h.Roles+h.Arenas+h.Bars+h.Members > 0 ||
		s.Language != "" || s.NotTaking || s.MentionsOff || s.TextBoard || s.Hidden || len(s.Blocked)+s.Hashed > 0
}

// AskErase returns the title and text of the form in which a player confirms that all data is deleted. The text names the consequences.
func AskErase(held user.Held) (title Text, question []Text) {
	question = []Text{
		T("privacy.ask", nil), T("privacy.ask.games", nil), T("privacy.ask.blocks", nil),
		T("privacy.ask.copies", Args{"PluralCount": int(match.ErasureMemory.Hours() / 24)}),
	}
	question = append(question, when(held.Bars > 0, T("privacy.ask.bars", nil))...)
	question = append(question, when(held.Roles > 0, T("privacy.ask.roles", nil))...)
	question = append(question, when(held.Open > 0, T("privacy.ask.open", Args{"PluralCount": held.Open}))...)
	return T("privacy.ask.title", nil), append(question, T("privacy.ask.final", nil))
}

// Erased says that all data about the player was deleted.
func Erased() Screen { return Screen{Tone: Closed, Lines: []Text{T("privacy.erased", nil)}} }

// Exported returns the message with the exported file, which says what the file contains.
func Exported(held user.Held) Screen {
	if max(held.Matches, held.Challenges, held.Puzzles, held.Crowds, held.AuditEntries) > user.MaxExported {
		return Screen{Lines: []Text{T("privacy.exported.part", Args{"Limit": user.MaxExported})}}
	}
	return Screen{Lines: []Text{T("privacy.exported", nil)}}
}
