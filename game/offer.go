package game

// Offer is a rule set that players are offered, with the name they know it by.
type Offer struct {
	Name  string
	Rules Rules
}

// Offered lists the rule sets that are worth playing, simple ones first. On each of them neither side wins by force, except on
// "infinite": there the side that begins does, but people hardly find out how.
func Offered() []Offer {
	return []Offer{
		{"classic", Classic()},
		{"4x4", terms{width: 4, height: 4, run: 4}.pack()},
		{"5x5", terms{width: 5, height: 5, run: 4}.pack()},
		{"infinite", terms{width: 3, height: 3, run: 3, keep: 3}.pack()},
		{"drop", terms{width: 5, height: 4, run: 4, gravity: true}.pack()},
		{"drop-5x5", terms{width: 5, height: 5, run: 4, gravity: true}.pack()},
		{"misere", terms{width: 3, height: 3, run: 3, misere: true}.pack()},
	}
}

// OfferedNames returns the names of the rule sets that are offered.
func OfferedNames() (names []string) {
	for _, offer := range Offered() {
		names = append(names, offer.Name)
	}
	return names
}

// OnOffer returns the offered rule set of that name, such as "infinite". It returns false for any other text, also for an
// offered rule set as [Rules.String] writes it; [ParseRules] reads both.
func OnOffer(name string) (Rules, bool) {
	for _, offer := range Offered() {
		if offer.Name == name {
			return offer.Rules, true
		}
	}
	return Rules{}, false
}

// Title returns the name by which players know the rule set, such as "infinite", or how it is written if it is not offered.
// [ParseRules] reads either.
func (r Rules) Title() string {
	for _, offer := range Offered() {
		if offer.Rules == r {
			return offer.Name
		}
	}
	return r.String()
}
