// XGBoost's C interface with owners and exceptions.
#pragma once

#include <xgboost/c_api.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "crossfold_plugin.hpp"

// A function of the OpenMP that the library uses; missing if the library was built without it.
extern "C" {
int omp_get_max_threads() __attribute__((weak));
void omp_set_num_threads(int) __attribute__((weak));
}

namespace crossfold::bundled::xgb {

// While one lives, loops of the library that ignore its settings run on this thread only. It is a
// setting of the calling thread.
class OneThread {
 public:
  OneThread() {
    if (omp_get_max_threads == nullptr || omp_set_num_threads == nullptr) return;
    before_ = omp_get_max_threads();
    omp_set_num_threads(1);
  }
  ~OneThread() {
    if (before_ > 0) omp_set_num_threads(before_);
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_ = 0;
};

// "[12:00:00] ./src/a.cc:1: Check failed: x > 0 \nStack trace: ..." -> "Check failed: x > 0"
inline std::string Complaint(std::string_view error) {
  error = error.substr(0, error.find('\n'));
  if (error.starts_with('[')) {
    const std::size_t path = std::min(error.find("] "), error.size());
    const std::size_t end = error.find(": ", path);
    if (end != std::string_view::npos) error.remove_prefix(end + 2);
  }
  while (error.ends_with(' ')) error.remove_suffix(1);
  return std::string(error);
}

// Throws Error with the library's message about a failed call.
inline void Require(int status, cf_status code = CF_E_INTERNAL) {
  if (status != 0) throw plugin::Error(code, "xgboost: " + Complaint(XGBGetLastError()));
}

// While one lives, the messages of the library on this thread go to the log of the call. The
// library's callback is a setting of the thread and carries no data of the caller.
class Logging {
 public:
  explicit Logging(const plugin::Context& context) {
    Current() = &context;
    Require(XGBRegisterLogCallback(&Log));
  }
  ~Logging() { Current() = nullptr; }
  Logging(const Logging&) = delete;
  Logging& operator=(const Logging&) = delete;

 private:
  static const plugin::Context*& Current() {
    thread_local const plugin::Context* current = nullptr;
    return current;
  }
  static void Log(const char* message) {
    if (Current() == nullptr) return;
    Current()->Log(CF_LOG_WARN, ("xgboost: " + Complaint(message)).c_str());
  }
};

// Rows in the form of the library; NaN is missing.
class Rows {
 public:
  Rows(std::span<const float> dense, std::size_t n, std::size_t d) {
    Require(XGDMatrixCreateFromMat(dense.data(), n, d, std::numeric_limits<float>::quiet_NaN(),
                                   &handle_));
  }
  ~Rows() { XGDMatrixFree(handle_); }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  void Set(const char* field, std::span<const float> numbers) {
    Require(XGDMatrixSetFloatInfo(handle_, field, numbers.data(), numbers.size()));
  }
  DMatrixHandle handle() const { return handle_; }

 private:
  DMatrixHandle handle_ = nullptr;
};

class Booster {
 public:
  Booster() = default;
  // For training on these rows and, if not null, measuring the loss on others. They must outlive
  // the training.
  explicit Booster(const Rows& rows, const Rows* validation = nullptr) {
    std::vector<DMatrixHandle> handles = {rows.handle()};
    if (validation != nullptr) handles.push_back(validation->handle());
    Require(XGBoosterCreate(handles.data(), handles.size(), &handle_));
    SetUp();
  }
  // Loads the result of Bytes(). The caller has checked that it is undamaged.
  static Booster FromBytes(std::string_view bytes) {
    const OneThread one_thread;  // trees are read in parallel, whatever "nthread" says
    Booster loaded;
    Require(XGBoosterCreate(nullptr, 0, &loaded.handle_));
    Require(XGBoosterLoadModelFromBuffer(loaded.handle_, bytes.data(), bytes.size()),
            CF_E_BAD_BLOB);
    loaded.SetUp();
    return loaded;
  }
  ~Booster() {
    if (handle_ != nullptr) XGBoosterFree(handle_);
  }
  Booster(Booster&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Booster& operator=(Booster&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }

  void Set(const char* name, const std::string& value) {
    Require(XGBoosterSetParam(handle_, name, value.c_str()), CF_E_INVALID_PARAM);
  }
  void AddRound(int round, const Rows& rows) {
    Require(XGBoosterUpdateOneIter(handle_, round, rows.handle()));
  }
  // Returns the objective's own loss on rows after that round, such as the log loss.
  double LossAfter(int round, const Rows& rows) {
    DMatrixHandle handle = rows.handle();
    const char* name = "validation";
    const char* text = nullptr;  // "[3]\tvalidation-logloss:0.25"
    Require(XGBoosterEvalOneIter(handle_, round, &handle, &name, 1, &text));
    const std::string_view line = text;
    const std::string_view number = line.substr(line.rfind(':') + 1);
    double loss = 0;
    if (std::from_chars(number.data(), number.data() + number.size(), loss).ec != std::errc()) {
      throw plugin::Error(CF_E_INTERNAL, "xgboost gave no loss, but '" + std::string(line) + "'");
    }
    return loss;
  }
  // Returns a booster with the first rounds only.
  Booster FirstRounds(int rounds) const {
    Booster first;
    Require(XGBoosterSlice(handle_, 0, rounds, 1, &first.handle_));
    return first;
  }
  std::string Bytes() const {
    bst_ulong size = 0;
    const char* bytes = nullptr;
    Require(XGBoosterSaveModelToBuffer(handle_, R"({"format":"ubj"})", &size, &bytes));
    return {bytes, size};
  }
  std::uint64_t num_features() const {
    bst_ulong n = 0;
    Require(XGBoosterGetNumFeature(handle_, &n));
    return n;
  }

  // n rows x n_outputs, valid until the next call on this thread.
  std::span<const float> Predict(std::span<const float> dense, std::size_t n,
                                 std::size_t n_outputs) const {
    const std::size_t d = dense.size() / n;
    const std::string array = R"({"data":[)" +
                              std::to_string(reinterpret_cast<std::uintptr_t>(dense.data())) +
                              R"(,true],"shape":[)" + std::to_string(n) + "," + std::to_string(d) +
                              R"(],"typestr":"<f4","version":3})";
    constexpr const char* kConfig =
        R"({"type":0,"training":false,"iteration_begin":0,"iteration_end":0,"strict_shape":true,)"
        R"("missing":NaN,"cache_id":0})";
    const bst_ulong* shape = nullptr;
    bst_ulong n_dimensions = 0;
    const float* result = nullptr;
    Require(XGBoosterPredictFromDense(handle_, array.c_str(), kConfig, nullptr, &shape,
                                      &n_dimensions, &result));
    if (n_dimensions != 2 || shape[0] != n || shape[1] != n_outputs) {
      throw plugin::Error(CF_E_INTERNAL, "xgboost returned predictions of a different shape");
    }
    return {result, n * n_outputs};
  }

 private:
  // Settings that are not part of a saved model: one thread, warnings only.
  void SetUp() {
    Set("nthread", "1");
    Set("verbosity", "1");
  }

  BoosterHandle handle_ = nullptr;
};

}  // namespace crossfold::bundled::xgb
