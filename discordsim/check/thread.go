package check

// ThreadCreate checks a new thread.
func (c *Checker) ThreadCreate(body []byte) *Error { return c.check(ThreadCreate, body, false) }

// ThreadEdit checks a change of a thread.
func (c *Checker) ThreadEdit(body []byte) *Error { return c.check(ThreadEdit, body, false) }

func threadCreate(v value) {
	if v.object() {
		v.required("name")
		v.member("type").choice(10, 11, 12)
		thread(v)
	}
}

func threadEdit(v value) {
	if v.object() {
		v.member("archived").flag()
		v.member("locked").flag()
		thread(v)
	}
}

// thread checks the members that new and changed threads share.
func thread(v value) {
	name := v.member("name")
	name.notBlank(name.text(1, 100))
	v.member("auto_archive_duration").choice(60, 1440, 4320, 10080)
	v.member("rate_limit_per_user").whole(0, 21600)
}
