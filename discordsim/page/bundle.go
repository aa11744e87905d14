package page

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/js"
)

// The lines of index.html that the style sheet and the scripts replace.
const (
	styleLink  = `<link rel="stylesheet" href="style.css">`
	scriptLink = `<script type="module" src="app.mjs"></script>`
)

// bundle returns index.html with the style sheet and app.mjs inside, the scripts later.mjs and maker.mjs, and a
// content security policy that allows them: the page may load its own files and talk to its own server, and nothing
// else. Each script includes the modules that it imports, unless an earlier script has them, because on a slow
// connection every file costs a round trip. app.mjs is enough to read messages and press buttons. later.mjs has
// everything else for people, and the end of the style sheet. maker.mjs, which is fetched on demand, has the tools
// for makers of bots and servers.
func bundle() (html, later, maker, policy string) {
	m := modules{begun: map[string]bool{}}
	m.add("app.mjs")
	script := minified("const modules = globalThis.modules = {};\n" + m.joined.String())
	first, rest, _ := strings.Cut(source("style.css"), "/* ---- later:")
	m.joined.Reset()
	m.add("later.mjs")
	later = minified(fmt.Sprintf("const sheet = new CSSStyleSheet(); sheet.replaceSync(%q); document.adoptedStyleSheets.push(sheet);\n",
		spare.ReplaceAllString("/*"+rest, "$1")) + m.joined.String())
	m.joined.Reset()
	m.add("maker.mjs")
	maker = minified(m.joined.String())
	html = source("index.html")
	_, early, _ := strings.Cut(html, "<script type=\"module\" async>") // this script makes the first call while the rest is loading
	early, _, _ = strings.Cut(early, "</script>")
	style := spare.ReplaceAllString(first, "$1")
	html = strings.Replace(html, styleLink, "<style>"+style+"</style>", 1)
	html = strings.Replace(html, scriptLink, `<script type="module">`+script+"</script>", 1)
	return html, later, maker, "default-src 'none'; script-src 'self' " + hash(early) + " " + hash(script) + "; style-src " + hash(style) + "; " +
		"img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
}

// hash returns the source expression of a content security policy that allows an inline text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// minified returns a script without comments, white space and long local names.
func minified(script string) string {
	var text strings.Builder
	if err := js.Minify(minify.New(), &text, strings.NewReader(script), nil); err != nil {
		panic(fmt.Sprintf("a script of the page is invalid: %v", err)) // found by any test of the page
	}
	return text.String()
}

// spare matches comments and insignificant white space in a style sheet.
var spare = regexp.MustCompile(`(?s)/\*.*?\*/|\n\s*|;\s*(})`)

// source returns the text of a file of the page. Only a file that was not embedded can be missing, which any test of
// the handler finds.
func source(name string) string {
	text, err := fs.ReadFile(content, path.Join("page", name))
	if err != nil {
		panic(fmt.Sprintf("the page refers to a file that it does not have: %v", err))
	}
	return string(text)
}

// modules joins JavaScript modules into one script. Each module becomes a function that is called once, after the
// functions of its imports, and returns the module's exports. It supports the forms of import and export that the
// page uses: lists of names, and exported declarations at the start of a line.
type modules struct {
	joined strings.Builder
	begun  map[string]bool
}

var (
	fromOther    = regexp.MustCompile(`(?m)^(import|export) ?\{([^}]*)\} ?from ?"([^"]+)";`)
	exportList   = regexp.MustCompile(`(?m)\bexport ?\{([^}]*)\};`)
	exportedName = regexp.MustCompile(`(?m)^export ((?:async )?(?:const|function|class) (\w+))`)
	renamed      = regexp.MustCompile(`(\w+) as (\w+)`)
)

func (m *modules) add(name string) {
	if m.begun[name] {
		return
	}
	m.begun[name] = true
	var exports []string
	text := fromOther.ReplaceAllStringFunc(source(name), func(line string) string {
		part := fromOther.FindStringSubmatch(line)
		other := path.Join(path.Dir(name), part[3])
		m.add(other)
		if part[1] == "import" {
			return fmt.Sprintf("const {%s} = modules[%q];", renamed.ReplaceAllString(part[2], "$1: $2"), other)
		}
		exports = append(exports, fmt.Sprintf("...(({%s}) => ({%[1]s}))(modules[%q])", part[2], other))
		return ""
	})
	text = exportList.ReplaceAllStringFunc(text, func(line string) string {
		exports = append(exports, renamed.ReplaceAllString(exportList.FindStringSubmatch(line)[1], "$2: $1"))
		return ""
	})
	for _, part := range exportedName.FindAllStringSubmatch(text, -1) {
		exports = append(exports, part[2])
	}
	text = exportedName.ReplaceAllString(text, "$1")
	fmt.Fprintf(&m.joined, "modules[%q] = (() => {\n%s\nreturn { %s };\n})();\n", name, text, strings.Join(exports, ", "))
}
