package standalone

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"tictactoe/discordsim"
)

// ErrDiffers means that two transcripts differ.
var ErrDiffers = errors.New("the transcripts differ")

// diff compares two transcripts in files, prints the part where they differ, and returns ErrDiffers if they differ.
func diff(files []string, to io.Writer) error {
	if len(files) != 2 {
		return fmt.Errorf("%w: diff compares two transcripts, as in diff a.jsonl b.jsonl, not %d", ErrUsage, len(files))
	}
	var lines [2][]string
	for i, name := range files {
		file, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("%w: diff: %w", ErrUsage, err)
		}
		lines[i], err = discordsim.NormaliseTranscript(file)
		file.Close()
		if err != nil {
			return fmt.Errorf("%w: diff: %s: %w", ErrUsage, name, err)
		}
	}
	differences := discordsim.DiffTranscripts(lines[0], lines[1])
	if differences == "" {
		return nil
	}
	if _, err := fmt.Fprintf(to, "--- %s\n+++ %s\n%s", files[0], files[1], differences); err != nil {
		return err
	}
	return ErrDiffers
}

// healthLimit is how long a health check waits for an answer.
const healthLimit = 3 * time.Second

// checkHealth returns nil if a local Discord answers at a URL. It is the health check of containers, since their
// image has no curl.
func checkHealth(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, healthLimit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/sim/rate-limits", nil)
	if err != nil {
		return fmt.Errorf("--healthy: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("--healthy: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("--healthy: %s answers %s", url, response.Status)
	}
	return nil
}
