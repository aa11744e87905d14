package page_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// This file has the part of the fake for makers: permissions, faults, the transcript, autocomplete.

// place is a channel of a server.
type place struct {
	id, name, guild string
	overwrites      []overwrite
}

// overwrite is a permission overwrite. Its id is a guild's id for everyone, or a member's id.
type overwrite struct {
	id          string
	allow, deny uint64
}

// member is a membership of the server that exists from the start.
type member struct {
	user, nick  string
	permissions uint64
}

var permissionBits = map[string]uint64{
	"MANAGE_GUILD": 1 << 5, "VIEW_CHANNEL": 1 << 10, "SEND_MESSAGES": 1 << 11, "MANAGE_MESSAGES": 1 << 13, "EMBED_LINKS": 1 << 14,
	"READ_MESSAGE_HISTORY": 1 << 16, "USE_APPLICATION_COMMANDS": 1 << 31, "USE_EXTERNAL_APPS": 1 << 50,
}

const allPermissions = (1<<53 - 1) &^ (1 << 3) // all except ADMINISTRATOR, which overrides the others

func bitsOf(names any) (bits uint64) {
	list, _ := names.([]any)
	for _, name := range list {
		n, _ := strconv.ParseUint(name.(string), 10, 64)
		bits |= permissionBits[name.(string)] | n
	}
	return bits
}

// may returns the permissions of a user in a place.
func (p *place) may(user string) uint64 {
	bits := uint64(allPermissions)
	for _, id := range []string{p.guild, user} {
		for _, o := range p.overwrites {
			if o.id == id {
				bits = bits&^o.deny | o.allow
			}
		}
	}
	return bits
}

func (p *place) object(viewer string) object {
	overwrites := []object{}
	for _, o := range p.overwrites {
		overwrites = append(overwrites, object{"id": o.id, "type": 1, "allow": strconv.FormatUint(o.allow, 10), "deny": strconv.FormatUint(o.deny, 10)})
	}
	return object{"id": p.id, "name": p.name, "type": 0, "guild_id": p.guild, "overwrites": overwrites, "permissions": strconv.FormatUint(p.may(viewer), 10)}
}

// enrich adds the servers, channels and members that makers have changed to the overview.
func (f *fake) enrich(state object, as string) {
	viewer, _ := f.user(as)["id"].(string)
	places := []object{}
	for _, p := range f.places {
		if viewer == "" || p.may(viewer)&permissionBits["VIEW_CHANNEL"] != 0 {
			places = append(places, p.object(viewer))
		}
	}
	state["channels"] = append(places, state["channels"].([]object)[1:]...)
	members := []object{}
	for _, m := range f.members {
		members = append(members, object{"user": m.user, "nick": m.nick, "permissions": strconv.FormatUint(m.permissions, 10)})
	}
	guilds := state["guilds"].([]object)
	guilds[0]["members"] = members
	for _, g := range f.guilds {
		g["members"] = members
	}
	state["guilds"] = append(guilds, f.guilds...)
}

