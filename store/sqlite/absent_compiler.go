//go:build !cgo

package sqlite

// SQLite needs a C compiler. Without one the build fails first, by the file's name, with this line.
var _ = install_a_C_compiler_such_as_gcc_or_clang_and_leave_CGO_ENABLED_alone
