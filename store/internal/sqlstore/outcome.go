package sqlstore

import "fmt"

// Outcome turns the result of a statement into an error.
type Outcome struct {
	format string // names, with args, the action of the statement; formatted only for an error
	args   []any
	nobody error // the error if the statement changes no row; nil if that is not an error
}

// Named returns an outcome whose errors name the action.
func Named(format string, args ...any) Outcome { return Outcome{format: format, args: args} }

// Or returns the outcome of a statement that has to change a row: nobody is the error if it changes no row.
func (o Outcome) Or(nobody error) Outcome {
	o.nobody = nobody
	return o
}

// MustChange reports whether the statement has to change a row.
func (o Outcome) MustChange() bool { return o.nobody != nil }

// Of returns the error of a statement that has changed the given number of rows.
func (o Outcome) Of(changed int, err error) error {
	if err == nil && changed == 0 {
		err = o.nobody
	}
	return o.Wrap(err)
}

// Wrap adds the name of the action to an error. It returns nil for nil.
func (o Outcome) Wrap(err error) error {
	if err != nil {
		err = fmt.Errorf("%s: %w", fmt.Sprintf(o.format, o.args...), err)
	}
	return err
}
