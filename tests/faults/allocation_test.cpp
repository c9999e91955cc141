// Memory that runs out: the n-th allocation of an operation fails, for every n. Each time there is
// a std::bad_alloc, an Error or a failed outcome; nothing crashes, nothing leaks (the sanitizer
// build tells), and the operation works afterwards.
//
// What is failed is operator new of this program, which the bundled plugins share. malloc inside C
// libraries (OpenSSL, libsvm, liblinear) is out of its reach; the learners that wrap such a library
// end the process when their malloc fails, and belong into a worker process. Finding plugins is
// left out for the same reason: the directory_iterator of libstdc++ 12 and the destructor of
// nlohmann's JSON allocate where nothing may be thrown.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/fit_models.h"
#include "crossfold/fitted_model.h"
#include "crossfold/openml_splits.h"
#include "crossfold/run.h"
#include "crossfold/score.h"
#include "encoding/dataset_image.h"
#include "encoding/outcome_fields.h"
#include "models/ensemble_file.h"
#include "unit/plugins/bundled_plugins.h"
#include "unit/sources/readings.h"

namespace {

// Which allocations fail. Global as operator new is.
constinit std::atomic<std::int64_t> allocations_left = std::numeric_limits<std::int64_t>::max();
constinit std::atomic<bool> stays_out = false;  // those after the failed one fail, too
constinit std::atomic<bool> has_failed = false;

void* Allocate(std::size_t n) noexcept {
  const std::int64_t left = allocations_left.fetch_sub(1);
  if (left == 1 || (left < 1 && stays_out)) {
    has_failed = true;
    return nullptr;
  }
  return std::malloc(n == 0 ? 1 : n);
}

void* AllocateOrThrow(std::size_t n) {
  void* place = Allocate(n);
  if (place == nullptr) throw std::bad_alloc();
  return place;
}

}  // namespace

void* operator new(std::size_t n) { return AllocateOrThrow(n); }
void* operator new[](std::size_t n) { return AllocateOrThrow(n); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return Allocate(n); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return Allocate(n); }
void operator delete(void* place) noexcept { std::free(place); }
void operator delete[](void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t) noexcept { std::free(place); }
void operator delete[](void* place, std::size_t) noexcept { std::free(place); }
void operator delete(void* place, const std::nothrow_t&) noexcept { std::free(place); }
void operator delete[](void* place, const std::nothrow_t&) noexcept { std::free(place); }

namespace crossfold {
namespace {

enum class Shortage { kOnce, kFromThenOn };

// Fails the n-th allocation from its making on, until it ends.
class ScopedShortage {
 public:
  ScopedShortage(std::int64_t n, Shortage shortage) {
    has_failed = false;
    stays_out = shortage == Shortage::kFromThenOn;
    allocations_left = n;
  }
  ~ScopedShortage() { End(); }
  ScopedShortage(const ScopedShortage&) = delete;
  ScopedShortage& operator=(const ScopedShortage&) = delete;

