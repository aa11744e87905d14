package picture

import "time"

// date is a label below the chart.
type date struct {
	at    float64 // in seconds
	label string
}

// calendar is a way to divide time into parts, such as weeks or years, and to write their beginnings as dates.
type calendar struct {
	layout              string
	years, months, days int
	least               float64 // minimum number of seconds from one date to the next
}

const day = 24 * 60 * 60

// calendars returns all calendars, from days to thousands of years, which is more than any chart needs.
func calendars() (all []calendar) {
	for _, n := range []int{1, 2, 7} {
		all = append(all, calendar{layout: time.DateOnly, days: n, least: float64(n) * day})
	}
	for _, n := range []int{1, 2, 3, 6} {
		all = append(all, calendar{layout: "2006-01", months: n, least: float64(n) * 28 * day})
	}
	for n := 1; n <= 1000; n *= 10 {
		for _, times := range []int{1, 2, 5} {
			all = append(all, calendar{layout: "2006", years: n * times, least: float64(n*times) * 365 * day})
		}
	}
	return all
}

// datesOf returns as many dates in the span, in UTC, as there is room for. The function room returns the width of a label, in seconds of
// the time axis. If the span is within one day, it returns the date of that day.
func datesOf(times span, room func(label string) float64) (all []date) {
	from := time.Unix(int64(times.from), 0).UTC()
	var fits calendar
	for _, fits = range calendars() {
		if fits.least >= room(from.Format(fits.layout)) {
			break
		}
	}
	for t := fits.before(from); seconds(t) <= times.to; t = t.AddDate(fits.years, fits.months, fits.days) {
		if seconds(t) >= times.from {
			all = append(all, date{seconds(t), t.Format(fits.layout)})
		}
	}
	if len(all) == 0 {
		all = []date{{times.from, from.Format(fits.layout)}}
	}
	return all
}

// before returns the latest date of the calendar that is not after t.
func (c calendar) before(t time.Time) time.Time {
	switch {
	case c.years > 0:
		return time.Date(t.Year()-t.Year()%c.years, 1, 1, 0, 0, 0, 0, time.UTC)
	case c.months > 0:
		return time.Date(t.Year(), t.Month()-(t.Month()-1)%time.Month(c.months), 1, 0, 0, 0, 0, time.UTC)
	default:
		midnight := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
		days := int(midnight.Unix()/day) % c.days // negative before 1970
		return midnight.AddDate(0, 0, -(days+c.days)%c.days)
	}
}
