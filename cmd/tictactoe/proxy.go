package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"tictactoe/bot/rest"
)

var errProxy = errors.New("no usable proxy")

// wayToDiscord describes, in words for people, whether requests reach Discord directly or through a proxy. An invalid proxy is an error
// that wraps errProxy.
func wayToDiscord(env func(string) string, discordURL string) (string, error) {
	used := map[string]string{} // for each scheme of requests, the variable that net/http reads
	for _, scheme := range []string{"https", "http"} {
		name := strings.ToUpper(scheme) + "_PROXY"
		if env(name) == "" {
			name = strings.ToLower(name)
		}
		if value := env(name); value != "" {
			if !isProxy(value) {
				return "", fmt.Errorf("%w: %s is not the URL of a proxy such as http://127.0.0.1:3128 or http://user:password@host:3128; "+
					"in a password, characters such as # / @ %% are written %%23 %%2F %%40 %%25", errProxy, name) // not the value: it may contain a password
			}
			used[scheme] = name
		}
	}
	site, err := url.Parse(rest.Site(discordURL))
	if err != nil {
		return "", err
	}
	proxy, err := http.ProxyFromEnvironment(&http.Request{URL: site})
	switch name := used[site.Scheme]; {
	case err != nil:
		return "", fmt.Errorf("%w: %w", errProxy, err)
	case proxy != nil:
		return fmt.Sprintf("through the proxy %s (%s)", rest.ShownProxy(proxy), name), nil
	case name != "":
		return fmt.Sprintf("directly (%s is for other hosts: NO_PROXY excludes %s, or it is this machine)", name, site.Host), nil
	default:
		return "directly", nil
	}
}

// isProxy reports whether a value names a proxy that the bot can use. net/http would silently ignore some invalid values. A host and port
// are valid without http:// before them.
func isProxy(value string) bool {
	proxy, err := url.Parse(value)
	if bare := !strings.Contains(value, "://"); bare {
		proxy, err = url.Parse("http://" + value)
		if err == nil && proxy.Port() == "" {
			return false // a word such as "none"
		}
	}
	if err != nil || proxy.Hostname() == "" || proxy.Scheme != "http" && proxy.Scheme != "https" {
		return false
	}
	return strings.Trim(proxy.Path, "/") == "" && proxy.RawQuery == "" && proxy.Fragment == ""
}