  void End() { allocations_left = std::numeric_limits<std::int64_t>::max(); }
};

// What an operation gives, as bytes, so that it can be compared.
using Operation = std::function<std::string()>;

constexpr const char* kFailed = "failed";

// "no memory" if an exception said so.
std::string Attempt(const Operation& operation, std::int64_t n, Shortage shortage) {
  ScopedShortage scope(n, shortage);
  try {
    return operation();
  } catch (const std::bad_alloc&) {
    scope.End();
    return kFailed;
  } catch (const Error&) {
    scope.End();
    return kFailed;
  }
}

// Stops at the first n that the operation does not reach.
void ExpectSoundWithoutMemory(const Operation& operation) {
  const std::string expected = operation();
  for (const Shortage shortage : {Shortage::kOnce, Shortage::kFromThenOn}) {
    std::int64_t n = 1;
    for (;; ++n) {
      const std::string found = Attempt(operation, n, shortage);
      if (!has_failed) break;
      // An algorithm may do without the memory that it asked for.
      ASSERT_TRUE(found == kFailed || found == expected) << "allocation " << n << ": " << found;
    }
    EXPECT_GT(n, 10);
    EXPECT_EQ(operation(), expected);
  }
}

std::shared_ptr<const Dataset> Classes() {
  return sources::ParseCsv(
      "x,k,c\n1,u,no\n2,v,yes\n3,u,no\n4,v,yes\n5,,no\n6,v,yes\n7,u,no\n8,u,yes\n", "classes",
      {.roles = {.target = "c"}, .threads = 1});
}

RunOptions OneWorker() {
  RunOptions options;
  options.workers = 1;
  return options;
}

std::shared_ptr<const Pipeline> Learner(std::string_view id, const ParamValues& values = {}) {
  return Pipeline::Make({BundledSpec(Kind::kLearner, id, values)});
}

TEST(AllocationTest, ReadingCsv) {
  ExpectSoundWithoutMemory([] { return Classes()->content_hash(); });
}

TEST(AllocationTest, ReadingArff) {
  constexpr std::string_view kText =
      "@relation r\n@attribute 'a b' {x,'y z'}\n@attribute n numeric\n@attribute s string\n"
      "@data\nx,1,one\n'y z',?,two\n{1 2.5, 2 three}\n";
  ExpectSoundWithoutMemory([&] { return sources::ParseArff(kText, "r", {})->content_hash(); });
}

TEST(AllocationTest, ReadingLibsvm) {
  ExpectSoundWithoutMemory([] {
    return sources::ParseSvmlight("1 1:0.5 3:2\n-1 2:1 # comment\n", "l", {})->content_hash();
  });
}

TEST(AllocationTest, ReadingOpenmlSplits) {
  constexpr std::string_view kText =
      "@relation s\n@attribute type {TRAIN,TEST}\n@attribute rowid numeric\n"
      "@attribute repeat numeric\n@attribute fold numeric\n@data\n"
      "TRAIN,0,0,0\nTEST,1,0,0\nTRAIN,1,0,1\nTEST,0,0,1\n";
  const auto data = Dataset::Create("two", {Column::Doubles("x", {1, 2})}, {});
  ExpectSoundWithoutMemory([&] {
    return FormatOpenmlSplits(*PlanOpenmlSplits(ParseOpenmlSplits(kText, "s"), {data, nullptr}));
  });
}

TEST(AllocationTest, ImageOfADataset) {
  const auto data = Classes();
  ExpectSoundWithoutMemory([&] {
    const DatasetImage image(*data);
    auto bytes = std::make_shared<std::vector<std::uint64_t>>((image.size() + 7) / 8);
    image.WriteTo(reinterpret_cast<char*>(bytes->data()));
    return ReadDatasetImage({reinterpret_cast<const char*>(bytes->data()), image.size()}, bytes)
        ->content_hash();
  });
}

TEST(AllocationTest, FittingSavingAndLoadingModels) {
  const auto data = Classes();
  for (const char* id : {"decision_tree", "naive_bayes"}) {
    ExpectSoundWithoutMemory([&] {
      const auto model = FittedModel::Fit(Learner(id), {data, nullptr}, 1, OneWorker());
      const auto loaded = FittedModel::FromBytes(model->ToBytes(), "m", BundledPlugins());
      const Prediction prediction = loaded->Predict({data, nullptr}, OneWorker());
      std::string bytes = loaded->ToBytes();
      for (const std::int32_t label : prediction.labels) bytes += std::to_string(label);
      return bytes;
    });
  }
}

TEST(AllocationTest, FittingManyModels) {
  const auto data = Classes();
  const std::vector<FitJob> jobs(2, {Learner("decision_tree"), {data, nullptr}, 1});
  ExpectSoundWithoutMemory([&] {
    std::string bytes;
    for (const FitResult& result : FitModels(jobs, OneWorker())) {
      if (result.error) return std::string(kFailed);
      bytes += result.model->ToBytes();
    }
    return bytes;
  });
}

TEST(AllocationTest, SavedEnsembles) {
  const auto data = Classes();
  const auto model = FittedModel::Fit(Learner("decision_tree"), {data, nullptr}, 1, OneWorker());
  const SavedEnsemble saved{"voting",
                            "voting{a}",
                            model->outline(),
                            {{"vote", true}},
                            {{"a", std::vector<std::string>{"x"}, model->ToBytes()}}};
  ExpectSoundWithoutMemory(
      [&] { return WriteEnsemble(ReadEnsemble(WriteEnsemble(saved), "cannot load: ")); });
}

// Outcomes as bytes, without their times; "failed" if one is not ok.
std::string BytesOf(std::vector<Outcome> outcomes) {
  FieldWriter fields;
  for (Outcome& outcome : outcomes) {
    if (outcome.status != OutcomeStatus::kOk) return kFailed;
    outcome.fit_s = outcome.predict_s = 0;
    outcome.warnings.clear();
    WriteOutcome(outcome, fields);
  }
  return fields.Take();
}

void ExpectSoundRuns(const std::shared_ptr<const Pipeline>& learner, bool share) {
  const auto data = Classes();
  const auto metrics =
      std::make_shared<const MetricList>(MetricList{BundledSpec(Kind::kMetric, "accuracy", {})});
  const auto splitter = BundledSpec(Kind::kSplitter, "kfold", {{"folds", std::int64_t{2}}});
  RunOptions options = OneWorker();
  options.share = share;
  ExpectSoundWithoutMemory([&] {
    const auto splits = MakeSplits(*splitter, {data, nullptr}, 1);
    std::vector<Cell> cells;
    for (std::int64_t split = 0; split < splits->size(); ++split) {
      cells.push_back({learner, splits, split, 7, metrics, Keep::kProbabilities});
    }
    return BytesOf(RunAndScore(cells, options));
  });
}

TEST(AllocationTest, RunningCells) { ExpectSoundRuns(Learner("decision_tree"), false); }

TEST(AllocationTest, RunningCellsThatShareWork) {
  ExpectSoundRuns(Learner("decision_tree"), true);
  ExpectSoundRuns(Learner("naive_bayes"), true);
}

TEST(AllocationTest, RunningPipelines) {
  ExpectSoundRuns(Pipeline::Make({BundledSpec(Kind::kTransform, "impute", {}),
                                  BundledSpec(Kind::kTransform, "one_hot", {}),
                                  BundledSpec(Kind::kTransform, "standardize", {}),
                                  BundledSpec(Kind::kLearner, "knn", {{"k", std::int64_t{1}}})}),
                  true);
}

}  // namespace
}  // namespace crossfold
