package view

import (
	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
)

// Person is an action of a moderator that concerns a user.
type Person struct {
	Do     PersonStep
	Player match.User // empty if the user is chosen from a menu

	// How is the end of matches in progress that the form of BarPerson proposes. Empty: they go on.
	How policy.Ending
}

// PersonStep names an action of a moderator that concerns a user. Its values are in custom_ids and must not change.
type PersonStep string

// The steps.
const (
	PickPerson   PersonStep = "pick"
	BarPerson    PersonStep = "bar" // opens the form, and submits it
	UnbarPerson  PersonStep = "unbar"
	UnrankPerson PersonStep = "off"
	RankPerson   PersonStep = "on"
)

// PeopleAPage is how many people a page of moderators lists.
const PeopleAPage = 10

// OfPeople returns a page of the people whom moderators have barred or taken off the leaderboards, with a menu of all people of the server. If
// more is true, there is another page. The page also says whether former members and staff are left out of leaderboards.
func OfPeople(chosen policy.Policy, people []policy.Person, page int, more bool) Screen {
	s := Screen{Lines: []Text{T("admin.people", nil)}, Notes: []Text{T("admin.people.note", nil)}, Buttons: pages(PeoplePage, page, more)}
	s.Lines = append(s.Lines, when(len(people) == 0, T("admin.people.none", nil))...)
	for _, p := range people {
		s.Lines = append(s.Lines, personText(p))
	}
	s.Selects = []Select{{Do: Person{Do: PickPerson}, Hint: T("admin.pick.person", nil), Of: AllPeople, Min: 1, Max: 1}}
	s.leaveOut(chosen)
	return s
}

// leaveOut adds whom the policy leaves out of the leaderboards, and a button and a menu to change that.
func (s *Screen) leaveOut(p policy.Policy) {
	said, change := T("admin.unlisted.off", nil), Button{Do: SetPolicy{PolicyLeaversOff}, Label: T("action.admin.left.on", nil)}
	if p.LeaversOff {
		said, change = T("admin.unlisted.on", nil), Button{Do: SetPolicy{PolicyLeaversOn}, Label: T("action.admin.left.off", nil)}
	}
	s.Lines = append(s.Lines, said)
	s.Lines = append(s.Lines, when(len(p.Staff) > 0, T("admin.unlisted.staff", Args{"Roles": roleNames(p.Staff)}))...)
	s.Notes = append(s.Notes, when(p.LeavesOut(), T("admin.unlisted.note", nil))...)
	s.Selects = append(s.Selects, Select{Do: SetPolicy{PolicyStaff}, Hint: T("admin.pick.staff", nil), Of: VenueRoles, Chosen: p.Staff, Max: policy.MaxStaff})
	s.Buttons = append([]Button{change}, s.Buttons...)
}

func roleNames(roles []string) Text { return inARow(roles, func(id string) Role { return Role(id) }) }

// OfPerson returns the page of one user. If a moderator has just barred the user, done is the audit entry; otherwise it is the zero entry.
func OfPerson(p policy.Person, done policy.AuditEntry) Screen {
	s := Screen{Lines: append([]Text{personText(p)}, voidedText(done)...)}
	if _, voids := done.Voided(); done.Kind == policy.BarUser && !voids {
		s.Lines = append(s.Lines, T("admin.line", Args{"What": T("action.admin.running", nil), "Set": T("admin.bar.goon", nil)}))
	}
	bar := Button{Do: Person{Do: BarPerson, Player: p.Player}, Label: T("action.admin.bar", nil), Weight: Bad}
	if p.Barred {
		bar = Button{Do: Person{Do: UnbarPerson, Player: p.Player}, Label: T("action.admin.unbar", nil)}
	}
	rank := Button{Do: Person{Do: UnrankPerson, Player: p.Player}, Label: T("action.admin.off", nil)}
	if p.Off {
		rank = Button{Do: Person{Do: RankPerson, Player: p.Player}, Label: T("action.admin.on", nil)}
	}
	s.Buttons = []Button{bar, rank, back(PeoplePage)}
	return s
}

// voidedText says how many matches a bar has voided, if it was to void them.
func voidedText(d policy.AuditEntry) []Text {
	n, is := d.Voided()
	return when(is, T("admin.bar.voided", Args{"N": n}))
}

// personText says whether a user may play and is on the leaderboards.
func personText(p policy.Person) Text {
	args, key := Args{"Player": personName(p.Player)}, "admin.person.free"
	switch {
	case p.Barred && !p.Until.IsZero():
		key, args["Until"] = "admin.person.until", Hour(p.Until)
	case p.Barred:
		key = "admin.person.barred"
	case p.Off:
		return T("admin.person.off", args)
	}
	if p.Off {
		key += ".off"
	}
	return T(key, args)
}

func personName(p match.User) any {
	if p == match.Left {
		return T("name.left", nil)
	}
	return Mention(p)
}

// personDeed words the decision of a moderator about a user.
func personDeed(d policy.AuditEntry) Text {
	key, args := "deed."+string(d.Kind), Args{"Player": personName(d.Whom)}
	if until := d.Ends(); d.Kind == policy.BarUser && !until.IsZero() {
		key, args["Until"] = key+".until", Hour(until)
	}
	deed := T(key, args)
	for _, voided := range voidedText(d) {
		deed = T("champions.places", Args{"First": deed, "More": voided})
	}
	return deed
}
