// Which handles of a host are alive, so that a wrong one is told and not followed.
#pragma once

#include <memory>
#include <string>
#include <type_traits>

#include "crossfold/error.h"

namespace crossfold::c_api {

// Its address tells the handles of one type from the others.
template <class T>
inline constexpr char kKind = 0;

// Thread-safe. A handle that was destroyed is none, until its address is that of a new one of its
// kind. Remember throws std::bad_alloc.
void Remember(const void* handle, const void* kind);
bool Forget(const void* handle, const void* kind) noexcept;
bool IsKnown(const void* handle, const void* kind) noexcept;

template <class T>
bool IsAlive(const T* handle) noexcept {
  return handle != nullptr && IsKnown(handle, &kKind<std::remove_cv_t<T>>);
}

// Gives the host what it is to destroy.
template <class T>
T* HandOut(std::unique_ptr<T> made) {
  Remember(made.get(), &kKind<T>);
  return made.release();
}

// Nothing happens to what is no such handle, or none any more.
template <class T>
void Destroy(T* handle) noexcept {
  if (handle != nullptr && Forget(handle, &kKind<T>)) delete handle;
}

// Refuses a handle that is not alive.
template <class T>
T* Alive(T* handle, const char* attempt, const char* name) {
  if (IsAlive(handle)) return handle;
  throw Error(ErrorKind::kInvalidArgument,
              std::string(attempt) + ": argument '" + name + "' is " +
                  (handle == nullptr ? "NULL; give one"
                                     : "not a live handle of its kind; pass one that "
                                       "was made and not destroyed"));
}

}  // namespace crossfold::c_api
