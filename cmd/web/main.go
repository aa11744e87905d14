// Command web builds the page that plays in a browser alone, without a server, and serves it on this machine or writes it to a folder.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"

	"github.com/alecthomas/kong"
)

type commandLine struct {
	Out    string `placeholder:"FOLDER" help:"Write the page to this folder, to be put on any server of files under any path, and do not serve it."`
	Listen string `default:"127.0.0.1:8732" help:"The address to serve the page on (${default})."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var c commandLine
	kong.Parse(&c, kong.Name("web"), kong.Description("Builds the page that plays in a browser alone, and serves it on this machine."))
	if err := run(ctx, c, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "web:", err)
		os.Exit(1)
	}
}

// quality is the quality of brotli in a written page, which is the best.
const quality = 11

func run(ctx context.Context, c commandLine, out io.Writer) error {
	fmt.Fprintln(out, "Compiling the program for browsers...")
	files, err := build(ctx)
	if err != nil {
		return err
	}
	if c.Out != "" {
		if err := write(c.Out, files, quality); err != nil {
			return fmt.Errorf("writing the page: %w", err)
		}
		fmt.Fprintf(out, "The page is in %s.\n", c.Out)
		return nil
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Play on http://%s/ (Ctrl-C ends it).\n", listener.Addr())
	server := &http.Server{Handler: handler(files)}
	stopped := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stopped()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
