// The live handles of a host, so that a wrong one is reported instead of used.
#pragma once

#include <memory>
#include <string>
#include <type_traits>

#include "crossfold/error.h"

namespace crossfold::c_api {

// Its address distinguishes the handles of one type from the others.
template <class T>
inline constexpr char kKind = 0;

// Thread-safe. A destroyed handle is not live, until a new one of its kind has the same address.
// Remember throws std::bad_alloc.
void Remember(const void* handle, const void* kind);
bool Forget(const void* handle, const void* kind) noexcept;
bool IsKnown(const void* handle, const void* kind) noexcept;

template <class T>
bool IsAlive(const T* handle) noexcept {
  return handle != nullptr && IsKnown(handle, &kKind<std::remove_cv_t<T>>);
}

// Gives the host a handle, which it must destroy.
template <class T>
T* HandOut(std::unique_ptr<T> made) {
  Remember(made.get(), &kKind<T>);
  return made.release();
}

// Does nothing for anything other than a live handle of this type.
template <class T>
void Destroy(T* handle) noexcept {
  if (handle != nullptr && Forget(handle, &kKind<T>)) delete handle;
}

// The handle. Throws Error if it is not live.
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
