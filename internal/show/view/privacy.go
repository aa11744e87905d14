package view

import (
	"tictactoe/internal/match"
	"tictactoe/internal/people/user"
)

// Policies are the addresses of the operator's own pages; empty for none.
type Policies struct{ Privacy, Terms string }

// Privacy is what is stored about a player, and what can be done about it.
func Privacy(held user.Held, policies Policies) Screen {
	s := Screen{Lines: []Text{T("privacy.title", nil)}}
	if known(held) {
		if held.Name != "" {
			s.Lines = append(s.Lines, T("privacy.name", Args{"Name": Name(held.Name)}))
		} else {
			s.Lines = append(s.Lines, T("privacy.nameless", nil))
		}
		for _, count := range []struct {
			key string
			n   int
		}{
			{"privacy.matches", held.Matches}, {"privacy.challenges", held.Challenges}, {"privacy.scores", held.Scores},
			{"privacy.ratings", held.Ratings},
			{"privacy.puzzles", held.Puzzles}, {"privacy.deeds", held.AuditEntries}, {"privacy.lessons", held.Lessons},
		} {
			if count.n > 0 {
				s.Lines = append(s.Lines, T(count.key, Args{"PluralCount": count.n}))
			}
		}
		if n := len(held.Settings.Blocked) + held.Settings.Hashed; n > 0 {
			s.Lines = append(s.Lines, T("privacy.settings.blocked", Args{"PluralCount": n}))
		} else {
			s.Lines = append(s.Lines, T("privacy.settings", nil))
		}
		if !held.Since.IsZero() {
			s.Lines = append(s.Lines, T("privacy.since", Args{"Since": Moment(held.Since)}))
		}
	} else {
		s.Lines = append(s.Lines, T("privacy.none", nil))
	}
	s.Buttons = []Button{
		{Do: PersonalData{ExportData}, Label: T("action.privacy.export", nil), Weight: Main},
		{Do: PersonalData{EraseData}, Label: T("action.privacy.erase", nil), Weight: Bad},
	}
	s.Notes = []Text{T("privacy.use", nil), T("privacy.gone", nil), T("privacy.boards", nil)}
	if policies.Privacy != "" {
		s.Buttons = append(s.Buttons, Button{Label: T("action.privacy.policy", nil), URL: policies.Privacy})
	}
	if policies.Terms != "" {
		s.Buttons = append(s.Buttons, Button{Label: T("action.privacy.terms", nil), URL: policies.Terms})
	}
	return s
}

// known tells whether there is anything of the player's own. That others have blocked the player is theirs, and not told.
func known(h user.Held) bool {
	s := h.Settings
	return h.Name != "" || h.Matches+h.Challenges+h.Scores+h.Ratings+h.AuditEntries+h.Puzzles+h.Lessons > 0 ||
		s.Language != "" || s.NotTaking || s.MentionsOff || s.TextBoard || s.Hidden || len(s.Blocked)+s.Hashed > 0
}

// AskErase is the question before everything about a player is deleted: what it means, and the title above it.
func AskErase(held user.Held) (title Text, question []Text) {
	question = []Text{
		T("privacy.ask", nil), T("privacy.ask.games", nil), T("privacy.ask.blocks", nil),
		T("privacy.ask.copies", Args{"Days": int(match.ErasureMemory.Hours() / 24)}),
	}
	if held.Open > 0 {
		question = append(question, T("privacy.ask.open", Args{"PluralCount": held.Open}))
	}
	return T("privacy.ask.title", nil), append(question, T("privacy.ask.final", nil))
}

// Erased says that it was done.
func Erased() Screen { return Screen{Tone: Closed, Lines: []Text{T("privacy.erased", nil)}} }

// Exported says what the file is that comes with it.
func Exported(held user.Held) Screen {
	if max(held.Matches, held.Challenges, held.Puzzles, held.AuditEntries) > user.MaxExported {
		return Screen{Lines: []Text{T("privacy.exported.part", Args{"Limit": user.MaxExported})}}
	}
	return Screen{Lines: []Text{T("privacy.exported", nil)}}
}
