// Experiments of the C API with a store.
#include <sqlite3.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>

#include "temporary_folder.h"
#include "unit/bindings/c/handles.h"

namespace crossfold {
namespace {

// Two learners in ten folds: 20 cells.
std::string Experiment(const std::string& store) {
  const std::string member = store.empty() ? "" : R"(, "store": ")" + store + '"';
  return R"({"learners": {"knn": "knn{k=5}", "floor": "featureless"}, "splitter": "kfold",
             "metrics": ["accuracy", "log_loss"], "keep": "probabilities")" +
         member + "}";
}

class CStoreTest : public testing::Test {
 protected:
  const test::TemporaryFolder folder_;
  const std::string store_ = folder_.path() / "runs.cfdb";
  const Handle<crossfold_context> context_ = NewContext();
  const Handle<crossfold_dataset> iris_ = Iris(context_.get());
};

TEST_F(CStoreTest, CellsAreComputedOnceAndTheirNumbersStay) {
  const auto plain = Evaluate(context_.get(), iris_.get(), Experiment(""));
  const auto first = Evaluate(context_.get(), iris_.get(), Experiment(store_));
  EXPECT_EQ(InfoOf(plain.get()).n_found, 0u);
  EXPECT_EQ(InfoOf(first.get()).n_found, 0u);
  const auto other = NewContext();
  const auto again = Evaluate(other.get(), Iris(other.get()).get(), Experiment(store_));
  EXPECT_EQ(InfoOf(again.get()).n_found, 20u);
  EXPECT_EQ(ScoresOf(first.get()), ScoresOf(plain.get()));
  EXPECT_EQ(ScoresOf(again.get()), ScoresOf(plain.get()));
  auto kept = Sized<crossfold_predictions>(), expected = Sized<crossfold_predictions>();
  ASSERT_EQ(crossfold_result_predictions(again.get(), 1, &kept), CROSSFOLD_OK);
  ASSERT_EQ(crossfold_result_predictions(plain.get(), 1, &expected), CROSSFOLD_OK);
  ASSERT_EQ(kept.n_rows, 150u);
  EXPECT_TRUE(std::equal(kept.probabilities, kept.probabilities + 450, expected.probabilities));
}

TEST_F(CStoreTest, ACallThatIsCancelledKeepsWhatHadFinished) {
  TestOptions options;
  options.progress = [](void*, std::uint64_t finished, std::uint64_t) {
    return finished >= 3 ? std::int32_t{1} : 0;
  };
  const auto stopping = NewContext(options);
  crossfold_result* none = nullptr;
  EXPECT_EQ(crossfold_evaluate(stopping.get(), Iris(stopping.get()).get(), nullptr,
                               Experiment(store_).c_str(), &none),
            CROSSFOLD_CANCELLED);
  EXPECT_EQ(none, nullptr);
  const auto result = Evaluate(context_.get(), iris_.get(), Experiment(store_));
  EXPECT_GE(InfoOf(result.get()).n_found, 3u);
  EXPECT_LT(InfoOf(result.get()).n_found, 20u);
  const auto plain = Evaluate(context_.get(), iris_.get(), Experiment(""));
  EXPECT_EQ(ScoresOf(result.get()), ScoresOf(plain.get()));
}

TEST_F(CStoreTest, CellsOfWorkerProcessesAreKept) {
  std::string isolated = Experiment(store_);
  isolated.insert(1, R"("isolate": "worker", )");
  Evaluate(context_.get(), iris_.get(), isolated);
  EXPECT_EQ(InfoOf(Evaluate(context_.get(), iris_.get(), isolated).get()).n_found, 20u);
}

TEST_F(CStoreTest, AFileThatIsNoStoreIsLeftAlone) {
  const std::string file = folder_.Write("notes.txt", "These are no cells.");
  crossfold_result* none = nullptr;
  EXPECT_EQ(
      crossfold_evaluate(context_.get(), iris_.get(), nullptr, Experiment(file).c_str(), &none),
      CROSSFOLD_BAD_DATA);
  EXPECT_EQ(crossfold_last_error(context_.get()),
            "cannot open store '" + file + "': it is not a Crossfold store; use another path");
  EXPECT_EQ(test::ReadBytes(file), "These are no cells.");
}

