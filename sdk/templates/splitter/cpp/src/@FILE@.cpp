// @NAME@: shuffles the rows and deals them into folds (k-fold cross-validation).
#include <crossfold_plugin.hpp>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace cf = crossfold::plugin;

struct @STRUCT@ {
  static constexpr cf::SplitterInfo kInfo{
      .component = {.id = "@ID@",
                    .version = "0.1.0",
                    .title = "@NAME@",
                    .doc = "Shuffles the rows and deals them into folds like cards, so that sizes "
                           "differ by at most one. Each fold is the test set once. Refuses "
                           "data with groups."}};

  struct Params {
    std::int64_t folds = 5;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Integer("folds", &Params::folds, {.low = 2, .high = 1000000}, "Number of folds."));

  static void Split(const Params& params, const cf::SplitInput& input, cf::SplitSink& sink,
                    const cf::Context& context) {
    if (params.folds > input.num_rows()) {  // it never gives fewer than requested
      throw cf::Error(CF_E_INVALID_PARAM,
                      std::to_string(params.folds) + " folds exceed the " +
                          std::to_string(input.num_rows()) + " rows; use fewer folds");
    }
    if (input.has_groups()) {  // their rows must stay together
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      "the data have groups; use a splitter that keeps them together");
    }
    std::vector<std::size_t> order(std::size_t(input.num_rows()));
    std::iota(order.begin(), order.end(), std::size_t{0});
    cf::Random random = context.MakeRandom();  // the only source of randomness
    random.Shuffle(std::span(order));
    std::vector<std::int32_t> fold_of_row(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      fold_of_row[order[i]] = std::int32_t(std::int64_t(i) % params.folds);
    }
    sink.EmitPartition(fold_of_row, std::int32_t(params.folds));
  }
};

CROSSFOLD_PLUGIN("@ID@", "0.1.0", "@VENDOR@", "@LICENSE@", @STRUCT@)
