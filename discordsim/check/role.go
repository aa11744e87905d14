package check

import (
	"fmt"
	"time"
)

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
	snowflakeSet(v.member("roles"), maxMemberRoles)
	if until, ok := v.member("communication_disabled_until").anyText(); ok {
		if _, err := time.Parse(time.RFC3339, until); err != nil {
			v.member("communication_disabled_until").refuse("DATE_TIME_TYPE_PARSE", "Could not parse %s. Should be ISO8601.", until)
		}
	}
	v.member("mute").flag()
	v.member("deaf").flag()
}

// BanCreate checks a ban of a user.
func (c *Checker) BanCreate(body []byte) *Error { return c.check(BanCreate, body, false) }

// BulkBan checks a ban of several users.
func (c *Checker) BulkBan(body []byte) *Error { return c.check(BulkBan, body, false) }

// snowflakeSet checks a list of distinct ids.
func snowflakeSet(v value, most int) {
	seen := map[string]bool{}
	for _, id := range v.list(0, most) {
		id.snowflake()
		if text := fmt.Sprint(id.data); seen[text] {
			v.refuse("SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value")
			return
		}
		seen[fmt.Sprint(id.data)] = true
	}
}

func banCreate(v value) {
	if v.object() {
		v.member("delete_message_seconds").whole(0, maxForgotten)
		v.member("delete_message_days").whole(0, maxForgotten/86400)
	}
}

func bulkBan(v value) {
	if !v.object() {
		return
	}
	snowflakeSet(v.required("user_ids"), maxBulkBan)
	v.member("delete_message_seconds").whole(0, maxForgotten)
}
