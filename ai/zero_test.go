package ai_test

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/ai"
	"tictactoe/game"
)

// An exported holds the exports of package game or ai: one ordinary value of each type, and the functions.
type exported struct {
	values    map[string]any
	functions map[string]any
}

func exportedByGame() exported {
	p := game.Start(game.Classic())
	record := must(game.Replay(game.Classic(), 4, 0))
	return exported{
		values: map[string]any{
			"Bitboard": game.SetOf(0, 4), "Mark": game.X, "Offer": game.Offered()[0],
			"IllegalMoveError": game.IllegalMoveError{Position: p, Square: 9, Reason: game.OffBoard},
			"Outcome":          game.Draw, "Position": record.Position(),
			"PositionError": game.PositionError{Text: "X", Problems: []game.Problem{game.WrongSize}},
			"Problem":       game.WrongSize, "Reason": game.Taken, "Record": record, "Rules": game.Classic(),
			"Square": game.Square(24), "Symmetry": game.Classic().Symmetries()[7], "Variant": game.Keep(3),
		},
		functions: map[string]any{
			"Classic": game.Classic, "Gravity": game.Gravity, "Keep": game.Keep, "Misere": game.Misere, "NewRecord": game.NewRecord,
			"NewRules": game.NewRules, "Offered": game.Offered, "OfferedNames": game.OfferedNames, "OnOffer": game.OnOffer,
			"ParsePosition": game.ParsePosition, "ParseRules": game.ParseRules,
			"Perft": game.Perft, "Replay": game.Replay, "ReplayFrom": game.ReplayFrom, "SetOf": game.SetOf, "Start": game.Start,
			"StartWith": game.StartWith, "WinFor": game.WinFor,
		},
	}
}

func exportedByAI() exported {
	solver := must(ai.NewSolver(game.Classic()))
	record := must(game.Replay(game.Classic(), 4, 0))
	odds := must(newEngine(ai.Easy, solver).Odds(record.Position()))
	review := solver.Review(record)
	return exported{
		values: map[string]any{
			"Accuracy": ai.Accuracy{Critical: 3, Errors: 1}, "Engine": newEngine(ai.Easy, solver), "Eval": solver.Eval(record.Position()),
			"Grade": ai.Blunder, "Level": ai.Easy, "MoveEval": solver.Moves(record.Position())[0], "Odds": odds,
			"Advice": review[0].Advice(), "Harm": review[0].Harm(game.Start(game.Classic())), "HarmKind": ai.Misses,
			"Reason": review[0].Advice().Reason(game.Start(game.Classic())), "ReasonKind": ai.Wins, "Zone": ai.Centre, "Remark": review[0], "Result": ai.Result{Level: ai.Easy}, "Review": review, "Solver": solver, "Value": ai.Win,
		},
		functions: map[string]any{
			"Fair": ai.Fair, "Fit": ai.Fit, "LevelNames": ai.LevelNames, "Levels": ai.Levels, "NewEngine": ai.NewEngine, "NewPlainEngine": ai.NewPlainEngine,
			"NewSolver": ai.NewSolver, "ParseLevel": ai.ParseLevel, "Predict": ai.Predict, "ReasonFor": ai.ReasonFor,
			"ResultOf": ai.ResultOf, "Stronger": ai.Stronger,
		},
	}
}

// TestZeroValuesDoNoHarm checks that no call on a zero value or with a zero value panics. It calls every exported function and
// method of both packages with the zero value of each parameter type, and with an ordinary value of the types of the packages.
func TestZeroValuesDoNoHarm(t *testing.T) {
	ordinary := map[reflect.Type]reflect.Value{}
	packages := map[string]exported{"../game": exportedByGame(), ".": exportedByAI()}
	for folder, of := range packages {
		types, functions := declared(t, folder)
		if diff := cmp.Diff(types, slices.Sorted(maps.Keys(of.values))); diff != "" {
			t.Errorf("types of %s (-declared +tested):\n%s", folder, diff)
		}
		if diff := cmp.Diff(functions, slices.Sorted(maps.Keys(of.functions))); diff != "" {
			t.Errorf("functions of %s (-declared +tested):\n%s", folder, diff)
		}
		for _, value := range of.values {
			v := reflect.ValueOf(value)
			if v.Kind() != reflect.Pointer { // methods are called by pointer, whose method set includes the value's
				pointer := reflect.New(v.Type())
				pointer.Elem().Set(v)
				v = pointer
			}
			ordinary[v.Type()] = v
		}
	}
	calls := caller{t, ordinary}
	for _, of := range packages {
		for name, function := range of.functions {
			calls.callAll(name, reflect.ValueOf(function))
		}
	}
	for pointer, value := range ordinary {
		for _, receiver := range []reflect.Value{reflect.New(pointer.Elem()), value} {
			for i := range receiver.NumMethod() {
				calls.callAll(pointer.Elem().String()+"."+pointer.Method(i).Name, receiver.Method(i))
			}
		}
	}
}

