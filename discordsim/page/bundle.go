package page

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// styleLink is the line of index.html that the style sheet itself takes the
// place of.
const styleLink = `<link rel="stylesheet" href="style.css">`

// document returns index.html with the style sheet inside, and the content
// security policy that allows it: the page may load what is its own and talk
// to its own server, and nothing else. The first paint needs no other file,
// since on a slow connection each would cost another round trip.
func document() (html, policy string) {
	style := "\n" + source("style.css")
	sum := sha256.Sum256([]byte(style))
	html = strings.Replace(source("index.html"), styleLink, "<style>"+style+"</style>", 1)
	return html, "default-src 'none'; script-src 'self'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; " +
		"img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
}

// script returns app.mjs with all modules that it imports inside.
func script() string {
	m := modules{begun: map[string]bool{}}
	m.add("app.mjs")
	return "const modules = {};\n" + m.joined.String()
}

// source is the text of a file of the page. Only a file that was not embedded
// can be missing, which the first test of the handler finds.
func source(name string) string {
	text, err := fs.ReadFile(content, path.Join("page", name))
	if err != nil {
		panic(fmt.Sprintf("the page refers to a file that it does not have: %v", err))
	}
	return string(text)
}

// modules joins JavaScript modules into one script. Each module becomes a
// function that is called once, after those of its imports, and returns what
// the module exports. It knows the forms of import and export that the page
// uses: lists of names, and exported declarations at the start of a line.
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
