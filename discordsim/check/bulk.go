package check

import "fmt"

// BulkDelete checks the ids of messages to delete in bulk.
func (c *Checker) BulkDelete(body []byte) *Error { return c.check(BulkDelete, body, false) }

func bulkDelete(v value) {
	if !v.object() {
		return
	}
	seen := map[string]bool{}
	messages := v.required("messages")
	for _, id := range messages.list(2, 100) {
		id.snowflake()
		if text := fmt.Sprint(id.data); seen[text] {
			messages.refuse("SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value")
			return
		}
		seen[fmt.Sprint(id.data)] = true
	}
}
