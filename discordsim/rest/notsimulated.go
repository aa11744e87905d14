package rest

import (
	_ "embed"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tictactoe/discordsim/check"
)

// codeNotSimulated is the error code for a feature of Discord that is not simulated.
// Discord has no such code: its codes are 0 or have at least five digits.
const codeNotSimulated = http.StatusNotImplemented

// absentError is the error for a feature of Discord that is not simulated.
type absentError struct{ feature string }

func (e *absentError) Error() string { return "not simulated: " + e.feature }

// answer returns the error in the form of Discord's errors.
func (e *absentError) answer() answer {
	return answer{http.StatusNotImplemented, &check.Error{
		Status: http.StatusNotImplemented, Code: codeNotSimulated,
		Message: "This simulator does not have what Discord has here: " + e.feature,
	}}
}

// discordRoutes are the routes of Discord's API, one per line, as listed by its
// OpenAPI description, sorted by path. Routes with @original are omitted, since
// @original stands for the id of a message.
//
//go:embed discord-routes.txt
var discordRoutes string

// catalogue distinguishes routes of Discord that are not simulated from routes
// that do not exist. It does not use http.ServeMux, since Discord has pairs of
// routes neither of which is more specific than the other.
type catalogue struct {
	routes map[string][]*known // by method and number of segments, the preferred first
	served map[string]bool     // the simulated routes, by the shape of their patterns
}

// known is a route of Discord's API.
type known struct {
	pattern  string
	segments []string // "{}" for a parameter
}

func newCatalogue(served []route) catalogue {
	c := catalogue{map[string][]*known{}, map[string]bool{}}
	for line := range strings.Lines(discordRoutes) {
		pattern := strings.TrimSpace(line)
		method, path, _ := strings.Cut(shape(pattern), " ")
		segments := strings.Split(path, "/")
		key := routeKey(method, segments)
		c.routes[key] = append(c.routes[key], &known{pattern, segments})
	}
	for _, routes := range c.routes {
		// Literal segments sort before parameters, since "{" sorts after the
		// characters of literals.
		slices.SortFunc(routes, func(a, b *known) int { return slices.Compare(a.segments, b.segments) })
	}
	for _, r := range served {
		c.served[shape(r.pattern)] = true
	}
	return c
}

func routeKey(method string, segments []string) string {
	return method + strconv.Itoa(len(segments))
}

// find returns the pattern of Discord's route for a method and a path, or "".
func (c catalogue) find(method, path string) (pattern string) {
	segments := strings.Split(path, "/")
	for _, k := range c.routes[routeKey(method, segments)] {
		if k.matches(segments) {
			return k.pattern
		}
	}
	return ""
}

func (k *known) matches(path []string) bool {
	for i, segment := range k.segments {
		if segment != path[i] && (segment != "{}" || path[i] == "") {
			return false
		}
	}
	return true
}

// absent returns the route of a request if Discord has that route and the simulator does not.
func (c catalogue) absent(r *http.Request) (pattern string, is bool) {
	pattern = c.find(r.Method, r.URL.Path)
	return pattern, pattern != "" && !c.served[shape(pattern)]
}

var parameter = regexp.MustCompile(`\{\w+\}`)

// shape returns a pattern without the names of its parameters.
func shape(pattern string) string { return parameter.ReplaceAllString(pattern, "{}") }
