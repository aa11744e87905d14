//go:build !unix

package main

import "errors"

func freeDisk(string) (uint64, error) { return 0, errors.ErrUnsupported }
