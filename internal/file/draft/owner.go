package draft

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Own gives a file or folder to the owner of the first of the other paths that exists, if this process is root. The bot runs as
// another user, and could not start if one of its files belonged to root. If this process is not root, or may not give files away,
// Own does nothing.
func Own(file *os.File, like ...string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	made, err := file.Stat()
	if err != nil {
		return err
	}
	for _, path := range like {
		model, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		user, group := Owner(model)
		if u, g := Owner(made); u == user && g == group {
			return nil
		}
		if err := file.Chown(user, group); !errors.Is(err, fs.ErrPermission) {
			return err
		}
		return nil
	}
	return nil
}

// MakeFolder makes a folder that only its owner can use, and the folders above it, unless they exist. Each new folder gets the owner of
// its parent folder, see [Own].
func MakeFolder(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	above := filepath.Dir(path)
	if err := MakeFolder(above); err != nil {
		return err
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		if errors.Is(err, fs.ErrExist) { // another process has made it since
			return nil
		}
		return err
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(Own(folder, above), folder.Close())
}
