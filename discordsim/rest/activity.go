package rest

import "tictactoe/discordsim/check"

var activityRoutes = []route{
	{pattern: "GET /applications/{app}/activity-instances/{instance}", serve: activityGet, limit: someLookUps},
}

func activityGet(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		if c.PathValue("app") != c.App {
			return check.ErrForeign
		}
		found := c.w.Interactions.Activity(c.App, c.PathValue("instance"))
		if found == nil {
			return check.ErrNoRoute
		}
		a = ok(found)
		return nil
	})
	return a, err
}
