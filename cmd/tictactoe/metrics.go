package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"tictactoe/bot"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/replica/claim"
	"tictactoe/internal/show/emoji"
)

// metrics are the Prometheus metrics of an app. docs/operating.md explains each.
type metrics struct {
	registry     *prometheus.Registry
	interactions *prometheus.CounterVec
	refusals     *prometheus.CounterVec
	answer       *prometheus.HistogramVec
	connections  *prometheus.CounterVec
	database     *prometheus.HistogramVec
	rated        prometheus.Counter
	paired       prometheus.Counter
	champions    *prometheus.CounterVec
	posts        *prometheus.CounterVec
	roles        *prometheus.CounterVec
	backups      *prometheus.GaugeVec
}

func newMetrics() *metrics {
	registry := prometheus.NewRegistry()
	made := promauto.With(registry)
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	made.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "tictactoe_build_info", Help: "Always 1; the version, the commit and its date are in the labels.",
		ConstLabels: prometheus.Labels{"version": version(), "commit": setting("vcs.revision"), "date": setting("vcs.time")},
	}, func() float64 { return 1 })
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return made.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	return &metrics{
		registry:     registry,
		interactions: counter("tictactoe_interactions_total", "Interactions by what they were and how they went.", "kind", "outcome"),
		refusals:     counter("tictactoe_refusals_total", "Requests that were turned down, by why.", "reason"),
		answer: made.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "tictactoe_answer_seconds",
			Help:    "From an interaction's arrival until Discord had taken the first answer; first says if that was the reply or an acknowledgement.",
			Buckets: []float64{.005, .01, .02, .05, .1, .2, .5, 1, 1.5, 2, 2.5, 3, 5},
		}, []string{"first"}),
		connections: counter("tictactoe_gateway_connections_total", "Gateway connections that were made or resumed, by shard.", "shard"),
		database: made.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "tictactoe_database_seconds",
			Help:    "Time of database operations, waiting for others included.",
			Buckets: []float64{.0001, .0002, .0005, .001, .002, .005, .01, .02, .05, .1, .25, 1, 5},
		}, []string{"operation", "result"}),
		rated: made.NewCounter(prometheus.CounterOpts{
			Name: "tictactoe_matches_rated_total", Help: "Matches that have ended and changed the ratings of their players.",
		}),
		paired: made.NewCounter(prometheus.CounterOpts{
			Name: "tictactoe_arena_matches_total", Help: "Matches that arenas have begun.",
		}),
		champions: counter("tictactoe_seasons_announced_total", "Seasons that were over, by what became of the post of their champions.", "outcome"),
		posts:     counter("tictactoe_calendar_posts_total", "Posts of daily puzzles and of leaderboards, by what became of them.", "kind", "outcome"),
		roles:     counter("tictactoe_rank_roles_total", "Changes of roles for ranks, by what became of them.", "outcome"),
		backups: made.NewGaugeVec(prometheus.GaugeOpts{
			Name: "tictactoe_backup_timestamp_seconds", Help: "When the latest daily backup was made, and when one last failed.",
		}, []string{"outcome"}),
	}
}

