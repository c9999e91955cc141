// Debian's Lua in C raises an error by __longjmp_chk, which the thread sanitizer does not know: for
// it, the functions that the error has left run on. So their list grows with each error, every
// allocation copies it, and tests take minutes instead of seconds. It does know longjmp.
#ifdef __SANITIZE_THREAD__
#undef _FORTIFY_SOURCE
#include <csetjmp>

extern "C" [[gnu::visibility("default")]] [[noreturn]] void __longjmp_chk(jmp_buf target,
                                                                          int value) {
  longjmp(target, value);
}
#endif
