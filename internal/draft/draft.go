// Package draft writes files that appear complete or not at all: what is interrupted leaves nothing under the final name.
package draft

import (
	"errors"
	"os"
	"path/filepath"
)

// File is a file that is not complete yet. It lies beside its place under another name, so that what is in its place is
// complete at every moment. It is for its owner only.
type File struct {
	*os.File
	place string
}

// New begins a file that is to be at that place.
func New(place string) (*File, error) {
	place, err := filepath.Abs(place)
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(filepath.Dir(place), filepath.Base(place)+".new-*")
	if err != nil {
		return nil, err
	}
	return &File{file, place}, nil
}

// Keep puts it in its place, instead of what is there, for good: it is on disk when Keep returns.
func (f *File) Keep() error {
	if err := f.Sync(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), f.place); err != nil {
		return err
	}
	return SyncFolder(filepath.Dir(f.place))
}

// Discard ends it; one that was kept stays.
func (f *File) Discard() {
	f.Close()
	os.Remove(f.Name()) // it is not there any more once it was kept
}

// SyncFolder makes what was renamed in a folder last through a power cut.
func SyncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