TEST_F(CStoreTest, AnEmptyPathIsRefused) {
  crossfold_result* none = nullptr;
  EXPECT_EQ(
      crossfold_evaluate(context_.get(), iris_.get(), nullptr,
                         R"({"learners": ["knn"], "splitter": "holdout", "store": ""})", &none),
      CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_STREQ(crossfold_last_error(context_.get()),
               "cannot run the experiment: 'store' is empty; name a file");
}

// The system would see "runs" only, which is another file.
TEST_F(CStoreTest, APathWithANulIsRefused) {
  crossfold_result* none = nullptr;
  EXPECT_EQ(
      crossfold_evaluate(
          context_.get(), iris_.get(), nullptr,
          R"({"learners": ["knn"], "splitter": "holdout", "store": "runs\u0000.cfdb"})", &none),
      CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_STREQ(crossfold_last_error(context_.get()),
               "cannot run the experiment: 'store' contains a NUL; name a file");
}

// crossfold gc keeps the last run of each script: a host that asks for the same experiment on
// several datasets loses none of them.
TEST_F(CStoreTest, RunsOnOtherRowsAreThoseOfAnotherScript) {
  const auto scripts = [&] {
    const std::string bytes = test::ReadBytes(store_) + test::ReadBytes(store_ + "-wal");
    std::set<std::string> found;
    const std::string name = "experiment ";
    for (std::size_t at = bytes.find(name); at != std::string::npos;
         at = bytes.find(name, at + 1)) {
      const std::string hash = bytes.substr(at + name.size(), 12);
      if (hash.find_first_not_of("0123456789abcdef") == std::string::npos) found.insert(hash);
    }
    return found;
  };
  Evaluate(context_.get(), iris_.get(), Experiment(store_));
  Evaluate(context_.get(), Iris(context_.get()).get(), Experiment(store_));
  EXPECT_EQ(scripts().size(), 1u);
  const auto wine = ReadFile(context_.get(), "wine.csv", R"({"target": "class"})");
  Evaluate(context_.get(), wine.get(), Experiment(store_));
  EXPECT_EQ(scripts().size(), 2u);
}

// A table that refuses rows stands for a disk that is full.
void Fill(const std::string& store) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(store.c_str(), &db), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(db,
                         "CREATE TRIGGER full BEFORE INSERT ON cells BEGIN "
                         "SELECT RAISE(ABORT, 'no room'); END",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(db);
}

TEST_F(CStoreTest, AStoreThatTakesNoMoreIsToldAndTheResultIsThere) {
  const auto first = Evaluate(context_.get(), iris_.get(), Experiment(store_));
  EXPECT_EQ(InfoOf(first.get()).store_problem, nullptr);
  Fill(store_);
  std::string other = Experiment(store_);
  other.insert(1, R"("seed": 5, "on_store_error": "continue", )");
  const auto result = Evaluate(context_.get(), iris_.get(), other);
  ASSERT_NE(InfoOf(result.get()).store_problem, nullptr);
  EXPECT_THAT(InfoOf(result.get()).store_problem,
              testing::StartsWith("store '" + store_ + "' lacks 20 computed cells"));
  std::string plain = Experiment("");
  plain.insert(1, R"("seed": 5, )");
  EXPECT_EQ(ScoresOf(result.get()), ScoresOf(Evaluate(context_.get(), iris_.get(), plain).get()));
}

TEST_F(CStoreTest, AStoreThatTakesNoMoreEndsACallThatAsksForThat) {
  Evaluate(context_.get(), iris_.get(), Experiment(store_));
  Fill(store_);
  std::string other = Experiment(store_);
  other.insert(1, R"("seed": 5, "on_store_error": "stop", )");
  crossfold_result* none = nullptr;
  EXPECT_EQ(crossfold_evaluate(context_.get(), iris_.get(), nullptr, other.c_str(), &none),
            CROSSFOLD_IO);
  EXPECT_EQ(none, nullptr);
  EXPECT_THAT(crossfold_last_error(context_.get()), testing::HasSubstr("no room"));
}

TEST_F(CStoreTest, AnotherWordForWhatToDoWithoutAStoreIsRefused) {
  crossfold_result* none = nullptr;
  std::string other = Experiment(store_);
  other.insert(1, R"("on_store_error": "wait", )");
  EXPECT_EQ(crossfold_evaluate(context_.get(), iris_.get(), nullptr, other.c_str(), &none),
            CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_STREQ(crossfold_last_error(context_.get()),
               "cannot run the experiment: 'on_store_error' is 'wait'; known: continue, stop");
}

// As a host that was compiled before the field was there.
TEST_F(CStoreTest, AnOlderHostGetsTheFieldsThatItKnows) {
  const auto result = Evaluate(context_.get(), iris_.get(), Experiment(store_));
  auto info = Sized<crossfold_result_info>();
  info.struct_size = offsetof(crossfold_result_info, n_found);
  info.n_found = 77;
  EXPECT_EQ(crossfold_result_describe(result.get(), &info), CROSSFOLD_OK);
  EXPECT_EQ(info.n_scores, 40u);
  EXPECT_EQ(info.n_found, 77u);
  info.struct_size = offsetof(crossfold_result_info, store_problem);
  info.store_problem = "mine";
  EXPECT_EQ(crossfold_result_describe(result.get(), &info), CROSSFOLD_OK);
  EXPECT_EQ(info.n_found, 0u);
  EXPECT_STREQ(info.store_problem, "mine");
}

}  // namespace
}  // namespace crossfold
