package bot

// Decode reads the data of an INTERACTION_CREATE.
var Decode = decode

// Room changes how many handlers run at once, and how many more interactions may be under way.
func (l *Limits) Room(workers, queue int) { l.workers, l.queue = workers, queue }
