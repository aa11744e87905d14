package game

// Offer is a rule set that is offered to players, with its name.
type Offer struct {
	Name  string
	Rules Rules
}

// Offered lists the offered rule sets, the simplest first. On each of them perfect play is a draw, except on "infinite": there the
// side that begins wins by force, but people hardly find out how.
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

// OfferedNames returns the names of the offered rule sets.
func OfferedNames() (names []string) {
	for _, offer := range Offered() {
		names = append(names, offer.Name)
	}
	return names
}

// OnOffer returns the offered rule set of the given name, such as "infinite". It returns false for any other text, including the
// notation of an offered rule set by [Rules.String]; [ParseRules] reads both.
func OnOffer(name string) (Rules, bool) {
	for _, offer := range Offered() {
		if offer.Name == name {
			return offer.Rules, true
		}
	}
	return Rules{}, false
}

// Title returns the name of an offered rule set, such as "infinite", or the notation of any other rule set. [ParseRules] reads
// both.
func (r Rules) Title() string {
	for _, offer := range Offered() {
		if offer.Rules == r {
			return offer.Name
		}
	}
	return r.String()
}
