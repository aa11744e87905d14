package puzzle

import (
	"fmt"
	"time"
)

// Day is a date of the Gregorian calendar, in UTC, as the number of days since 1970-01-01. It may be negative.
type Day int32

// layout is the time layout of a day.
const layout = time.DateOnly

// hoursOfDay is the length of a day: in UTC as computers count it, all days have the same length.
const hoursOfDay = 24 * time.Hour

// DayOf returns the day on which t is in UTC.
func DayOf(t time.Time) Day {
	return Day(floorDiv(t.Unix(), int64(hoursOfDay/time.Second)))
}

// ParseDay reads a day such as "2026-11-23".
func ParseDay(text string) (Day, error) {
	t, err := time.Parse(layout, text)
	if err != nil {
		return 0, fmt.Errorf("%q is not a day; write year, month and day, as in 2026-11-23", text)
	}
	return DayOf(t), nil
}

// Start returns the time at which the day begins.
func (d Day) Start() time.Time { return time.Unix(0, 0).UTC().AddDate(0, 0, int(d)) }

// Weekday returns the day of the week.
func (d Day) Weekday() time.Weekday { return d.Start().Weekday() }

// String returns the day as ParseDay reads it.
func (d Day) String() string { return d.Start().Format(layout) }

// MarshalText writes the day as String does.
func (d Day) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the day as ParseDay does.
func (d *Day) UnmarshalText(text []byte) error {
	day, err := ParseDay(string(text))
	if err == nil {
		*d = day
	}
	return err
}

// week returns the number of the day's week. Weeks begin on Monday, and the one with 1970-01-01, a Thursday, has the number 0.
func (d Day) week() int { return int(floorDiv(int64(d)+3, 7)) }

// floorDiv returns a/b rounded down. b must be positive.
func floorDiv(a, b int64) int64 { return (a - (a%b+b)%b) / b }

// floorMod returns the remainder of floorDiv, which is from 0 to b-1.
func floorMod(a, b int) int { return (a%b + b) % b }