// making answers the calls that only makers use; known reports whether the call is one of them.
func (f *fake) making(r *http.Request, in object) (status int, out any, known bool) {
	path := strings.Split(strings.TrimPrefix(r.URL.Path, "/sim/"), "/")
	route := r.Method + " " + path[0]
	if len(path) > 2 {
		route += " " + path[2]
	}
	status, out, known = 200, any(object{}), true
	switch route {
	case "GET faults":
		out = object{"all": f.faults, "bots": object{}}
	case "PUT faults":
		f.faults = in["faults"].(object)
		f.send("faults", object{}, "")
	case "PUT applications endpoint":
		f.endpoint = in["url"].(string)
		f.send("state", object{}, "")
	case "POST gateway":
		out = object{"connections": 1}
	case "GET transcript":
		out = f.transcript(r.URL.Query().Get("message"), r.URL.Query().Get("interaction"))
	case "POST autocomplete":
		options := in["options"].(object)
		choices := []object{}
		typed, _ := options[in["focused"].(string)].(string)
		if typed == "fail" {
			return 200, object{"interaction": f.id(), "status": "timeout", "choices": nil, "error": nil}, true
		}
		for _, name := range []string{"Alpha", "Beta", "Betamax"} {
			if strings.Contains(strings.ToLower(name), typed) {
				choices = append(choices, object{"name": name, "value": "v-" + strings.ToLower(name)})
			}
		}
		out = object{"interaction": f.id(), "status": "answered", "choices": choices, "error": nil}
	case "POST channels":
		p := &place{id: f.id(), name: in["name"].(string), guild: in["guild"].(string)}
		f.places = append(f.places, p)
		out = p.object("")
		f.send("state", object{}, "")
	case "PUT channels overwrites":
		p := f.places[slices.IndexFunc(f.places, func(p *place) bool { return p.id == path[1] })]
		of := in["of"].(string)
		if of == "everyone" {
			of = p.guild
		}
		p.overwrites = slices.DeleteFunc(p.overwrites, func(o overwrite) bool { return o.id == of })
		p.overwrites = append(p.overwrites, overwrite{of, bitsOf(in["allow"]), bitsOf(in["deny"])})
		f.send("state", object{}, "")
	case "PATCH users":
		user := f.user(path[1])
		for key, value := range in {
			user[key] = value
		}
		f.send("state", object{}, "")
	case "PUT guilds members":
		for _, m := range f.members {
			if m.user == path[3] {
				m.permissions = bitsOf(in["permissions"])
			}
		}
	case "DELETE guilds members":
		f.members = slices.DeleteFunc(f.members, func(m *member) bool { return m.user == path[3] })
		f.send("state", object{}, "")
	case "POST guilds":
		id := f.id()
		f.guilds = append(f.guilds, object{"id": id, "name": in["name"], "locale": "en-US", "roles": []object{}})
		for _, name := range in["channels"].([]any) {
			f.places = append(f.places, &place{id: f.id(), name: name.(string), guild: id})
		}
		out = object{"id": id}
	case "POST delete":
		f.messages = slices.DeleteFunc(f.messages, func(m *posted) bool { return m.body["id"] == in["message"] })
		f.send("delete", object{"channel": fakeGeneral, "message": in["message"]}, "")
	default:
		known = false
	}
	return status, out, known
}

// lines is a response with one JSON object in each line.
type lines []object

func (f *fake) transcript(message, interaction string) lines {
	at := f.now().Format("2006-01-02T15:04:05.000Z07:00")
	all := lines{
		{"at": at, "kind": "gateway", "direction": "bot", "op": 1},
		{"at": at, "kind": "gateway", "direction": "sim", "op": 0, "t": "INTERACTION_CREATE", "s": 7, "interaction": "1", "body": object{"data": object{"name": "tictactoe"}}},
		{"at": at, "kind": "rest", "direction": "bot", "method": "POST", "path": "/interactions/1/…/callback", "status": 204, "ms": 3, "interaction": "1", "message": "1001", "body": object{"type": 4, "told": hostile}},
	}
	for _, a := range f.absent {
		all = append(all, object{"at": at, "kind": "rest", "direction": "sim", "method": "PUT", "path": "/channels/1/pins/2", "status": 501, "ms": 1, "not_simulated": a["what"]})
	}
	return slices.DeleteFunc(all, func(l object) bool {
		return message != "" && l["message"] != message || interaction != "" && l["interaction"] != interaction
	})
}

func (l lines) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	for _, line := range l {
		text, _ := json.Marshal(line)
		fmt.Fprintf(w, "%s\n", text)
	}
}

// settle tells every stream that an interaction is over.
func (f *fake) settle(as, message, status string, ms int) {
	id := f.id()
	for _, event := range []object{{"status": "pending"}, {"status": status, "ms": ms}} {
		event["interaction"], event["as"], event["message"] = id, as, message
		f.send("interaction", event, "")
	}
}
