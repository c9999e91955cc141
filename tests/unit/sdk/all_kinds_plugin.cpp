// A plugin with all four kinds, two learners among them: what module_test.cpp looks at from
// outside. It uses much of the standard library, whose templates must not be exported.
#include <algorithm>
#include <crossfold_plugin.hpp>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace cf = crossfold::plugin;

namespace {

template <int kIndex>
struct Constant {
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = kIndex == 0 ? "org.example.zero" : "org.example.one"},
      .tasks = CF_TASK_REGRESSION};
  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;
  static Constant Fit(const Params&, const cf::TrainingView& rows, const cf::Context&) {
    std::map<std::string, std::vector<double>> by_name;
    for (std::int64_t i = 0; i < rows.num_rows(); ++i) by_name["y"].push_back(rows.value(i));
    if (std::regex_search("x", std::regex("[0-9]"))) throw cf::Error(CF_E_INTERNAL, "regex");
    return {};
  }
  void Predict(const cf::FeatureView&, std::span<double> out, const cf::Context&) const {
    std::fill(out.begin(), out.end(), kIndex);
  }
};

struct PassAll {
  static constexpr cf::TransformInfo kInfo{.component = {.id = "org.example.pass_all"}};
  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;
  static PassAll Fit(const Params&, const cf::TrainingView&, const cf::Context&) { return {}; }
  void Apply(const cf::FeatureView& rows, cf::ColumnSink& sink, const cf::Context&) const {
    for (std::int64_t j = 0; j < rows.num_features(); ++j) sink.Pass(j);
  }
};

struct FirstRow {
  static constexpr cf::SplitterInfo kInfo{.component = {.id = "org.example.first_row"}};
  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;
  static void Split(const Params&, const cf::SplitInput& input, cf::SplitSink& sink,
                    const cf::Context&) {
    std::vector<std::int32_t> fold(static_cast<std::size_t>(input.num_rows()), -1);
    if (!fold.empty()) fold[0] = 0;
    sink.EmitPartition(fold, 1);
  }
};

struct Rows {
  static constexpr cf::MetricInfo kInfo{.component = {.id = "org.example.rows"}};
  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;
  static double Score(const Params&, const cf::MetricInput& input, const cf::Context&) {
    return static_cast<double>(input.num_rows());
  }
};

struct OneRow {
  static constexpr cf::SourceInfo kInfo{.component = {.id = "org.example.one_row"}};
  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;
  static int Sniff(const cf::SourceInput&) { return CF_SNIFF_NO; }
  static cf::Columns Open(const Params&, const cf::SourceInput&, const cf::Context&) {
    return {cf::SourceColumn::Doubles("x", {1})};
  }
};

}  // namespace

CROSSFOLD_PLUGIN("org.example.all_kinds", "3.2.1", "Example Org", "MIT", Constant<0>, PassAll,
                 FirstRow, Rows, OneRow, Constant<1>)
