package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/css"
	"github.com/tdewolff/minify/v2/js"

	"tictactoe/game"
	"tictactoe/internal/browser"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/picture"
)

//go:embed page
var page embed.FS

// policy is the content security policy: the page loads its own files and nothing else, and may compile its own program.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"

// build returns the files of the page by path. All but a few are in a folder that is named after their content, so that a browser never
// mixes two versions and may keep them forever.
func build(ctx context.Context) (map[string][]byte, error) {
	versioned, err := program(ctx)
	if err != nil {
		return nil, err
	}
	texts, err := languageFiles()
	if err != nil {
		return nil, err
	}
	maps.Copy(versioned, texts)
	for _, name := range []string{"app.mjs", "draw.mjs", "worker.mjs", "rows.mjs", "style.css"} {
		if versioned[name], err = minified(name); err != nil {
			return nil, err
		}
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(versioned)) {
		fmt.Fprintf(sum, "%s %d ", name, len(versioned[name]))
		sum.Write(versioned[name])
	}
	version := hex.EncodeToString(sum.Sum(nil))[:10]
	cached := []string{"./", "manifest.webmanifest", "icon.svg", "icon-192.png"}
	files := map[string][]byte{}
	var languages []string
	for _, name := range slices.Sorted(maps.Keys(versioned)) {
		files[version+"/"+name] = versioned[name]
		code, isText := strings.CutPrefix(name, "texts/")
		if code = strings.TrimSuffix(code, ".json"); isText {
			languages = append(languages, code)
		}
		if !isText || code == "en" {
			cached = append(cached, version+"/"+name)
		}
	}
	list, err := json.Marshal(cached)
	if err != nil {
		return nil, err
	}
	fill := strings.NewReplacer("{{policy}}", policy, "{{files}}", version, "{{version}}", version, "{{languages}}", strings.Join(languages, " "), "{{cached}}", string(list))
	for _, name := range []string{"index.html", "sw.js", "manifest.webmanifest", "icon.svg"} {
		content, err := page.ReadFile("page/" + name)
		if err != nil {
			return nil, err
		}
		files[name] = []byte(fill.Replace(string(content)))
	}
	for _, size := range []int{192, 512} {
		if files[fmt.Sprintf("icon-%d.png", size)], err = icon(size); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// program compiles the program for browsers, and returns it with the script of Go's that starts it. Without inlining, except in the search
// for moves, the program is a tenth smaller when it is compressed; with the garbage collector of Go 1.25, which Go 1.26 still has, a hundredth.
// (wasm-opt makes it larger when it is compressed.)
func program(ctx context.Context) (map[string][]byte, error) {
	folder, err := os.MkdirTemp("", "tictactoe-web")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	out := filepath.Join(folder, "tictactoe.wasm")
	compile := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-gcflags=all=-l", "-gcflags=tictactoe/ai=", "-gcflags=tictactoe/game=",
		"-o", out, "tictactoe/cmd/web/wasm")
	compile.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=", "CGO_ENABLED=0", "GOEXPERIMENT=nogreenteagc")
	if said, err := compile.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compiling the program for browsers: %w\n%s", err, said)
	}
	wasm, err := os.ReadFile(out)
	if err == nil {
		wasm, err = slim(wasm)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the compiled program: %w", err)
	}
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("looking for the script that starts a program in a browser: %w", err)
	}
	starter, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, fmt.Errorf("looking for the script that starts a program in a browser: %w", err)
	}
	if starter, err = minify1("wasm_exec.js", starter); err != nil {
		return nil, err
	}
	return map[string][]byte{"tictactoe.wasm": wasm, "wasm_exec.js": starter}, nil
}

// languageFiles returns the texts that the page may need, a file for each language.
func languageFiles() (map[string][]byte, error) {
	files := map[string][]byte{}
	folder := locale.Embedded()
	names, err := fs.Glob(folder, "*.json")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		content, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		var texts map[string]any
		if err := json.Unmarshal(content, &texts); err != nil {
			return nil, fmt.Errorf("texts %s: %w", name, err)
		}
		maps.DeleteFunc(texts, func(key string, _ any) bool { return !browser.Uses(key) })
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(texts); err != nil {
			return nil, err
		}
		files["texts/"+name] = out.Bytes()
	}
	return files, nil
}

func minified(name string) ([]byte, error) {
	content, err := page.ReadFile("page/" + name)
	if err != nil {
		return nil, err
	}
	return minify1(name, content)
}

// minify1 returns a script or a style sheet without comments and white space.
func minify1(name string, content []byte) ([]byte, error) {
	var out bytes.Buffer
	var err error
	if path.Ext(name) == ".css" {
		err = css.Minify(minify.New(), &out, bytes.NewReader(content), nil)
	} else {
		err = js.Minify(minify.New(), &out, bytes.NewReader(content), nil)
	}
	if err != nil {
		return nil, fmt.Errorf("minify %s: %w", name, err)
	}
	return out.Bytes(), nil
}

// icon draws the mark X on the colour of the board, with the margin that systems need which cut icons into their own shapes.
func icon(size int) ([]byte, error) {
	canvas := image.NewRGBA(image.Rect(0, 0, size, size))
	draw.Draw(canvas, canvas.Bounds(), image.NewUniform(color.RGBA{0x2b, 0x31, 0x57, 0xff}), image.Point{}, draw.Src)
	margin := size / 6
	tile := picture.Tile(game.X, picture.Plain, size-2*margin)
	draw.Draw(canvas, tile.Bounds().Add(image.Pt(margin, margin)), tile, image.Point{}, draw.Over)
	var out bytes.Buffer
	err := png.Encode(&out, canvas)
	return out.Bytes(), err
}

// compressed reports whether a file gets smaller when it is compressed.
func compressed(name string) bool { return path.Ext(name) != ".png" }

// write writes the files to a folder, each with its compressed forms beside it. If the program zopfli is installed, the gzip files are its own,
// which are 5 % smaller.
func write(folder string, files map[string][]byte, quality int) error {
	for name, content := range files {
		forms := map[string][]byte{"": content}
		if compressed(name) {
			var br, gz bytes.Buffer
			if err := pack(brotli.NewWriterOptions(&br, brotli.WriterOptions{Quality: quality, LGWin: 24}), content); err != nil {
				return err
			}
			zip, err := gzip.NewWriterLevel(&gz, gzip.BestCompression)
			if err := cmp.Or(err, pack(zip, content)); err != nil {
				return err
			}
			forms[".br"], forms[".gz"] = br.Bytes(), gz.Bytes()
		}
		at := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		for ext, form := range forms {
			if err := os.WriteFile(at+ext, form, 0o644); err != nil {
				return err
			}
		}
		if zopfli, err := exec.LookPath("zopfli"); err == nil && compressed(name) {
			if out, err := exec.Command(zopfli, "--i1", at).CombinedOutput(); err != nil {
				return fmt.Errorf("compress %s with zopfli: %w: %s", name, err, out)
			}
		}
	}
	return nil
}

func pack(w io.WriteCloser, content []byte) error {
	_, err := w.Write(content)
	return cmp.Or(err, w.Close())
}
