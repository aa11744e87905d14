package sqlite

import "tictactoe/store/internal/column"

// UnreadableError says that a stored match or challenge makes no sense, which only another program can have brought about.
type UnreadableError = column.UnreadableError
