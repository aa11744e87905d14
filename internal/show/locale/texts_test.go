package locale_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// english returns the texts of en.json by key, or by key and plural form.
func english(t *testing.T) map[string]string {
	t.Helper()
	raw, err := os.ReadFile("texts/en.json")
	if err != nil {
		t.Fatal(err)
	}
	var entries map[string]any
	if err := json.Unmarshal(raw, &entries); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for key, entry := range entries {
		switch entry := entry.(type) {
		case string:
			texts[key] = entry
		case map[string]any:
			for form, text := range entry {
				texts[key+" "+form], _ = text.(string)
			}
		}
	}
	return texts
}

// front lists the packages that use texts.
var front = []string{"../view", ".", "../../../commands", "../../terminal", "../../browser"}

// beginning matches a literal to which the source appends the end of a key, such as "choice.board.".
var beginning = regexp.MustCompile(`^[a-z]+(\.[a-z]+)+\.$`)

// spoken reads the source of the packages in front. It returns all string literals, the keys with which T or say is called, and the
// beginnings and ends from which keys are put together.
func spoken(t *testing.T) (literals, keys, prefixes, suffixes map[string]bool) {
	t.Helper()
	literals, keys, prefixes, suffixes = map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	unquote := func(n ast.Node) string {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return ""
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for _, folder := range front {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no source: %v", folder, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					text := unquote(n)
					literals[text] = true
					if beginning.MatchString(text) {
						prefixes[text] = true
					}
				case *ast.BinaryExpr:
					if text := unquote(n.X); n.Op == token.ADD && strings.HasSuffix(text, ".") {
						prefixes[text] = true
					}
				case *ast.AssignStmt:
					if text := unquote(n.Rhs[0]); n.Tok == token.ADD_ASSIGN && strings.HasPrefix(text, ".") {
						suffixes[text] = true
					}
				case *ast.CallExpr:
					name := ""
					switch f := n.Fun.(type) {
					case *ast.Ident:
						name = f.Name
					case *ast.SelectorExpr:
						name = f.Sel.Name
					}
					if (name == "T" || name == "say") && len(n.Args) > 0 {
						if text := unquote(n.Args[0]); text != "" {
							keys[text] = true
						}
					}
				}
				return true
			})
		}
	}
	return literals, keys, prefixes, suffixes
}

func TestTextsAndSourceFitTogether(t *testing.T) {
	literals, keys, prefixes, suffixes := spoken(t)
	known := map[string]bool{}
	for key := range english(t) {
		key, _, _ = strings.Cut(key, " ")
		known[key] = true
	}
	for key := range keys {
		if !known[key] {
			t.Errorf("the source uses the key %q, which has no text", key)
		}
	}
	for prefix := range prefixes {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(known)), func(key string) bool { return strings.HasPrefix(key, prefix) }) {
			t.Errorf("the source builds keys that begin with %q, but no key does", prefix)
		}
	}
	used := func(key string) bool {
		for suffix := range suffixes {
			if literals[strings.TrimSuffix(key, suffix)] && strings.HasSuffix(key, suffix) {
				return true
			}
		}
		for prefix := range prefixes {
			if strings.HasPrefix(key, prefix) {
				return true
			}
		}
		return literals[key]
	}
	for key := range known {
		if !used(key) && key != "glossary" {
			t.Errorf("no code uses the key %q", key)
		}
	}
	if len(keys) < 60 || len(prefixes) < 4 || len(suffixes) < 1 {
		t.Errorf("only %d keys, %d beginnings, %d ends found: the source is read wrongly", len(keys), len(prefixes), len(suffixes))
	}
}

// TestARefusalSaysWhatToDo tests that every refusal has a second sentence, which says what to do.
func TestARefusalSaysWhatToDo(t *testing.T) {
	for key, text := range english(t) {
		if !strings.HasPrefix(key, "refusal.") {
			continue
		}
		if strings.Count(text, ".")-strings.Count(text, "{{.") < 2 && !strings.Contains(text, ":") {
			t.Errorf("%s: %q does not say what to do", key, text)
		}
	}
}

// TestCountedTexts writes each text with a plural in all languages, as users read it: the numbers, and the sentence for them.
func TestCountedTexts(t *testing.T) {
	book := open(t)
	var got strings.Builder
	keys := map[string]bool{}
	for key := range english(t) {
		if key, form, counts := strings.Cut(key, " "); counts && form == "other" {
			keys[key] = true
		}
	}
	for _, language := range locale.Languages() {
		fmt.Fprintf(&got, "== %s\n", language)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			numbers := map[string][]string{} // by wording
			var wordings []string
			for _, n := range []int{0, 1, 2, 5, 11, 21, 101} {
				wording := book.In(language).Wording(view.T(key, view.Args{"PluralCount": n}))
				if numbers[wording] == nil {
					wordings = append(wordings, wording)
				}
				numbers[wording] = append(numbers[wording], strconv.Itoa(n))
			}
			fmt.Fprintf(&got, "%s\n", key)
			for _, wording := range wordings {
				fmt.Fprintf(&got, "  %s: %s\n", strings.Join(numbers[wording], " "), strings.ReplaceAll(wording, "{{.PluralCount}}", numbers[wording][len(numbers[wording])-1]))
			}
		}
	}
	golden(t, "counted.golden", got.String())
}
