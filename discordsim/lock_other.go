//go:build !unix

package discordsim

import "os"

// lockState does nothing where there is no flock: two simulators on one file are then not noticed.
func lockState(string) (*os.File, error) { return nil, nil }

func unlockState(*os.File) {}
