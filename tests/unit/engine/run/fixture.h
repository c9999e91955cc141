// The fixture plugin and small datasets, for the tests of plan, run and score.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/dataset.h"
#include "crossfold/error.h"
#include "crossfold/fitted_model.h"
#include "crossfold/pipeline.h"
#include "crossfold/plugin_host.h"
#include "crossfold/run.h"
#include "crossfold/spec.h"
#include "crossfold/split.h"

namespace crossfold::fixture {

inline const PluginHost& Host() {
  static const PluginHost host([] {
    PluginHostOptions options;
    options.paths = {CROSSFOLD_FIXTURE_PLUGIN};
    options.use_environment = options.use_user_folder = options.use_installation = false;
    return options;
  }());
  return host;
}

inline std::shared_ptr<const Spec> MakeSpec(Kind kind, const std::string& name,
                                            const ParamValues& values = {}) {
  return Spec::Make(Host().Find(kind, "fixture." + name), values);
}
inline std::shared_ptr<const Spec> Metric(const std::string& name, const ParamValues& values = {}) {
  return MakeSpec(Kind::kMetric, name, values);
}
inline std::shared_ptr<const Spec> Splitter(const std::string& name,
                                            const ParamValues& values = {}) {
  return MakeSpec(Kind::kSplitter, name, values);
}
inline std::shared_ptr<const Pipeline> Learner(const std::string& name,
                                               const ParamValues& values = {}) {
  return Pipeline::Make({MakeSpec(Kind::kLearner, name, values)});
}
// fixture.center before a learner.
inline std::shared_ptr<const Pipeline> Centred(const std::string& center_mode,
                                               const std::string& name,
                                               const ParamValues& values = {}) {
  return Pipeline::Make({MakeSpec(Kind::kTransform, "center", {{"mode", center_mode}}),
                         MakeSpec(Kind::kLearner, name, values)});
}

inline std::vector<std::string> LevelNames(std::size_t n) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < n; ++i) names.push_back(std::string(1, static_cast<char>('a' + i)));
  return names;
}

inline Roles WithTarget(const std::string& column) {
  Roles roles;
  roles.target = column;
  return roles;
}

// Feature x = 0, 1, 2, ...; target "class" with n_classes levels in turn.
inline std::shared_ptr<const Dataset> Classes(std::size_t n_rows, std::size_t n_classes) {
  std::vector<double> x(n_rows);
  std::vector<std::int32_t> codes(n_rows);
  for (std::size_t i = 0; i < n_rows; ++i) {
    x[i] = static_cast<double>(i);
    codes[i] = static_cast<std::int32_t>(i % n_classes);
  }
  return Dataset::Create(
      "classes",
      {Column::Doubles("x", x), Column::Categories("class", codes, LevelNames(n_classes))},
      WithTarget("class"));
}

// Feature x and numeric target y.
inline std::shared_ptr<const Dataset> Numbers(std::vector<double> x, std::vector<double> y) {
  return Dataset::Create("numbers",
                         {Column::Doubles("x", std::move(x)), Column::Doubles("y", std::move(y))},
                         WithTarget("y"));
}

inline DataView All(std::shared_ptr<const Dataset> data) { return {std::move(data), nullptr}; }
inline DataView Some(std::shared_ptr<const Dataset> data, std::vector<std::int64_t> rows) {
  return {std::move(data), std::make_shared<const std::vector<std::int64_t>>(std::move(rows))};
}

// Row i tests in fold i % n_folds.
inline std::shared_ptr<const SplitPlan> ModuloSplits(const DataView& view, std::int64_t n_folds,
                                                     std::int64_t repeats = 1) {
  return MakeSplits(*Splitter("nonsense", {{"folds", n_folds}, {"repeats", repeats}}), view, 1);
}

// x = 1 ... 6 and y = 10 x.
inline std::shared_ptr<const Dataset> SixNumbers() {
  return Numbers({1, 2, 3, 4, 5, 6}, {10, 20, 30, 40, 50, 60});
}
// Fold 0 tests rows 1 3 5 of them (counted from 1) and trains on rows 2 4 6, fold 1 the other way.
inline std::shared_ptr<const SplitPlan> SixRows() { return ModuloSplits(All(SixNumbers()), 2); }

inline RunOptions Workers(int workers, bool share = true) {
  RunOptions options;
  options.workers = workers;
  options.share = share;
  return options;
}

inline std::shared_ptr<const FittedModel> Fit(std::shared_ptr<const Pipeline> learner,
                                              const DataView& train) {
  return FittedModel::Fit(std::move(learner), train, 7, RunOptions());
}

// What goes to a log.
struct LogLines {
  std::vector<std::pair<std::int32_t, std::string>> lines;
  LogSink sink() {
    return [this](std::int32_t level, const std::string& line) { lines.emplace_back(level, line); };
  }
};

// Expects that `body` throws an Error of that kind with that whole text.
template <class Body>
void ExpectError(ErrorKind kind, const std::string& text, const Body& body) {
  try {
    body();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.what(), text);
    EXPECT_EQ(e.kind(), kind);
  }
}

}  // namespace crossfold::fixture
