package sqlite

// OpenWith is Open with other migrations than the program's.
var OpenWith = open
