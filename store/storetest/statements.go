package storetest

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tictactoe/store/internal/sqlstore"
)

// Statements are the constants of the packages in those folders that are SQL, as a database takes them, by name. They are
// read from the source, so that none can be left out of a list. Fragments begin with something else than a verb.
func Statements(t testing.TB, dialect *sqlstore.Dialect, folders ...string) map[string]string {
	t.Helper()
	verb := regexp.MustCompile(`^(SELECT|INSERT|UPDATE|DELETE|WITH)\b`)
	found := make(map[string]string)
	for _, folder := range folders {
		scope := constants(t, folder)
		for _, name := range scope.Names() {
			if c, ok := scope.Lookup(name).(*types.Const); ok && c.Val().Kind() == constant.String {
				if text := dialect.Text(constant.StringVal(c.Val())); verb.MatchString(text) {
					found[name] = text
				}
			}
		}
	}
	if len(found) < 30 {
		t.Fatalf("only %d statements found", len(found))
	}
	return found
}

// constants are the names of a package whose values need no other.
func constants(t testing.TB, folder string) *types.Scope {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	// Constants need no imports; what cannot be resolved without them is of no interest here.
	config := types.Config{IgnoreFuncBodies: true, Error: func(error) {}}
	pkg, _ := config.Check(folder, fset, files, nil)
	return pkg.Scope()
}
