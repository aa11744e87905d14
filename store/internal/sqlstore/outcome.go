package sqlstore

import "fmt"

// Outcome is what comes of a statement.
type Outcome struct {
	format string // names with args what was to be done; formatted only for an error
	args   []any
	nobody error // the error if no row was changed; nil if that is no error
}

// Named is an outcome whose error says what was to be done.
func Named(format string, args ...any) Outcome { return Outcome{format: format, args: args} }

// Or is the outcome of a statement that has to change a row: if it changes none, that is the error.
func (o Outcome) Or(nobody error) Outcome {
	o.nobody = nobody
	return o
}

// MustChange reports whether the statement has to change a row.
func (o Outcome) MustChange() bool { return o.nobody != nil }

// Of is the error after a statement that has changed that many rows.
func (o Outcome) Of(changed int, err error) error {
	if err == nil && changed == 0 {
		err = o.nobody
	}
	return o.Wrap(err)
}

// Wrap says what was to be done when an error came up; nil if there is none.
func (o Outcome) Wrap(err error) error {
	if err != nil {
		err = fmt.Errorf("%s: %w", fmt.Sprintf(o.format, o.args...), err)
	}
	return err
}
