// Package draft writes files that appear complete or not at all: if writing is interrupted, nothing has the final name. One exception is
// [File.KeepNew] on a file system without links, where a kill may leave an empty file of that name.
package draft

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a file that is not complete yet. It has another name in the folder of its final path, so that a file with the final path is
// complete at every moment. It gets the mode of the file that it will replace and, if root makes it, also the owner of that file. If
// there is no file to replace, only the owner can read the new file; a file that root makes then belongs to the owner of the folder.
type File struct {
	*os.File
	path  string // the final one
	given string // the path as New got it, which errors name
}

// Ending is the middle of the name of an incomplete file, between its final name and some random characters.
const Ending = ".new-"

// New begins a file that will have the given path. Errors name that path.
func New(given string) (*File, error) {
	path, err := filepath.Abs(given)
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+Ending+"*")
	f := &File{file, path, given}
	if err != nil {
		return nil, f.blame(err)
	}
	if err := f.followOld(); err != nil {
		f.Discard()
		return nil, err
	}
	return f, nil
}

// blame returns err with the path that New got in place of the path of the incomplete file, which people do not know.
func (f *File) blame(err error) error {
	if failed, is := errors.AsType[*fs.PathError](err); is {
		return &fs.PathError{Op: failed.Op, Path: f.given, Err: failed.Err}
	}
	if failed, is := errors.AsType[*os.LinkError](err); is {
		return &fs.PathError{Op: "write", Path: f.given, Err: failed.Err}
	}
	return err
}

// Write implements io.Writer.
func (f *File) Write(content []byte) (int, error) {
	n, err := f.File.Write(content)
	return n, f.blame(err)
}

// followOld gives the file the owner and the mode of the file with the final path, or else the owner of its folder.
func (f *File) followOld() error {
	if err := Own(f.File, f.path, filepath.Dir(f.path)); err != nil {
		return err
	}
	old, err := os.Stat(f.path)
	if err != nil || !old.Mode().IsRegular() {
		return nil // Keep says why it cannot be replaced
	}
	return f.Chmod(old.Mode().Perm() | 0o600)
}

// Keep gives the file its final path, in place of the file that is there. When Keep returns, all of it is on disk.
func (f *File) Keep() error {
	if err := f.Sync(); err != nil {
		return f.blame(err)
	}
	if err := os.Rename(f.Name(), f.path); err != nil {
		return f.blame(err)
	}
	return SyncFolder(filepath.Dir(f.path))
}

// KeepNew gives the file its final path, unless there is a file with that path: then it returns an error that wraps
// [fs.ErrExist], and changes nothing. When KeepNew returns nil, all of the file is on disk.
func (f *File) KeepNew() error {
	if err := f.Sync(); err != nil {
		return f.blame(err)
	}
	err := os.Link(f.Name(), f.path) // unlike a rename, it never replaces a file
	if err == nil {
		os.Remove(f.Name()) // if that fails, Discard tries again
	} else if !errors.Is(err, fs.ErrExist) {
		err = f.renameNew()
	}
	if err != nil {
		return f.blame(err)
	}
	return SyncFolder(filepath.Dir(f.path))
}

// renameNew does the work of KeepNew on file systems without links. It creates an empty file with the final path, or fails if a file has
// that path, and then replaces the empty file. If the process is killed in between, the empty file stays.
func (f *File) renameNew() error {
	reserved, err := os.OpenFile(f.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err = errors.Join(reserved.Close(), os.Rename(f.Name(), f.path)); err != nil {
		os.Remove(f.path)
	}
	return err
}

// Discard closes the file and removes it, unless it was kept.
func (f *File) Discard() {
	f.Close()
	os.Remove(f.Name()) // a file that was kept does not have this name any more
}

// SyncFolder returns when all renames in a folder survive a power cut.
func SyncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
