package sqlite

import "tictactoe/store/internal/column"

// instant is a time as a column.
type instant = column.Time
