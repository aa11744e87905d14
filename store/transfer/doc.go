// Package transfer copies all that a database holds into an empty one of any kind, and compares the two row by row.
//
// What is copied is found in the schemas: every column of the tables in [copied]. A table or a column that only one of the
// two has, and that is not named as left out, stops a copy before it begins, and a test long before that.
//
// Rows go over in the order of their keys, table by table, and nothing else writes meanwhile. So the numbers of rows tell
// how far a copy that was interrupted has come, and it goes on there.
package transfer
