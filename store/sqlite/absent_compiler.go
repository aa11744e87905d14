//go:build !cgo

package sqlite

// SQLite needs a C compiler. Without one the build stops here, so that the error shows this identifier and
// the name of the file.
var _ = install_a_C_compiler_such_as_gcc_or_clang_and_leave_CGO_ENABLED_alone
