package storetest_test

import (
	"testing"

	"tictactoe/internal/replica/lease"
	"tictactoe/store/storetest"
)

func TestLeasesInMemory(t *testing.T) {
	storetest.Leases(t, func(*testing.T) lease.Store { return &lease.Memory{} })
}
