#include "engine/plugin/fit_memory.h"

#include "engine/plugin/plugin_call.h"

namespace crossfold {
namespace {

// `function` is a member of the table; fit_bytes() and cross_bytes() have one type.
std::optional<std::uint64_t> AskMemory(decltype(&cf_cap_fit_memory::fit_bytes) function,
                                       const Spec& learner, const Dataset& data,
                                       std::int64_t n_rows, std::uint32_t n_threads) {
  const auto* table = learner.component().capability<cf_cap_fit_memory>(CF_CAP_FIT_MEMORY);
  if (table == nullptr || table->*function == nullptr) return std::nullopt;
  const cf_shape shape = ShapeOf(data.features(), n_rows, data.num_classes());
  CallOptions options;
  options.n_threads = n_threads;
  std::uint64_t bytes = 0;
  const CallResult result = CallPlugin(learner.component(), options, [&](const cf_call* call) {
    return (table->*function)(call, learner.args().data(), learner.args().size(), &shape, &bytes);
  });
  if (!result.ok()) return std::nullopt;
  return bytes;
}

}  // namespace

cf_shape ShapeOf(std::span<const cf_column> features, std::int64_t n_rows, std::int64_t n_classes) {
  cf_shape shape{};
  shape.struct_size = sizeof(cf_shape);
  shape.n_rows = n_rows;
  shape.n_features = static_cast<std::int64_t>(features.size());
  for (const cf_column& column : features) {
    ++(column.dtype == CF_CAT32 ? shape.n_categorical : shape.n_numeric);
  }
  shape.n_classes = n_classes;
  return shape;
}

std::optional<std::uint64_t> FitMemory(const Spec& learner, const Dataset& data,
                                       std::int64_t n_rows, std::uint32_t n_threads) {
  return AskMemory(&cf_cap_fit_memory::fit_bytes, learner, data, n_rows, n_threads);
}

std::optional<std::uint64_t> CrossMemory(const Spec& learner, const Dataset& data,
                                         std::int64_t n_rows, std::uint32_t n_threads) {
  return AskMemory(&cf_cap_fit_memory::cross_bytes, learner, data, n_rows, n_threads);
}

}  // namespace crossfold
