package soak

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// Summary holds the figures of a run, during the run or at its end. `lab soak --json` prints it as JSON.
type Summary struct {
	Interactions int            `json:"interactions"`
	Statuses     map[string]int `json:"statuses"` // answered, deferred, failed, timeout
	InTime       int            `json:"answered_in_3_s"`
	Refused      int            `json:"private_words"` // private answers: refusals, lists, reviews
	TryAgain     int            `json:"told_to_try_again"`
	TooFast      int            `json:"told_to_slow_down"`
	Apologies    int            `json:"apologies"`
	Shown        int            `json:"boards_shown"`
	Puzzles      int            `json:"puzzles_posted"`
	Faults       map[Fault]int  `json:"faults"`
	// Median, Percentile99 and Longest are the times from an interaction to the bot's first response.
	Median       time.Duration `json:"median_ns"`
	Percentile99 time.Duration `json:"percentile_99_ns"`
	Longest      time.Duration `json:"longest_ns"`
	// Disturbed is the time during which the bot was away or Discord was faulty.
	Disturbed time.Duration `json:"disturbed_ns"`
	// Unheard is how often a shard that several processes share was unheard, and Unserved the longest such period.
	Unheard  int           `json:"shards_unheard,omitempty"`
	Unserved time.Duration `json:"longest_unheard_ns,omitempty"`
	// Matches and Moves count the rows of the database at the end, and Causes the ended matches by cause.
	Matches int            `json:"matches"`
	Moves   int            `json:"moves"`
	Causes  map[string]int `json:"causes"`
	// Behind is how many boards were still to be redrawn at the end.
	Behind int `json:"boards_behind"`
}

// count adds an event to the figures.
func (s *Summary) count(e Event) {
	if s.Statuses == nil {
		s.Statuses, s.Faults, s.Causes = map[string]int{}, map[Fault]int{}, map[string]int{}
	}
	switch e.Kind {
	case Sent:
		s.Interactions++
	case Settled:
		s.Statuses[e.Status]++
		_, busy := e.Said[saidBusy]
		_, tooFast := e.Said[saidTooFast]
		_, apology := e.Said[saidApology]
		switch {
		case busy:
			s.TryAgain++
		case tooFast:
			s.TooFast++
		case apology:
			s.Apologies++
		case e.Text != "":
			s.Refused++
		}
	case Shown:
		s.Shown++
	case Posted:
		s.Puzzles++
	case Began:
		if e.Number > 0 && e.Fault != Unheard && e.Fault != Leaving {
			s.Faults[e.Fault]++
		}
	}
}

func (s *Summary) copy() Summary {
	c := *s
	c.Statuses, c.Faults, c.Causes = maps.Clone(s.Statuses), maps.Clone(s.Faults), maps.Clone(s.Causes)
	return c
}

// conclude adds the figures that are only known at the end.
func (s *Summary) conclude(c Case) {
	sent := map[string]time.Time{}
	for _, e := range c.History {
		if e.Kind == Sent {
			sent[e.Interaction] = e.At
		}
	}
	var took []time.Duration
	for _, e := range c.History {
		at, known := sent[e.Interaction]
		if e.Kind != Acknowledged || !known {
			continue
		}
		delete(sent, e.Interaction) // only the first response counts
		took = append(took, e.At.Sub(at))
		if e.At.Sub(at) <= answerTime {
			s.InTime++
		}
	}
	s.Disturbed = c.History.Disturbed()
	for _, one := range c.History.spans() {
		if one.fault == Unheard {
			s.Unheard++
			s.Unserved = max(s.Unserved, one.to.Sub(one.from))
		}
	}
	slices.Sort(took)
	if n := len(took); n > 0 {
		s.Median, s.Percentile99, s.Longest = took[n/2], took[n*99/100], took[n-1]
	}
	s.Matches, s.Moves, s.Behind = len(c.Tables.Matches), len(c.Tables.Moves), len(c.Tables.Behind)
	for _, m := range c.Tables.Matches {
		if m.Cause != "" {
			s.Causes[m.Cause]++
		}
	}
}

// Write prints the summary for people.
func (s *Summary) Write(w io.Writer) {
	row := func(what, format string, args ...any) {
		fmt.Fprintf(w, "%-18s %s\n", what, fmt.Sprintf(format, args...))
	}
	row("interactions", "%d, of which %d had a word within 3 s (median %s, 99 %% within %s, longest %s)", s.Interactions, s.InTime,
		s.Median.Round(100*time.Microsecond), s.Percentile99.Round(time.Millisecond), s.Longest.Round(time.Millisecond))
	row("ended as", "%s", list(s.Statuses))
	row("said privately", "%d, beside %d times \"try again\", %d times \"too fast\" and %d apologies", s.Refused, s.TryAgain, s.TooFast, s.Apologies)
	row("boards shown", "%d, and %d that were still to be redrawn at the end", s.Shown, s.Behind)
	row("stored", "%d matches with %d moves; ended: %s", s.Matches, s.Moves, list(s.Causes))
	row("puzzles", "%d posted", s.Puzzles)
	faults := 0
	for _, n := range s.Faults {
		faults += n
	}
	if s.Unheard > 0 {
		row("shards", "unheard %d times, for %s at most", s.Unheard, s.Unserved.Round(100*time.Millisecond))
	}
	row("faults", "%d: %s; for %s the bot was away or Discord at fault", faults, list(s.Faults), s.Disturbed.Round(time.Second))
}

// list writes each name with its number.
func list[K ~string](counts map[K]int) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", k, counts[k]))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}
