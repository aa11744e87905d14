package rest

import "tictactoe/discordsim/world"

// The styles of buttons that send no interaction: a link button opens a URL, a
// premium button sells a SKU.
const (
	buttonLink    = 5
	buttonPremium = 6
)

// number gives an id to every component without one.
func number(components []world.Component) {
	taken := map[int]bool{}
	world.WalkComponents(components, func(c *world.Component) { taken[c.ID] = true })
	next := 1
	world.WalkComponents(components, func(c *world.Component) {
		if c.ID != 0 {
			return
		}
		for taken[next] {
			next++
		}
		c.ID = next
		next++
	})
}
