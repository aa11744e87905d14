package view

import (
	"slices"

	"tictactoe/game"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/server/policy"
)

// OfRankRoles returns the page with the roles that a server gives for ranks. server is nil if Discord has not said what the bot may do there.
func OfRankRoles(rules []rankrole.Rule, server *rankrole.Server) Screen {
	s := Screen{Lines: []Text{T("admin.ranks", nil)}, Notes: []Text{T("admin.ranks.note", nil)}}
	s.Lines = append(s.Lines, when(len(rules) == 0, T("admin.ranks.none", nil))...)
	var roles []string
	for _, r := range rules {
		roles = append(roles, r.Role)
		s.Lines = append(s.Lines, T("admin.ranks.rule", rankArgs(r.Role, r.Merit, r.Board)))
		if len(s.Buttons) == 0 && server != nil && server.Problem(r.Role) == rankrole.Missing { // the menu does not list a deleted role
			s.Buttons = []Button{stopRankRole(r, "deleted")}
		}
	}
	s.warn(server, roles...)
	s.Selects = []Select{{Do: RankRole{Do: PickRankRole}, Hint: T("admin.pick.rank", nil), Of: VenueRoles, Min: 1, Max: 1}}
	s.Buttons = append(s.Buttons, back(PolicyPage))
	return s
}

// stopRankRole returns the button that stops giving a role. label is the last word of the key of its label.
func stopRankRole(r rankrole.Rule, label string) Button {
	return Button{Do: RankRole{StopRankRole, r.Role, r.Board}, Label: T("action.admin.rank."+label, nil), Weight: Bad}
}

// OfRankRole returns the page on which moderators say what earns a role. The rule has no merit if the role is not given.
func OfRankRole(r rankrole.Rule, server *rankrole.Server) Screen {
	s := Screen{Lines: []Text{T("admin.rank.nobody", Args{"Role": Role(r.Role)})}, Notes: []Text{T("admin.ranks.note", nil)}}
	boards := Select{Do: RankRole{PickRankBoard, r.Role, r.Board}, Hint: T("arena.form.board", nil), Min: 1, Max: 1}
	for _, name := range game.OfferedNames() {
		boards.Options = append(boards.Options, Option{Value: name, Label: boardName(name), Chosen: name == r.Board})
	}
	merits := Select{Do: RankRole{PickMerit, r.Role, r.Board}, Hint: T("admin.pick.merit", nil), Min: 1, Max: 1}
	for _, m := range rankrole.Merits() {
		merits.Options = append(merits.Options, Option{Value: string(m), Label: meritText(m), Chosen: m == r.Merit})
	}
	s.Selects = []Select{boards, merits}
	if r.Merit != "" {
		s.Lines = []Text{T("admin.ranks.rule", rankArgs(r.Role, r.Merit, r.Board))}
		s.Buttons = []Button{stopRankRole(r, "stop")}
	}
	s.warn(server, r.Role)
	s.Buttons = append(s.Buttons, back(RanksPage))
	return s
}

// warn adds why the bot cannot give some roles, if it cannot.
func (s *Screen) warn(server *rankrole.Server, roles ...string) {
	var problems []Text
	if server == nil && len(roles) > 0 {
		problems = []Text{T("admin.ranks.unknown", nil)}
	}
	for _, role := range roles {
		if server != nil && server.Problem(role) != "" {
			problems = append(problems, problemText(server.Problem(role), role))
		}
	}
	if len(problems) > 0 {
		s.Tone, s.Lines = Warning, append(s.Lines, problems...)
	}
}

// rankArgs returns the arguments of a text about what earns a role.
func rankArgs(role string, m rankrole.Merit, board string) Args {
	return Args{"Role": Role(role), "Merit": meritText(m), "Board": boardName(board)}
}

// problemText says why the bot cannot give a role.
func problemText(p rankrole.Problem, role string) Text {
	return T("admin.ranks."+string(p), Args{"Role": Role(role)})
}

func meritText(m rankrole.Merit) Text {
	switch {
	case m.Top() > 0:
		return T("merit.top", Args{"PluralCount": m.Top()})
	case m.Points() > 0:
		return T("merit.rated", Args{"Points": Points(m.Points())})
	case m == rankrole.ArenaChampion:
		return T("merit.arena", nil)
	}
	return T("merit.champion", nil)
}

// rankRoleText says what a moderator or the bot itself did with a role, from the chosen values of an audit entry.
func rankRoleText(kind policy.Kind, chosen []string) Text {
	chosen = append(slices.Clone(chosen), "", "", "")
	role, key := chosen[0], "deed."+string(kind)
	switch {
	case kind == rankrole.Blocked:
		return problemText(rankrole.Problem(chosen[1]), role)
	case chosen[1] == "":
		return T(key+".off", Args{"Role": Role(role)})
	}
	return T(key, rankArgs(role, rankrole.Merit(chosen[1]), chosen[2]))
}
