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

// Statements returns the SQL constants of the packages in the given folders, in the syntax of a database, by name. It reads them from
// the source, so no list can omit a statement. Fragments, which do not begin with a verb, are left out.
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

// constants returns the scope of a package, type-checked without its imports.
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
	// Constants need no imports; names that need imports do not matter here.
	config := types.Config{IgnoreFuncBodies: true, Error: func(error) {}}
	pkg, _ := config.Check(folder, fset, files, nil)
	return pkg.Scope()
}
