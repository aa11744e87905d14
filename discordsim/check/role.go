package check

import "fmt"

// RoleEdit checks a new or changed role.
func (c *Checker) RoleEdit(body []byte) *Error { return c.check(RoleEdit, body, false) }

// RolesMove checks a change of the order of roles.
func (c *Checker) RolesMove(body []byte) *Error { return c.check(RolesMove, body, false) }

func rolesMove(v value) {
	for _, role := range v.list(0, maxListedRoles) {
		if role.object() {
			role.required("id").snowflake()
			role.member("position").whole(0, maxListedRoles)
		}
	}
}

// MemberEdit checks a change of a member of a server.
func (c *Checker) MemberEdit(body []byte) *Error { return c.check(MemberEdit, body, false) }

func role(v value) {
	if !v.object() {
		return
	}
	v.member("name").text(1, maxRoleName)
	permissions(v.member("permissions"))
	v.member("color").whole(0, maxColor)
	if colours := v.member("colors"); colours.object() {
		for _, key := range []string{"primary_color", "secondary_color", "tertiary_color"} {
			colours.member(key).whole(0, maxColor)
		}
	}
	v.member("hoist").flag()
	v.member("mentionable").flag()
	v.member("icon").anyText()
	v.member("unicode_emoji").text(0, maxRoleName)
}

func memberEdit(v value) {
	if !v.object() {
		return
	}
	v.member("nick").text(0, MaxNick)
	seen := map[string]bool{}
	roles := v.member("roles")
	for _, id := range roles.list(0, maxMemberRoles) {
		id.snowflake()
		if text := fmt.Sprint(id.data); seen[text] {
			roles.refuse("SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value")
			return
		}
		seen[fmt.Sprint(id.data)] = true
	}
	v.member("mute").flag()
	v.member("deaf").flag()
}
