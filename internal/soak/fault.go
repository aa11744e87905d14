package soak

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Fault is a kind of thing that goes wrong.
type Fault string

// What goes wrong. With the bot's process: Kill and Stop are followed by a restart, Twin is a second process on the same
// database, Pause is SIGSTOP and later SIGCONT, and Stillborn is one more process that is killed before it has a shard. With
// the endpoint: Strangers connect and send nothing, or bodies without an end. With the gateway: Drop cuts the connection, Reconnect is op 7, Invalid op 9, after which the bot has to
// identify anew. With interactions: they come twice, in the wrong order, late, never, or with a number where a text belongs.
// With the REST API: it is slow, answers with 500, or with 429. With the database: somebody else keeps everybody from
// writing, the disk is full, its server ends and begins anew, or its file is written over, and what the bot has rescued of it is
// restored and served. With the machine: Clock sets the clock of all replicas
// forward or back, and after a while right again.
const (
	Kill      Fault = "kill"
	Stop      Fault = "stop"
	Twin      Fault = "twin"
	Drop      Fault = "drop"
	Reconnect Fault = "reconnect"
	Invalid   Fault = "invalid"
	Duplicate Fault = "duplicate"
	Reorder   Fault = "reorder"
	Delay     Fault = "delay"
	Lose      Fault = "lose"
	Garble    Fault = "garble"
	Slow      Fault = "slow"
	Failing   Fault = "failing"
	Limited   Fault = "limited"
	Busy      Fault = "busy"
	Full      Fault = "full"
	Outage    Fault = "outage"
	Clock     Fault = "clock"
	Pause     Fault = "pause"
	Stillborn Fault = "stillborn"
	Strangers Fault = "strangers"
	Overwrite Fault = "overwrite"
)

// These are no faults that are planned, but what may follow from others. Unheard: nobody hears what happens in one shard.
// Leaving: a replica behind the proxy was told to end and takes no more requests; what it has it answers.
const (
	Unheard Fault = "unheard"
	Leaving Fault = "leaving"
)

// need is what a set-up has to have for a fault to be possible, in words.
type need string

const (
	ofGateway need = "it is of the gateway"
	ofHTTP    need = "it is of interactions over HTTP: --http"
	ofSharing need = "it is of processes that share shards: --shards and --replicas"
	ofFile    need = "it is of a database that is a file"
	ofServer  need = "it ends a database server, which has to be the soak's own: --db postgres"
)

// habit is how often a fault comes and how long it lasts.
type habit struct {
	fault       Fault
	weight      int
	least, most time.Duration
	// excuses tells whether Discord, or the want of a bot, may leave an interaction without an answer meanwhile.
	excuses bool
	needs   []need
}

// habits lists all faults, in a fixed order. What lasts of Kill and Stop is the time until the restart.
func habits() []habit {
	const ms = time.Millisecond
	return []habit{
		{Kill, 24, 0, 800 * ms, true, nil},
		{Stop, 6, 0, 500 * ms, true, nil},
		{Twin, 5, 2000 * ms, 18000 * ms, false, []need{ofGateway, ofFile}},
		{Drop, 5, 0, 0, true, []need{ofGateway}},
		{Reconnect, 4, 0, 0, true, []need{ofGateway}},
		{Invalid, 3, 0, 0, true, []need{ofGateway}},
		{Duplicate, 8, 1000 * ms, 6000 * ms, false, nil},
		{Reorder, 8, 1000 * ms, 5000 * ms, false, nil},
		{Delay, 5, 500 * ms, 3000 * ms, true, nil},
		{Lose, 4, 200 * ms, 1500 * ms, true, nil},
		{Garble, 5, 500 * ms, 3000 * ms, false, nil},
		{Slow, 6, 1000 * ms, 6000 * ms, true, nil},
		{Failing, 4, 200 * ms, 2000 * ms, true, nil},
		{Limited, 4, 200 * ms, 2000 * ms, true, nil},
		{Busy, 12, 50 * ms, 4000 * ms, false, nil},
		{Full, 4, 500 * ms, 3000 * ms, false, []need{ofFile}},
		{Outage, 6, 0, 3000 * ms, false, []need{ofServer}},
		{Clock, 8, 500 * ms, 15000 * ms, false, nil},
		{Pause, 4, 1000 * ms, 40000 * ms, true, nil},
		{Stillborn, 8, 0, 1500 * ms, false, []need{ofSharing}},
		{Strangers, 6, 2000 * ms, 8000 * ms, false, []need{ofHTTP}},
		{Overwrite, 5, 0, 500 * ms, false, []need{ofGateway, ofFile}},
	}
}

// Faults are the names of all.
func Faults() []Fault {
	var all []Fault
	for _, h := range habits() {
		all = append(all, h.fault)
	}
	return all
}

// ParseFaults reads "all", "none", or names with commas between them.
func ParseFaults(text string) ([]Fault, error) {
	switch text {
	case "all":
		return Faults(), nil
	case "none":
		return nil, nil
	}
	var some []Fault
	for word := range strings.SplitSeq(text, ",") {
		f := Fault(strings.TrimSpace(word))
		if !slices.Contains(Faults(), f) {
			return nil, fmt.Errorf("there is no fault %q; there are all, none, or some of %v", f, Faults())
		}
		some = append(some, f)
	}
	return some, nil
}

// excuses tells whether an interaction may stay without an answer for that fault.
func (f Fault) excuses() bool {
	return f == Unheard || slices.ContainsFunc(habits(), func(h habit) bool { return h.fault == f && h.excuses })
}

// impossible are the faults that make no sense in a set-up, and why.
func impossible(in Setup) map[Fault]string {
	why := map[Fault]string{}
	for _, h := range habits() {
		for _, n := range h.needs {
			if !in.has(n) {
				why[h.fault] = string(n)
				break
			}
		}
	}
	return why
}

// Planned is a fault that is to come.
type Planned struct {
	Fault Fault         `json:"fault"`
	From  time.Duration `json:"from_ns"` // since the beginning
	For   time.Duration `json:"for_ns"`
	// Strength is from 0 to 99: how late, how slow, which code. What it means depends on the fault.
	Strength int `json:"strength"`
}

// Plan is all faults of a run, in their order: the same for the same seed, time and faults. They begin after a second of
// peace, in bursts with pauses between them, and overlap.
func Plan(seed uint64, duration time.Duration, faults []Fault) []Planned {
	random := rand.New(rand.NewPCG(seed, 0x736f616b))
	var some []habit
	total := 0
	for _, h := range habits() {
		if slices.Contains(faults, h.fault) {
			some = append(some, h)
			total += h.weight
		}
	}
	if len(some) == 0 {
		return nil
	}
	var plan []Planned
	for at := time.Second; ; {
		at += time.Duration(random.ExpFloat64() * float64(1500*time.Millisecond))
		if at >= duration {
			return plan
		}
		n := random.IntN(total)
		i := 0
		for ; n >= some[i].weight; i++ {
			n -= some[i].weight
		}
		h := some[i]
		lasts := h.least + time.Duration(random.Int64N(int64(h.most-h.least)+1))
		if h.fault == Busy && random.IntN(12) == 0 {
			lasts = 10 * time.Second // the longest that users have to bear
		}
		plan = append(plan, Planned{h.fault, at, lasts, random.IntN(100)})
	}
}
