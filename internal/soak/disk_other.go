//go:build !linux

package soak

import "errors"

// smallDisk is for Linux only.
func smallDisk(string) (fill func() (empty func(), err error), remove func() error, err error) {
	return nil, nil, errors.New("a small disk can be mounted on Linux only")
}
