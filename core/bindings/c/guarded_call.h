// The boundary: a C function with a C++ body. Exceptions become a status and a message, and what a
// host set for floating-point arithmetic neither changes a result nor is changed.
#pragma once

#include <fenv.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "bindings/c/handles.h"
#include "crossfold/error.h"

namespace crossfold::c_api {

// The default floating-point environment as long as it lives; then that of the host, flags
// included.
class DefaultArithmetic {
 public:
  DefaultArithmetic() {
    fegetenv(&host_);
    fesetenv(FE_DFL_ENV);
  }
  ~DefaultArithmetic() { fesetenv(&host_); }
  DefaultArithmetic(const DefaultArithmetic&) = delete;
  DefaultArithmetic& operator=(const DefaultArithmetic&) = delete;

 private:
  fenv_t host_;
};

inline crossfold_status StatusOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kInvalidArgument:
      return CROSSFOLD_INVALID_ARGUMENT;
    case ErrorKind::kBadData:
      return CROSSFOLD_BAD_DATA;
    case ErrorKind::kBadPlugin:
      return CROSSFOLD_BAD_PLUGIN;
    case ErrorKind::kIo:
      return CROSSFOLD_IO;
    case ErrorKind::kCancelled:
      return CROSSFOLD_CANCELLED;
    case ErrorKind::kFailed:
      return CROSSFOLD_FAILED;
    case ErrorKind::kOutOfMemory:
      return CROSSFOLD_OUT_OF_MEMORY;
  }
  return CROSSFOLD_INTERNAL;
}

inline constexpr char kForeignException[] =
    "cannot finish the call: a callback of the host threw something that is not a std::exception; "
    "catch it "
    "in the callback";

inline void SetError(crossfold_context& context, const char* text) noexcept {
  context.plain_error = nullptr;
  try {
    context.error = text;
  } catch (const std::exception&) {
    context.plain_error = "cannot report the failure: there is not enough memory; free some";
  }
}

// Runs `work`; what it throws is the context's error. REQUIRES: the context is this call's.
template <class Work>
crossfold_status Translate(crossfold_context& context, Work&& work) noexcept {
  try {
    const DefaultArithmetic arithmetic;
    work();
    return CROSSFOLD_OK;
  } catch (const Error& error) {
    SetError(context, error.what());
    return StatusOf(error.kind());
  } catch (const std::bad_alloc&) {
    SetError(context,
             "cannot finish the call: there is not enough memory; give the process more (ulimit "
             "-v), or do less at a time");
    return CROSSFOLD_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    SetError(context, error.what());
  } catch (...) {
    SetError(context, kForeignException);
  }
  return CROSSFOLD_INTERNAL;
}

// One call with a context. CROSSFOLD_BUSY if it is in another; `work` is then not run.
template <class Work>
crossfold_status Call(crossfold_context* context, Work&& work) noexcept {
  if (!IsAlive(context)) return CROSSFOLD_INVALID_ARGUMENT;
  if (context->is_busy.exchange(true, std::memory_order_acquire)) return CROSSFOLD_BUSY;
  crossfold_status status = CROSSFOLD_INVALID_ARGUMENT;
  if (context->plugins) status = Translate(*context, work);
  context->is_busy.store(false, std::memory_order_release);
  return status;
}

// A call without a context, which cannot report why it fails.
template <class Work>
crossfold_status Quietly(Work&& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return CROSSFOLD_OUT_OF_MEMORY;
  } catch (...) {
    return CROSSFOLD_INTERNAL;
  }
}

// Refuses a null argument.
template <class T>
T* NotNull(T* argument, const char* attempt, const char* name) {
  if (argument != nullptr) return argument;
  throw Error(ErrorKind::kInvalidArgument,
              std::string(attempt) + ": argument '" + name + "' is NULL; give one");
}

// A call that gives the host the handle `name`, which `make` makes; null if the call fails.
template <class T, class Make>
crossfold_status CallToMake(crossfold_context* context, T** handle, const char* attempt,
                            const char* name, Make&& make) noexcept {
  if (handle != nullptr) *handle = nullptr;
  return Call(context, [&] {
    NotNull(handle, attempt, name);
    *handle = HandOut(std::unique_ptr<T>(make()));
  });
}

// The caller's struct, whatever version it has: fields that it lacks are 0. Nothing if it is older
// than the first version, whose size is `first`.
template <class T>
bool ReadStruct(const T* given, T& read, std::size_t first = sizeof(T)) {
  if (given == nullptr || given->struct_size < first) return false;
  read = T{};
  std::memcpy(&read, given, std::min<std::size_t>(given->struct_size, sizeof(T)));
  return true;
}

// Fills in the fields that the caller's struct has. Keeps its struct_size.
template <class T>
crossfold_status WriteStruct(T filled, T* out, std::size_t first = sizeof(T)) {
  if (out == nullptr || out->struct_size < first) return CROSSFOLD_INVALID_ARGUMENT;
  filled.struct_size = out->struct_size;
  std::memcpy(out, &filled, std::min<std::size_t>(out->struct_size, sizeof(T)));
  return CROSSFOLD_OK;
}

}  // namespace crossfold::c_api
