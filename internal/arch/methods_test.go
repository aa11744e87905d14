package arch_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net/http"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// mostMethods is the largest number of methods that a type of the simulator may have, including promoted ones.
const mostMethods = 40

// foreignMethods holds the number of methods of types from other modules that types of the simulator embed.
var foreignMethods = map[string]int{
	"http.Request": reflect.TypeFor[*http.Request]().NumMethod(), "http.ResponseWriter": reflect.TypeFor[http.ResponseWriter]().NumMethod(),
	"net.Conn": 8, "time.Time": 50, // the test exempts world.Timestamp, which embeds time.Time
}

func TestNoTypeOfTheSimulatorHasManyMethods(t *testing.T) {
	types := structsOf(t, filepath.Join("..", "..", "discordsim"))
	for name := range types {
		if n := methodsOf(types, name, map[string]bool{}); n > mostMethods && name != "world.Timestamp" {
			t.Errorf("%s has %d methods", name, n)
		}
	}
}

func TestMethodsOfEmbeddedTypesCount(t *testing.T) {
	types := map[string]*typeInfo{
		"a.Outer": {methods: 2, embeds: []string{"a.Inner", "http.Request"}},
		"a.Inner": {methods: 3, embeds: []string{"a.Outer"}}, // types that embed each other by pointer are counted once
	}
	if got, want := methodsOf(types, "a.Outer", map[string]bool{}), 5+foreignMethods["http.Request"]; got != want {
		t.Errorf("counted %d methods, want %d", got, want)
	}
}

// typeInfo describes a named type: the number of its own methods, and the types that it embeds.
type typeInfo struct {
	methods int
	embeds  []string
}

// methodsOf returns the number of methods of a type, including the methods of the types that it embeds.
func methodsOf(types map[string]*typeInfo, name string, seen map[string]bool) int {
	if seen[name] {
		return 0
	}
	seen[name] = true
	typ := types[name]
	if typ == nil {
		return foreignMethods[name]
	}
	n := typ.methods
	for _, embedded := range typ.embeds {
		n += methodsOf(types, embedded, seen)
	}
	return n
}

// structsOf reads the named types below a folder, by package and name.
func structsOf(t *testing.T, root string) map[string]*typeInfo {
	types := map[string]*typeInfo{}
	of := func(name string) *typeInfo {
		if types[name] == nil {
			types[name] = &typeInfo{}
		}
		return types[name]
	}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != root && notOurs(name, entry.Name()):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("reading the methods in %s: %w", name, err)
		}
		pkg := file.Name.Name + "."
		for _, d := range file.Decls {
			if f, is := d.(*ast.FuncDecl); is && f.Recv != nil {
				of(pkg+typeName(f.Recv.List[0].Type)).methods++
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, is := n.(*ast.TypeSpec)
			if !is {
				return true
			}
			if s, is := spec.Type.(*ast.StructType); is {
				for _, field := range s.Fields.List {
					if embedded := typeName(field.Type); len(field.Names) == 0 && strings.Contains(embedded, ".") {
						of(pkg + spec.Name.Name).embeds = append(of(pkg+spec.Name.Name).embeds, embedded)
					} else if len(field.Names) == 0 {
						of(pkg + spec.Name.Name).embeds = append(of(pkg+spec.Name.Name).embeds, pkg+embedded)
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return types
}

// typeName returns the name of a type without its pointer and its parameters.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return typeName(e.X) + "." + e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}
