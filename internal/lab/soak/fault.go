package soak

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Fault is a kind of failure or disturbance.
type Fault string

// The faults that a plan can contain.
const (
	Kill      Fault = "kill"      // a process is killed and started again
	Stop      Fault = "stop"      // a process is told to end and started again
	Twin      Fault = "twin"      // a second process starts on the same database
	Drop      Fault = "drop"      // the gateway cuts the connection
	Reconnect Fault = "reconnect" // the gateway sends op 7
	Invalid   Fault = "invalid"   // the gateway sends op 9, after which the bot may have to identify again
	Duplicate Fault = "duplicate" // interactions are delivered twice
	Reorder   Fault = "reorder"   // interactions are delivered in another order
	Delay     Fault = "delay"     // interactions are delivered late
	Lose      Fault = "lose"      // interactions are never delivered
	Garble    Fault = "garble"    // interactions have a number where a text belongs
	Slow      Fault = "slow"      // the REST API answers slowly
	Failing   Fault = "failing"   // the REST API answers with a 5xx status
	Limited   Fault = "limited"   // the REST API answers with 429
	Busy      Fault = "busy"      // another program locks the database against writes
	Full      Fault = "full"      // the disk is full
	Outage    Fault = "outage"    // the database server ends and is started again
	Clock     Fault = "clock"     // the clocks of all replicas are set forward or back, and later corrected
	Pause     Fault = "pause"     // a process gets SIGSTOP, and later SIGCONT
	Stillborn Fault = "stillborn" // an additional process starts, and is killed before it has a shard
	Strangers Fault = "strangers" // clients other than Discord connect to the endpoint, and send nothing or endless bodies
)

// Faults that are not planned, but follow from others.
const (
	Unheard Fault = "unheard" // no process hears the events of a shard
	Leaving Fault = "leaving" // a replica behind the proxy was told to end: it accepts no more requests, but answers the accepted ones
)

// need is a requirement of a fault on the setup, worded for reports.
type need string

const (
	ofGateway need = "it is of the gateway"
	ofHTTP    need = "it is of interactions over HTTP: --http"
	ofSharing need = "it is of processes that share shards: --shards and --replicas"
	ofFile    need = "it is of a database that is a file"
	ofServer  need = "it ends a database server, which has to be the soak's own: --db postgres"
)

// faultSpec says how often a fault occurs and how long it lasts.
type faultSpec struct {
	fault       Fault
	weight      int           // relative frequency of the fault
	least, most time.Duration // range of its duration
	// excuses reports whether an interaction may stay without an answer during the fault, because of Discord or because no bot is
	// running.
	excuses bool
	needs   []need
}

// faultSpecs lists all planned faults, in a fixed order. Kill and Stop last until the restart.
func faultSpecs() []faultSpec {
	const ms = time.Millisecond
	return []faultSpec{
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
	}
}

// Faults returns all faults that a run can plan.
func Faults() []Fault {
	var all []Fault
	for _, h := range faultSpecs() {
		all = append(all, h.fault)
	}
	return all
}

// ParseFaults parses "all", "none", or names separated by commas.
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

// excuses reports whether an interaction may stay without an answer during the fault.
func (f Fault) excuses() bool {
	return f == Unheard || slices.ContainsFunc(faultSpecs(), func(h faultSpec) bool { return h.fault == f && h.excuses })
}

// impossible returns the faults that are not possible in a setup, and why.
func impossible(in Setup) map[Fault]string {
	why := map[Fault]string{}
	for _, h := range faultSpecs() {
		for _, n := range h.needs {
			if !in.has(n) {
				why[h.fault] = string(n)
				break
			}
		}
	}
	return why
}

// Planned is a fault of a plan.
type Planned struct {
	Fault Fault         `json:"fault"`
	From  time.Duration `json:"from_ns"` // since the start of the run
	For   time.Duration `json:"for_ns"`
	// Strength is from 0 to 99. Its meaning depends on the fault: a delay, a status, or a replica.
	Strength int `json:"strength"`
}

// Plan returns all faults of a run in the order in which they begin. It is deterministic: the same seed, duration and faults give the
// same plan. The first fault begins after a second or more. Faults come in bursts with pauses between them, and may overlap.
func Plan(seed uint64, duration time.Duration, faults []Fault) []Planned {
	random := rand.New(rand.NewPCG(seed, 0x736f616b))
	var some []faultSpec
	total := 0
	for _, h := range faultSpecs() {
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
			lasts = 10 * time.Second // the longest lock of the database that the bot promises to tolerate
		}
		plan = append(plan, Planned{h.fault, at, lasts, random.IntN(100)})
	}
}
