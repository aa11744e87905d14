package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// templates holds privacy.md and terms.md. A blank in them is the name of a flag of privacyCommand in capitals, such as [LEGAL-BASIS].
//
//go:embed legal
var templates embed.FS

var errBlanks = errors.New("these blanks are left")

type privacyCommand struct {
	Operator   string `placeholder:"TEXT" help:"Who runs the bot: a name and a postal address."`
	Contact    string `placeholder:"TEXT" help:"Where people reach you: an e-mail address, a support server."`
	LegalBasis string `placeholder:"TEXT" help:"The legal basis, such as: Art. 6(1)(b) and (f) GDPR."`
	Logs       string `placeholder:"TEXT" help:"How long you keep the bot's log, such as: 14 days."`
	Backups    string `placeholder:"TEXT" help:"How long you keep backups, 90 days at most."`
	Processors string `placeholder:"TEXT" help:"Who handles the data for you, such as the company whose machine the bot runs on; or: nobody."`
	Authority  string `placeholder:"TEXT" help:"The data protection authority to which people can complain."`
	MinimumAge string `placeholder:"TEXT" help:"How old players have to be, such as: 13 years, and 16 in Germany."`
	Breach     string `placeholder:"TEXT" help:"How you tell people if their data got into wrong hands, such as: within 72 hours, in the support server."`
	Out        string `type:"existingdir" placeholder:"FOLDER" help:"Write privacy.md and terms.md into this folder instead of printing them; files of these names are replaced."`
}

func (privacyCommand) Help() string {
	return `Fills in the blanks of a privacy policy and of terms of use, which say what this bot stores. Read both before you publish them: they are templates, and no legal advice. Blanks that are left look like [OPERATOR], and end the command with 2.

  tictactoe privacy --operator "Ann Example, 1 Main Street, Exampletown" --contact ann@example.com --out .

Publish both, and give their addresses to serve as --privacy-url and --terms-url.`
}

func (c *privacyCommand) Run(s surroundings) error {
	var filled, left []string
	for _, blank := range []struct{ name, text string }{
		{"operator", c.Operator}, {"contact", c.Contact}, {"legal-basis", c.LegalBasis}, {"logs", c.Logs}, {"backups", c.Backups},
		{"processors", c.Processors}, {"authority", c.Authority}, {"minimum-age", c.MinimumAge}, {"breach", c.Breach},
	} {
		if blank.text == "" {
			left = append(left, "--"+blank.name)
		} else {
			filled = append(filled, "["+strings.ToUpper(blank.name)+"]", blank.text)
		}
	}
	for _, name := range []string{"privacy.md", "terms.md"} {
		template, err := templates.ReadFile("legal/" + name)
		if err != nil {
			return err
		}
		text := strings.NewReplacer(filled...).Replace(string(template))
		if c.Out != "" {
			err = os.WriteFile(filepath.Join(c.Out, name), []byte(text), 0o644)
		} else {
			_, err = io.WriteString(s.stdout, text+"\n")
		}
		if err != nil {
			return err
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("%w: %s", errBlanks, strings.Join(left, ", "))
	}
	return nil
}
