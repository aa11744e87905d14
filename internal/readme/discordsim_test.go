package readme_test

import (
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestTheExamplesForDiscordsimAreComplete(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(root, "deploy", "discordsim")
	var compose struct {
		Services map[string]struct {
			Build       struct{ Context, Dockerfile string }
			DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
			Environment map[string]string
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(folder, "compose.yml"))), &compose); err != nil {
		t.Fatal(err)
	}
	bot := compose.Services["bot"]
	file := read(t, filepath.Join(folder, compose.Services["discord"].Build.Context, compose.Services["discord"].Build.Dockerfile))
	if bot.DependsOn["discord"].Condition != "service_healthy" || !strings.Contains(file, "HEALTHCHECK") || bot.Environment["DISCORD_URL"] != "http://discord:8080" {
		t.Errorf("the bot does not wait for a healthy Discord: %+v", compose)
	}
	for _, wanted := range []string{"FROM scratch", "USER 65532:65532", `"--healthy", "http://127.0.0.1:8080"`, `"--listen", "0.0.0.0:8080"`} {
		if !strings.Contains(file, wanted) {
			t.Errorf("the Dockerfile lacks %s", wanted)
		}
	}
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses, Run string
				Env       map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(folder, "github-actions.yml"))), &workflow); err != nil {
		t.Fatal(err)
	}
	var steps, env string
	for _, s := range workflow.Jobs["bot"].Steps {
		steps += s.Uses + s.Run + "\n"
		env += s.Env["DISCORDSIM"]
	}
	if !strings.Contains(steps, "./cmd/discordsim") || !strings.Contains(steps, "test.mjs") || !strings.HasSuffix(env, "/discordsim") {
		t.Errorf("the workflow does not build and use discordsim:\n%s", steps)
	}
}
