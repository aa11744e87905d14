//go:build !linux

package soak

import "errors"

// smallDisk returns an error, since it mounts disks on Linux only.
func smallDisk(string) (fill func() (empty func(), err error), remove func() error, err error) {
	return nil, nil, errors.New("a small disk can be mounted on Linux only")
}
