// The second of a binding's three phases: (1) arguments, which may raise, with nothing alive that
// has a destructor; (2) C++ work under Protect, which may throw but calls no Lua; (3) results.
#pragma once

#include <cstddef>
#include <cstring>
#include <exception>
#include <lua.hpp>
#include <new>

#include "crossfold/error.h"

namespace crossfold::lua {

// What went wrong in phase 2; plain memory, so it may be alive when Lua raises.
struct ErrorText {
  static constexpr std::size_t kCapacity = 8192;
  char text[kCapacity];
  bool cancelled;
  int argument;  // which one is wrong; 0 = none

  void Set(const char* what) noexcept {
    const std::size_t n = std::strlen(what);
    if (n < kCapacity) {
      std::memcpy(text, what, n + 1);
      return;
    }
    std::memcpy(text, what, kCapacity - 4);
    std::memcpy(text + kCapacity - 4, "...", 4);
  }
};

// What phase 2 throws because of an argument; reported as Lua's library reports such.
struct BadArgument {
  int argument;
  const char* finding;
};

inline void RequireArgument(bool fits, int argument, const char* finding) {
  if (!fits) throw BadArgument{argument, finding};
}

inline constexpr char kShortage[] =
    "cannot finish the call: there is not enough memory; keep less at a time, or give the process "
    "more (ulimit -v)";
inline constexpr char kForeignException[] =
    "cannot finish the call: a callback of the host threw something that is not a std::exception; "
    "catch it "
    "in the callback";

// Runs `work`; false if it threw, with the text in `error`.
template <class Work>
bool Protect(ErrorText& error, Work&& work) noexcept {
  error.cancelled = false;
  error.argument = 0;
  try {
    work();
    return true;
  } catch (const Error& e) {
    error.cancelled = e.kind() == ErrorKind::kCancelled;
    error.Set(e.what());
  } catch (const BadArgument& bad) {
    error.argument = bad.argument;
    error.Set(bad.finding);
  } catch (const std::bad_alloc&) {
    error.Set(kShortage);
  } catch (const std::exception& e) {
    error.Set(e.what());
  } catch (...) {
    error.Set(kForeignException);
  }
  return false;
}

// Raises `message` with "file:line: " of the innermost line that is not Crossfold's own code.
[[noreturn]] void Raise(lua_State* L, const char* message);
// Raises `error`; a cancellation as the value that PushCancelled pushes.
[[noreturn]] void Raise(lua_State* L, const ErrorText& error);
// Pushes an error value that is identified by its address in the registry, `key`: one table per
// state, equal to itself only, with this text and, if it is not null, name.
void PushErrorValue(lua_State* L, const void* key, const char* text, const char* name);
// The error value that means "the host asked to stop".
void PushCancelled(lua_State* L);
// Pushes "file:line: " or "".
void PushWhere(lua_State* L);

// Runs phase 2 and raises its error if `work` throws.
template <class Work>
void Try(lua_State* L, Work&& work) {
  ErrorText error;
  if (!Protect(error, work)) Raise(L, error);
}

}  // namespace crossfold::lua