// watch adds the metrics that are computed at each scrape. While the database does not answer, metrics that need it are missing, not wrong.
func (m *metrics) watch(state func() bot.State, ready func(context.Context) (string, bool), db database, drawn *emoji.Uploader) {
	m.registry.MustRegister(lookUp(func(to chan<- prometheus.Metric) {
		gauge := func(name, help string, value float64) {
			to <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, nil, nil), prometheus.GaugeValue, value)
		}
		_, isReady := ready(context.Background())
		gauge("tictactoe_ready", "Whether /readyz answers 200: 1 or 0.", oneIf(isReady))
		s := state()
		gauge("tictactoe_shards", "How many shards the bot has in all of its processes; 0 while that is not known.", float64(s.Of))
		gauge("tictactoe_interactions_under_way", "Interactions accepted and not yet handled to the end.", float64(s.UnderWay))
		gauge("tictactoe_interactions_turned_away", "People who are being told that the bot is busy.", float64(s.TurnedAway))
		gauge("tictactoe_rest_refused_recently", "Requests that Discord refused in the last ten minutes; at 10000 it would ban the address.", float64(s.Refused))
		connected := prometheus.NewDesc("tictactoe_gateway_connected",
			"Whether interactions are delivered: 1 or 0, for each shard of this process.", []string{"shard"}, nil)
		for id, is := range s.Shards {
			to <- prometheus.MustNewConstMetric(connected, prometheus.GaugeValue, oneIf(is), strconv.Itoa(id))
		}
		if drawn.Known != nil {
			have, want := drawn.Known.Count()
			gauge("tictactoe_emoji", "Emoji of the boards that are at Discord; a board uses Unicode until all of its own are.", float64(have))
			gauge("tictactoe_emoji_wanted", "Emoji that the boards need.", float64(want))
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		matches, challenges, err := db.CountOpen(ctx)
		stale := 0
		if err == nil {
			stale, err = db.CountReplays(ctx)
		}
		if err != nil {
			to <- prometheus.NewInvalidMetric(prometheus.NewInvalidDesc(err), fmt.Errorf("ask the database: %w", err))
			return
		}
		gauge("tictactoe_matches_open", "Matches that are being played.", float64(matches))
		gauge("tictactoe_challenges_pending", "Challenges that nobody has answered yet.", float64(challenges))
		gauge("tictactoe_ladders_stale", "Ladders that are being worked out again.", float64(stale))
	}))
}

// lookUp is a Prometheus collector that computes its metrics at each scrape. It does not describe them beforehand, because the shards are
// not known then.
type lookUp func(to chan<- prometheus.Metric)

// Describe implements prometheus.Collector. It describes nothing.
func (lookUp) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (collect lookUp) Collect(to chan<- prometheus.Metric) { collect(to) }

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// report counts an interaction by its route. All interactions without a route count as "other", because clients could send any
// number of different custom_ids.
func (m *metrics) report(r bot.Report) {
	m.interactions.WithLabelValues(cmp.Or(r.Route, "other"), string(r.Outcome)).Inc()
	if r.Refusal != "" {
		m.refusals.WithLabelValues(r.Refusal).Inc()
	}
	if r.FirstAnswer == 0 {
		return
	}
	first := "reply"
	if r.Deferred {
		first = "acknowledgement"
	}
	m.answer.WithLabelValues(first).Observe(r.FirstAnswer.Seconds())
}

// countSave counts the matches that a save has ended, and that changed ratings.
func (m *metrics) countSave(saved match.Save) {
	for _, c := range saved.Matches {
		if !c.From.Result.Over() && ladder.Counts(c.To) {
			m.rated.Inc()
		}
	}
}

// counting returns a function that counts outcomes, and makes the counters of the known ones start with 0. The outcome is the last label.
func counting[O ~string](c *prometheus.CounterVec, known []O, labels ...string) func(O) {
	of := func(o O) prometheus.Counter {
		return c.WithLabelValues(append(labels[:len(labels):len(labels)], string(o))...)
	}
	for _, o := range known {
		of(o)
	}
	return func(o O) { of(o).Inc() }
}

// backup counts a daily backup by its outcome, "made" or "failed", and records when it was made.
func (m *metrics) backup(outcome string, at time.Time) {
	m.backups.WithLabelValues(outcome).Set(float64(at.Unix()))
}

// query records the duration of a database operation that began at start, and whether it failed.
func (m *metrics) query(operation string, start time.Time, err error) {
	result := "ok"
	_, refused := errors.AsType[*match.Refusal](err)
	switch {
	case err == nil, errors.Is(err, match.ErrNotFound):
	case errors.Is(err, match.ErrBusy):
		result = "busy"
	case errors.Is(err, match.ErrConflict):
		result = "conflict"
	case refused, errors.Is(err, match.ErrExists), errors.Is(err, claim.ErrTaken), errors.Is(err, board.ErrMoved):
		result = "refused"
	default:
		result = "error"
	}
	m.database.WithLabelValues(operation, result).Observe(time.Since(start).Seconds())
}
