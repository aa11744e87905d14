package check

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// explain reduces a violation of a schema to the errors in the body. In a union it follows only the intended branch: a button
// with an invalid label also violates the schemas of all selects, which is irrelevant.
func explain(v *jsonschema.ValidationError) []*jsonschema.ValidationError {
	switch v.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
		var meant []*jsonschema.ValidationError
		for _, branch := range v.Causes {
			leaves := explain(branch)
			if isAnother(leaves, v.InstanceLocation) {
				continue
			}
			if meant == nil || len(leaves) < len(meant) {
				meant = leaves
			}
		}
		if meant == nil {
			return []*jsonschema.ValidationError{v}
		}
		return meant
	}
	if len(v.Causes) == 0 {
		return []*jsonschema.ValidationError{v}
	}
	var leaves []*jsonschema.ValidationError
	for _, cause := range v.Causes {
		leaves = append(leaves, explain(cause)...)
	}
	return leaves
}

// isAnother reports whether a branch of a union is for another kind of value, because the branch does not allow the
// value or the value's member "type".
func isAnother(leaves []*jsonschema.ValidationError, at []string) bool {
	ownType := append(slices.Clone(at), "type")
	return slices.ContainsFunc(leaves, func(leaf *jsonschema.ValidationError) bool {
		switch leaf.ErrorKind.(type) {
		case *kind.Type, *kind.Const, *kind.Enum, *kind.OneOf:
			return slices.Equal(leaf.InstanceLocation, at) || slices.Equal(leaf.InstanceLocation, ownType)
		}
		return false
	})
}

// addViolation adds a violation in Discord's wording.
func (r *report) addViolation(v *jsonschema.ValidationError) {
	at := v.InstanceLocation
	refuse := func(code, format string, args ...any) {
		r.add(at, fault{Code: code, Message: fmt.Sprintf(format, args...)})
	}
	switch k := v.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			r.add(append(slices.Clone(at), name), fault{Code: required, Message: "This field is required"})
		}
	case *kind.MaxLength:
		refuse(maxLength, "Must be %d or fewer in length.", k.Want)
	case *kind.MaxItems:
		refuse(maxLength, "Must be %d or fewer in length.", k.Want)
	case *kind.MinLength:
		refuse(badLength, "Must be %d or more in length.", k.Want)
	case *kind.MinItems:
		refuse(badLength, "Must be %d or more in length.", k.Want)
	case *kind.Minimum:
		refuse(numberTooSmall, "Value should be greater than or equal to %s.", decimal(k.Want))
	case *kind.Maximum:
		refuse(numberTooLarge, "Value should be less than or equal to %s.", decimal(k.Want))
	case *kind.Pattern:
		refuse("STRING_TYPE_REGEX", "String value did not match validation regex.")
	case *kind.Type:
		refuse(wrongType(k.Want), "Value is not of type %s.", k.Want)
	default:
		refuse(notAChoice, "Value is not one of those allowed here.")
	}
}

func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return r.FloatString(6)
}

// wrongType returns the error code for a value that has none of the wanted types. The code names a wanted type other
// than null.
func wrongType(want []string) string {
	for _, name := range want {
		switch name {
		case "object":
			return notAnObject
		case "array":
			return notAList
		case "string":
			return notAString
		case "boolean":
			return notABoolean
		}
	}
	return notANumber
}
