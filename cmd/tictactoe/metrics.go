package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"tictactoe/bot"
	"tictactoe/internal/match"
)

// metrics are what an operator can see of an app, by Prometheus' names. docs/operating.md explains each.
type metrics struct {
	registry     *prometheus.Registry
	interactions *prometheus.CounterVec
	refusals     *prometheus.CounterVec
	answer       *prometheus.HistogramVec
	connections  *prometheus.CounterVec
	database     *prometheus.HistogramVec
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		interactions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tictactoe_interactions_total", Help: "Interactions by what they were and how they went.",
		}, []string{"kind", "outcome"}),
		refusals: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tictactoe_refusals_total", Help: "Requests that were turned down, by why.",
		}, []string{"reason"}),
		answer: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "tictactoe_answer_seconds",
			Help:    "From an interaction's arrival until Discord had taken the first answer; first says if that was the reply or an acknowledgement.",
			Buckets: []float64{.005, .01, .02, .05, .1, .2, .5, 1, 1.5, 2, 2.5, 3, 5},
		}, []string{"first"}),
		connections: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tictactoe_gateway_connections_total", Help: "Gateway connections that were made or resumed, by shard.",
		}, []string{"shard"}),
		database: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "tictactoe_database_seconds",
			Help:    "Time of database operations, waiting for others included.",
			Buckets: []float64{.0001, .0002, .0005, .001, .002, .005, .01, .02, .05, .1, .25, 1, 5},
		}, []string{"operation", "result"}),
	}
	m.registry.MustRegister(m.interactions, m.refusals, m.answer, m.connections, m.database,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "tictactoe_build_info", Help: "Always 1; the version is in the label.",
			ConstLabels: prometheus.Labels{"version": version()},
		}, func() float64 { return 1 }))
	return m
}

// watch adds what is asked for when somebody looks.
func (m *metrics) watch(state func() bot.State, ready func(context.Context) (string, bool), open func(context.Context) (matches, challenges int, err error)) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "tictactoe_ready", Help: "Whether /readyz answers 200: 1 or 0.",
	}, func() float64 {
		if _, ok := ready(context.Background()); ok {
			return 1
		}
		return 0
	}))
	for _, gauge := range []struct {
		name, help string
		value      func(bot.State) float64
	}{
		{"tictactoe_shards", "How many shards the bot has in all of its processes; 0 while that is not known.", func(s bot.State) float64 { return float64(s.Of) }},
		{"tictactoe_interactions_under_way", "Interactions accepted and not yet handled to the end.", func(s bot.State) float64 { return float64(s.UnderWay) }},
		{"tictactoe_interactions_turned_away", "People who are being told that the bot is busy.", func(s bot.State) float64 { return float64(s.TurnedAway) }},
		{"tictactoe_rest_refused_recently", "Requests that Discord refused in the last ten minutes; at 10000 it would ban the address.", func(s bot.State) float64 { return float64(s.Refused) }},
	} {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: gauge.name, Help: gauge.help}, func() float64 {
			return gauge.value(state())
		}))
	}
	m.registry.MustRegister(openCollector{open: open}, shardCollector{state: state})
}

// shardCollector tells of each shard that this process runs.
type shardCollector struct{ state func() bot.State }

var shardConnected = prometheus.NewDesc("tictactoe_gateway_connected",
	"Whether interactions are delivered: 1 or 0, for each shard of this process.", []string{"shard"}, nil)

// Describe implements prometheus.Collector.
func (shardCollector) Describe(to chan<- *prometheus.Desc) { to <- shardConnected }

// Collect implements prometheus.Collector.
func (c shardCollector) Collect(to chan<- prometheus.Metric) {
	for id, connected := range c.state().Shards {
		value := 0.0
		if connected {
			value = 1
		}
		to <- prometheus.MustNewConstMetric(shardConnected, prometheus.GaugeValue, value, strconv.Itoa(id))
	}
}

// openCollector counts in the database; when that does not answer, the metrics are missing rather than wrong.
type openCollector struct {
	open func(context.Context) (matches, challenges int, err error)
}

var (
	openMatches = prometheus.NewDesc("tictactoe_matches_open", "Matches that are being played.", nil, nil)
	openPending = prometheus.NewDesc("tictactoe_challenges_pending", "Challenges that nobody has answered yet.", nil, nil)
)

// Describe implements prometheus.Collector.
func (openCollector) Describe(to chan<- *prometheus.Desc) { to <- openMatches; to <- openPending }

// Collect implements prometheus.Collector.
func (c openCollector) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	matches, challenges, err := c.open(ctx)
	if err != nil {
		to <- prometheus.NewInvalidMetric(openMatches, fmt.Errorf("ask the database: %w", err))
		return
	}
	to <- prometheus.MustNewConstMetric(openMatches, prometheus.GaugeValue, float64(matches))
	to <- prometheus.MustNewConstMetric(openPending, prometheus.GaugeValue, float64(challenges))
}

// report counts an interaction. Its kinds are those that are routed: what else somebody may send has none.
func (m *metrics) report(r bot.Report) {
	kind := r.Route
	if kind == "" {
		kind = "other"
	}
	m.interactions.WithLabelValues(kind, string(r.Outcome)).Inc()
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

// query notes how long the database took.
func (m *metrics) query(operation string, start time.Time, err error) {
	result := "ok"
	switch {
	case err == nil, errors.Is(err, match.ErrNotFound):
	case errors.Is(err, match.ErrBusy):
		result = "busy"
	case errors.Is(err, match.ErrConflict):
		result = "conflict"
	default:
		result = "error"
	}
	m.database.WithLabelValues(operation, result).Observe(time.Since(start).Seconds())
}
