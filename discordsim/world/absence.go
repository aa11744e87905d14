package world

// Absence is an unsimulated feature that a bot requested, with the number of requests.
type Absence struct {
	What  string `json:"what"`
	Times int    `json:"times"`
}

// NoteAbsence records in the log and in the overview that a bot requested an
// unsimulated feature. It takes the lock.
func (w *World) NoteAbsence(app, feature string) {
	w.Config.Logger.Warn("a bot requested an unsimulated feature", "what", feature, "application", app)
	if app == "" {
		return
	}
	w.Lock()
	defer w.Unlock()
	for i, a := range w.absences[app] {
		if a.What == feature {
			w.absences[app][i].Times++
			return
		}
	}
	w.absences[app] = append(w.absences[app], Absence{feature, 1})
	w.Events.PublishState()
}

// Absences returns the unsimulated features that a bot requested.
func (w *World) Absences(app string) []Absence { return w.absences[app] }