// declared lists the exported types of a package, without interfaces, and its exported functions.
func declared(t *testing.T, folder string) (types, functions []string) {
	t.Helper()
	for _, entry := range must(os.ReadDir(folder)) {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file := must(parser.ParseFile(token.NewFileSet(), folder+"/"+entry.Name(), nil, parser.SkipObjectResolution))
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.IsExported() {
					functions = append(functions, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					s, ok := spec.(*ast.TypeSpec)
					if !ok || !s.Name.IsExported() {
						continue
					}
					if _, is := s.Type.(*ast.InterfaceType); !is {
						types = append(types, s.Name.Name)
					}
				}
			}
		}
	}
	slices.Sort(types)
	slices.Sort(functions)
	return types, functions
}

// A caller calls functions with all kinds of arguments.
type caller struct {
	t        *testing.T
	ordinary map[reflect.Type]reflect.Value // keyed by pointer type
}

// callAll calls a function with every choice of arguments.
func (c caller) callAll(name string, function reflect.Value) {
	c.t.Helper()
	calls := [][]reflect.Value{nil}
	for i := range function.Type().NumIn() {
		if function.Type().IsVariadic() && i == function.Type().NumIn()-1 {
			break
		}
		var longer [][]reflect.Value
		for _, argument := range c.arguments(function.Type().In(i)) {
			for _, call := range calls {
				longer = append(longer, append(slices.Clip(call), argument))
			}
		}
		calls = longer
	}
	for _, arguments := range calls {
		c.callOnce(name, function, arguments)
	}
}

// arguments lists the values to try for a parameter: the zero value, except for a context, a new value besides nil for a
// pointer, and an ordinary value if there is one.
func (c caller) arguments(of reflect.Type) []reflect.Value {
	if of == reflect.TypeFor[context.Context]() {
		return []reflect.Value{reflect.ValueOf(c.t.Context())}
	}
	values := []reflect.Value{reflect.Zero(of)}
	if of.Kind() == reflect.Pointer {
		values = append(values, reflect.New(of.Elem()))
		if value, ok := c.ordinary[of]; ok {
			values = append(values, value)
		}
	} else if value, ok := c.ordinary[reflect.PointerTo(of)]; ok {
		values = append(values, value.Elem())
	}
	return values
}

// callOnce calls a function, and iterates over its result if it is a sequence.
func (c caller) callOnce(name string, function reflect.Value, arguments []reflect.Value) {
	c.t.Helper()
	defer func() {
		if cause := recover(); cause != nil {
			c.t.Errorf("%s with %v panics: %v", name, arguments, cause)
		}
	}()
	for _, result := range function.Call(arguments) {
		switch {
		case result.Type().CanSeq():
			for range result.Seq() {
			}
		case result.Type().CanSeq2():
			for range result.Seq2() {
			}
		}
	}
}

func TestTheZeroPositionIsNoDraw(t *testing.T) {
	var p game.Position
	if p.Outcome() != game.InProgress || p.Legal() != 0 || p.Rules() != (game.Rules{}) {
		t.Errorf("%s with %b legal by %s", p.Outcome(), p.Legal(), p.Rules())
	}
	if _, err := (game.Record{}).Play(0); err == nil || (game.Record{}).Outcome() != game.InProgress {
		t.Errorf("a move on the zero record gives error %v, and its outcome is %s", err, game.Record{}.Outcome())
	}
	for name, err := range map[string]error{
		"new engine of a zero solver": second(ai.NewEngine(ai.Easy, &ai.Solver{}, nil)),
		"new engine of no solver":     second(ai.NewEngine(ai.Easy, nil, nil)),
		"new plain engine":            second(ai.NewPlainEngine(ai.Easy, game.Rules{}, nil)),
	} {
		if !errors.Is(err, game.ErrRules) {
			t.Errorf("%s: error %v, want %v", name, err, game.ErrRules)
		}
	}
	if got := must(ai.NewSolver(game.Classic())).Eval(p); got != (ai.Eval{Value: ai.Draw, Plies: ai.Unknown}) {
		t.Errorf("a solver evaluates the zero position as %s", got)
	}
}

func second[T any](_ T, err error) error { return err }
