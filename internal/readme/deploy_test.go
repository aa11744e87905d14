package readme_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// deployed returns the documents of every YAML file in the folder deploy, by the file's name.
func deployed(t *testing.T) map[string][]map[string]any {
	t.Helper()
	documents := map[string][]map[string]any{}
	folder := filepath.Join(root, "deploy")
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".yml" {
			return err
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(folder, name)
		if err != nil {
			return err
		}
		for d := yaml.NewDecoder(bytes.NewReader(content)); ; {
			var document map[string]any
			switch err := d.Decode(&document); {
			case errors.Is(err, io.EOF):
				return nil
			case err != nil:
				t.Errorf("%s: %v", below, err)
				return nil
			}
			documents[below] = append(documents[below], document)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return documents
}

// at returns the value at a path of keys and indices, or nil if there is none.
func at(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[step]
		case int:
			l, _ := v.([]any)
			if step >= len(l) {
				return nil
			}
			v = l[step]
		}
	}
	return v
}

func texts(v any) (list []string) {
	all, _ := v.([]any)
	for _, one := range all {
		text, _ := one.(string)
		list = append(list, text)
	}
	return list
}

func TestReplicasRunCommandsThatExist(t *testing.T) {
	watch(t)
	documents := deployed(t)
	pod := []any{"spec", "template", "spec", "containers", 0}
	for file, args := range map[string]any{
		"compose/compose.yml":    at(documents["compose/compose.yml"][0], "services", "bot", "command"),
		"kubernetes/bot.yml":     at(documents["kubernetes/bot.yml"][0], append(pod, "args")...),
		"kubernetes/gateway.yml": at(documents["kubernetes/gateway.yml"][0], append(pod, "args")...),
	} {
		command := texts(args)
		if len(command) == 0 || command[0] != "serve" {
			t.Errorf("%s runs %q", file, command)
		}
		if err := checkProgram(command); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestAlertsFireWhenTheyShould(t *testing.T) {
	watch(t)
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("TICTACTOE_REQUIRE"), ","), "promtool") {
			t.Fatalf("TICTACTOE_REQUIRE asks for promtool: %v", err)
		}
		t.Skipf("no promtool on this machine: install Debian's prometheus (%v)", err)
	}
	said, err := exec.Command(promtool, "test", "rules", filepath.Join(root, "deploy", "alerts_test.yml")).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

func TestEveryAlertIsExplainedAndTested(t *testing.T) {
	watch(t)
	rules, _ := at(deployed(t)["alerts.yml"][0], "groups", 0, "rules").([]any)
	if len(rules) == 0 {
		t.Fatal("no alert rules found; is the test looking in the right place?")
	}
	operating, tried := read(t, filepath.Join(root, "docs", "operating.md")), read(t, filepath.Join(root, "deploy", "alerts_test.yml"))
	for _, rule := range rules {
		name, _ := at(rule, "alert").(string)
		if !strings.Contains(operating, "\n| "+name+" |") {
			t.Errorf("docs/operating.md does not say what to do about %s", name)
		}
		if !strings.Contains(tried, `alertname="`+name+`"`) {
			t.Errorf("alerts_test.yml does not test %s", name)
		}
	}
}

func TestMountsOfComposeExist(t *testing.T) {
	watch(t)
	folder := filepath.Join(root, "deploy", "compose")
	compose := deployed(t)["compose/compose.yml"][0]
	named, _ := at(compose, "volumes").(map[string]any)
	services, _ := at(compose, "services").(map[string]any)
	mounts := 0
	for name, service := range services {
		for _, mount := range texts(at(service, "volumes")) {
			source, _, _ := strings.Cut(mount, ":")
			if _, ok := named[source]; ok {
				continue
			}
			mounts++
			if _, err := os.Stat(filepath.Join(folder, source)); err != nil || !strings.HasPrefix(source, ".") {
				t.Errorf("%s mounts %s: %v", name, source, err)
			}
		}
		for _, secret := range texts(at(service, "secrets")) {
			if at(compose, "secrets", secret, "file") == nil {
				t.Errorf("%s reads the secret %s, which is not defined", name, secret)
			}
		}
		for _, other := range texts(at(service, "depends_on")) {
			if services[other] == nil {
				t.Errorf("%s depends on %s, which is not defined", name, other)
			}
		}
	}
	if mounts == 0 {
		t.Error("no mounts found; is the test looking in the right places?")
	}
	example := read(t, filepath.Join(folder, "example.env"))
	for _, part := range strings.Split(read(t, filepath.Join(folder, "compose.yml")), "${")[1:] {
		if name, _, _ := strings.Cut(part, ":"); !slices.Contains(strings.Split(example, "\n"), name+"=") {
			t.Errorf("example.env lacks %s", name)
		}
	}
}

func TestKubernetesFindsItsPods(t *testing.T) {
	watch(t)
	documents := deployed(t)
	for _, file := range []string{"kubernetes/bot.yml", "kubernetes/gateway.yml"} {
		var deployment map[string]any
		for _, d := range documents[file] {
			if d["kind"] == "Deployment" {
				deployment = d
			}
		}
		label := at(deployment, "spec", "template", "metadata", "labels", "app")
		if label == nil {
			t.Fatalf("%s has no labelled pods", file)
		}
		for _, d := range documents[file] {
			selector := at(d, "spec", "selector", "matchLabels", "app")
			switch d["kind"] {
			case "Service":
				selector = at(d, "spec", "selector", "app")
			case "HorizontalPodAutoscaler":
				if at(d, "spec", "scaleTargetRef", "name") != at(deployment, "metadata", "name") {
					t.Errorf("%s: the autoscaler scales %v", file, at(d, "spec", "scaleTargetRef", "name"))
				}
				continue
			}
			if selector != label {
				t.Errorf("%s: the %v selects %v, the pods are %v", file, d["kind"], selector, label)
			}
		}
	}
	monitor := at(documents["kubernetes/monitor.yml"][0], "spec")
	if by, label := at(monitor, "jobLabel"), at(monitor, "selector", "matchLabels", "app"); by != "app" || label != "tictactoe" {
		t.Errorf("alerts.yml knows the job tictactoe, and monitor.yml calls it by %v of pods with app: %v", by, label)
	}
	if label := at(documents["kubernetes/network.yml"][0], "spec", "podSelector", "matchLabels", "app"); label != "tictactoe" {
		t.Errorf("network.yml is for pods with app: %v", label)
	}
	for _, resource := range texts(at(documents["kubernetes/kustomization.yml"][0], "resources")) {
		if documents["kubernetes/"+resource] == nil {
			t.Errorf("kustomization.yml names %s, which does not exist", resource)
		}
	}
}
