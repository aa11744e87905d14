package check

import (
	"fmt"
	"os"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemas holds the schemas of Discord's OpenAPI description, compiled on first
// use. It is safe for concurrent use.
type schemas struct {
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
}

// asDescribed is the compiler's name for the description.
const asDescribed = "discord.json"

// openSchemas reads a description from a file.
func openSchemas(path string) (*schemas, error) {
	described, err := readDescription(path)
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	if err := compiler.AddResource(asDescribed, described); err != nil {
		return nil, fmt.Errorf("adding the schemas of %s: %w", path, err)
	}
	return &schemas{compiler: compiler, compiled: map[string]*jsonschema.Schema{}}, nil
}

// readDescription reads the schemas of a description and corrects schemas that are stricter than Discord.
func readDescription(path string) (map[string]any, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening the OpenAPI description: %w", err)
	}
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		return nil, fmt.Errorf("reading the OpenAPI description %s: %w", path, err)
	}
	byName := object(object(object(doc)["components"])["schemas"])
	if len(byName) == 0 {
		return nil, fmt.Errorf("reading the OpenAPI description %s: it has no components.schemas", path)
	}
	// According to the documentation, every snowflake and bit set may be a string or a number, and channels may be
	// media channels.
	overwrite := object(object(byName["ChannelPermissionOverwriteRequest"])["properties"])
	for _, name := range []string{"allow", "deny"} {
		if bits := object(overwrite[name]); bits != nil {
			bits["type"] = []any{"string", "integer", "null"}
		}
	}
	for _, name := range []string{"UpdateGuildChannelRequestPartial", "CreateGuildChannelRequest"} {
		kind := object(object(object(byName[name])["properties"])["type"])
		if ways, _ := kind["oneOf"].([]any); len(ways) > 1 {
			known, _ := object(ways[1])["enum"].([]any)
			object(ways[1])["enum"] = append(known, 16)
		}
	}
	if snowflake := object(byName["SnowflakeType"]); snowflake != nil {
		snowflake["type"] = []any{"string", "integer"}
	}
	for _, name := range []string{"ApplicationCommandCreateRequest", "ApplicationCommandUpdateRequest"} {
		permissions := object(object(object(byName[name])["properties"])["default_member_permissions"])
		if permissions != nil {
			permissions["type"] = []any{"string", "integer", "null"}
		}
	}
	// The documentation permits forwards, media channels, and a change of the bot's user without a name.
	if kinds := object(byName["ChannelTypes"]); kinds != nil {
		known, _ := kinds["oneOf"].([]any)
		kinds["oneOf"] = append(known, map[string]any{"const": 16})
	}
	if kinds := object(byName["MessageReferenceType"]); kinds != nil {
		kinds["oneOf"] = []any{map[string]any{"const": 0}, map[string]any{"const": 1}}
	}
	if user := object(byName["BotAccountPatchRequest"]); user != nil {
		delete(user, "required")
	}
	// The description has this schema only inline in a path, without a name.
	byName[commandList] = map[string]any{
		"type":  "array",
		"items": map[string]any{"$ref": "#/components/schemas/ApplicationCommandUpdateRequest"},
	}
	return map[string]any{"components": map[string]any{"schemas": byName}}, nil
}

// commandList names the schema of a bulk overwrite.
const commandList = "ApplicationCommandListUpdateRequest"

func object(data any) map[string]any {
	o, _ := data.(map[string]any)
	return o
}

// validate checks data against a named schema. The error is a *jsonschema.ValidationError, or says that the description lacks the
// schema.
func (s *schemas) validate(name string, data any) error {
	schema, err := s.get(asDescribed + "#/components/schemas/" + name)
	if err != nil {
		return fmt.Errorf("compiling the schema %s: %w", name, err)
	}
	return schema.Validate(data)
}

func (s *schemas) get(location string) (*jsonschema.Schema, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if schema, ok := s.compiled[location]; ok {
		return schema, nil
	}
	schema, err := s.compiler.Compile(location)
	if err != nil {
		return nil, err
	}
	s.compiled[location] = schema
	return schema, nil
}
