package bot

// Decode reads the data of an INTERACTION_CREATE.
var Decode = decode

// Room sets how many handlers may run at once, and how many more interactions may be open.
func (l *Limits) Room(workers, queue int) { l.workers, l.queue = workers, queue }
