module arikawabot

go 1.26.0

require github.com/diamondburned/arikawa/v3 v3.3.6

require (
	github.com/gorilla/schema v1.3.0 // indirect
	github.com/gorilla/websocket v1.5.1 // indirect
	golang.org/x/net v0.24.0 // indirect
	golang.org/x/time v0.5.0 // indirect
)
