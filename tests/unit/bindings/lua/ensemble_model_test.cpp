// Saved ensembles as C++ objects, and what a file that somebody made up can do.
#include "crossfold/ensemble_model.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/run.h"
#include "crossfold/version.h"
#include "engine/data/sha256.h"
#include "lua_state.h"
#include "models/ensemble_file.h"

namespace crossfold {
namespace {

constexpr std::size_t kHeaderSize = 12;
constexpr std::size_t kDigestSize = 32;

// 6 rows; of class b, a.
DataView Rows() {
  Roles roles;
  roles.target = "class";
  return {Dataset::Create(
              "rows",
              {Column::Doubles("x", {1, 2, 3, 4, 5, 6}), Column::Doubles("y", {3, 1, 4, 1, 5, 9}),
               Column::Categories("class", {0, 0, 1, 0, 1, 1}, {"b", "a"})},
              roles),
          nullptr};
}

// The bytes of the model that `expression` makes of the same rows.
std::string BytesOf(lua_State* L, const std::string& expression) {
  const std::string problem = RunLua(L, R"(
    local cf = require "crossfold"
    local data = cf.dataset { name = "rows", target = "class", columns = {
      { name = "x", values = { 1.0, 2.0, 3.0, 4.0, 5.0, 6.5 - 0.5 } },
      { name = "y", values = { 3.5 - 0.5, 1.0, 4.0, 1.0, 5.0, 9.0 } },
      { name = "class", values = { "b", "b", "a", "b", "a", "a" }, levels = { "b", "a" } } } }
    bytes = ()" + expression + R"():fit(data, { seed = 3 }):to_bytes("m.cfm"))");
  EXPECT_EQ(problem, "");
  lua_getglobal(L, "bytes");
  std::size_t size = 0;
  const char* bytes = lua_tolstring(L, -1, &size);
  std::string copy = bytes == nullptr ? "" : std::string(bytes, size);
  lua_pop(L, 1);
  return copy;
}

std::string Voting(lua_State* L) {
  return BytesOf(L,
                 "cf.voting { learners = { 'featureless', 'naive_bayes' }, weights = { 1, 2 } }");
}

std::string LoadRefusal(lua_State* L, const std::string& bytes) {
  try {
    EnsembleModel(L, bytes, "m.cfm");
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

const char kDamaged[] = "cannot load model 'm.cfm': it is damaged or cut short; save it again";

// `bytes` with the checksum that fits them, so that the parser itself has to object.
std::string Sealed(std::string bytes) {
  const Digest digest = Sha256Of(std::string_view(bytes).substr(0, bytes.size() - kDigestSize));
  bytes.replace(bytes.size() - kDigestSize, kDigestSize,
                reinterpret_cast<const char*>(digest.data()), digest.size());
  return bytes;
}

// Whatever the bytes are, the answer is a model that predicts, or an Error.
bool LoadsAndPredicts(lua_State* L, const std::string& bytes) {
  try {
    EnsembleModel model(L, bytes, "m.cfm");
    model.Predict(Rows());
    return true;
  } catch (const Error&) {
    return false;
  }
}

TEST(EnsembleModelTest, PredictsAndTellsWhatItIs) {
  const LuaState state = NewLuaState(TestOptions());
  EnsembleModel model(state.get(), Voting(state.get()), "m.cfm");
  const SavedEnsemble& saved = model.saved();
  EXPECT_EQ(saved.kind, "voting");
  EXPECT_EQ(saved.name, "voting{featureless, naive_bayes}");
  EXPECT_EQ(saved.outline.seed, 3u);
  EXPECT_EQ(saved.outline.training.n_rows, 6);
  EXPECT_EQ(saved.outline.training.class_names, (std::vector<std::string>{"b", "a"}));
  ASSERT_EQ(saved.outline.features.size(), 2u);
  EXPECT_EQ(saved.outline.features[1].name, "y");
  EXPECT_EQ(ToText(saved.options.at("weights")), "{1, 2}");
  ASSERT_EQ(saved.members.size(), 2u);
  EXPECT_EQ(saved.members[1].name, "naive_bayes");
  EXPECT_FALSE(saved.members[1].features.has_value());

  const Prediction prediction = model.Predict(Rows());
  EXPECT_EQ(prediction.rows, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(prediction.labels.front(), 0);
  EXPECT_EQ(prediction.labels.back(), 1);
  EXPECT_EQ(prediction.probabilities[0], 1.0);  // both vote for b
  EXPECT_EQ(prediction.probabilities[11], 2.0 / 3.0);
}

// Calibrated in two inner folds, and decided by costs: rows of b are never worth calling a.
std::string Adjusted(lua_State* L) {
  return BytesOf(L, R"(cf.pipeline { 'naive_bayes',
    cf.calibration { method = 'isotonic', ensemble = true,
      splitter = cf.splitter('kfold', { folds = 2, stratify = true }) },
    cf.minimum_cost { costs = { { 0, 100 }, { 1, 0 } } } })");
}

TEST(EnsembleModelTest, AnAdjustedPipelineIsAnEnsembleOfItsLearner) {
  const LuaState state = NewLuaState(TestOptions());
  EnsembleModel model(state.get(), Adjusted(state.get()), "m.cfm");
  EXPECT_EQ(model.saved().kind, "minimum_cost");
  EXPECT_EQ(model.saved().name, "naive_bayes|calibration{isotonic, ensemble}|minimum_cost");
  EXPECT_EQ(ToText(model.saved().options.at("costs")), "{0, 100, 1, 0}");
  ASSERT_EQ(model.saved().members.size(), 1u);
  const Prediction prediction = model.Predict(Rows());
  ASSERT_EQ(prediction.probabilities.size(), 12u);
  for (std::size_t i = 0; i < 6; ++i) {
    const double b = prediction.probabilities[2 * i], a = prediction.probabilities[2 * i + 1];
    EXPECT_EQ(prediction.labels[i], 100 * b > a ? 0 : 1) << i;
  }
}

TEST(EnsembleModelTest, MadeUpMapsThresholdsAndCostsAreRefused) {
  const LuaState state = NewLuaState(TestOptions());
  const auto refusal = [&](const SavedEnsemble& whole, const char* option, const Value& value) {
    SavedEnsemble saved = whole;
    saved.options.at(option) = value;
    return LoadRefusal(state.get(), WriteEnsemble(saved));
  };
  const SavedEnsemble costs = ReadEnsemble(Adjusted(state.get()), "");
  EXPECT_EQ(refusal(costs, "costs", std::vector<double>{0, 1, 1}), kDamaged);
  EXPECT_EQ(refusal(costs, "costs", 1.0), kDamaged);
  const SavedEnsemble maps = ReadEnsemble(costs.members[0].bytes, "");
  EXPECT_EQ(refusal(maps, "sizes 1", std::vector<std::int64_t>{std::int64_t{1} << 60}), kDamaged);
  EXPECT_EQ(refusal(maps, "sizes 1", std::vector<std::int64_t>{-1}), kDamaged);
  EXPECT_EQ(refusal(maps, "x 1", std::vector<double>{0.5, 0.25, 0.125}), kDamaged);
  EXPECT_EQ(refusal(maps, "y 2", std::string("no list")), kDamaged);
  const SavedEnsemble threshold =
      ReadEnsemble(BytesOf(state.get(),
                           "cf.pipeline { 'naive_bayes', cf.threshold { metric = 'accuracy', "
                           "splitter = cf.splitter('kfold', { folds = 2, stratify = true }) } }"),
                   "");
  EXPECT_EQ(LoadRefusal(state.get(), WriteEnsemble(threshold)), "");
  EXPECT_EQ(refusal(threshold, "place", std::int64_t{3}), kDamaged);
  EXPECT_EQ(refusal(threshold, "threshold", std::string("high")), kDamaged);
}

TEST(EnsembleModelTest, AFailedPredictionIsAnErrorAndLeavesTheStack) {
  const LuaState state = NewLuaState(TestOptions());
  EnsembleModel model(state.get(), Voting(state.get()), "m.cfm");
  const int top = lua_gettop(state.get());
  Roles roles;
  const DataView other{Dataset::Create("other", {Column::Doubles("x", {1})}, roles), nullptr};
  try {
    model.Predict(other);
    ADD_FAILURE() << "an error was expected";
  } catch (const Error& e) {
    EXPECT_STREQ(
        e.what(),
        "cannot predict with 'voting{featureless, naive_bayes}' on dataset 'other': it has "
        "no feature 'y', which the model was trained on; known: x");
  }
  EXPECT_EQ(lua_gettop(state.get()), top);
}

TEST(EnsembleModelTest, AFittedPipelineTellsWhereAnEnsembleIsLoaded) {
  const LuaOptions options = TestOptions();
  const LuaState state = NewLuaState(options);
  const std::string bytes = Voting(state.get());
  ASSERT_TRUE(IsEnsembleModel(bytes));
  try {
    FittedModel::FromBytes(bytes, "m.cfm", *options.plugins);
    ADD_FAILURE() << "an error was expected";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "cannot load model 'm.cfm': it is the model of an ensemble; load it with "
                 "cf.load(path) of the Lua library or as a LoadedModel");
  }
}

TEST(EnsembleModelTest, AnUnknownKindIsNamed) {
  const LuaState state = NewLuaState(TestOptions());
  SavedEnsemble saved = ReadEnsemble(Voting(state.get()), "");
  saved.kind = "boosting";
  EXPECT_EQ(LoadRefusal(state.get(), WriteEnsemble(saved)),
            "cannot load model 'm.cfm': it is of kind 'boosting', Crossfold " +
                std::string(Version()) +
                " knows bagging, calibration, conformal, minimum_cost, stacking, threshold, "
                "voting; use a "
                "newer Crossfold");
}

TEST(EnsembleModelTest, OptionsAndMembersThatDoNotFitAreRefused) {
  const LuaState state = NewLuaState(TestOptions());
  const SavedEnsemble whole = ReadEnsemble(Voting(state.get()), "");
  const auto refusal = [&](auto&& change) {
    SavedEnsemble saved = whole;
    change(saved);
    return LoadRefusal(state.get(), WriteEnsemble(saved));
  };
  using Reals = std::vector<double>;
  EXPECT_EQ(refusal([](SavedEnsemble&) {}), "");
  EXPECT_EQ(refusal([](auto& s) { s.options.clear(); }), kDamaged);
  EXPECT_EQ(refusal([](auto& s) { s.options["vote"] = std::string("mean"); }), kDamaged);
  EXPECT_EQ(refusal([](auto& s) { s.options["vote"] = Reals{1}; }), kDamaged);
  EXPECT_EQ(refusal([](auto& s) { s.options["weights"] = 5.0; }), kDamaged);
  EXPECT_EQ(refusal([](auto& s) { s.options["weights"] = Reals{1}; }), kDamaged);
  EXPECT_EQ(refusal([](auto& s) { s.options["weights"] = Reals{1, 2, 3}; }), kDamaged);
  EXPECT_EQ(refusal([](auto& s) { s.options["weights"] = Reals{1, -1}; }), kDamaged);
  EXPECT_EQ(refusal([](auto& s) { s.options["weights"] = Reals{0, 0}; }), kDamaged);
  EXPECT_EQ(refusal([](auto& s) { s.members.clear(); }), kDamaged);
  EXPECT_EQ(refusal([](auto& s) { s.kind = "stacking"; }), kDamaged);
  EXPECT_EQ(refusal([](auto& s) {
              std::swap(s.outline.training.class_names[0], s.outline.training.class_names[1]);
            }),
            kDamaged);
  // The members know other classes than the ensemble.
  EXPECT_EQ(refusal([](auto& s) {
              s.outline.training.class_names = s.outline.training.target.levels = {"b", "c"};
            }),
            kDamaged);
  EXPECT_EQ(refusal([](auto& s) { s.members[0].bytes.resize(20); }), kDamaged);
  // A bag's own features are features of the ensemble.
  const SavedEnsemble bags = ReadEnsemble(
      BytesOf(state.get(), "cf.bagging { learner = 'featureless', n = 2, features = 0.5 }"), "");
  SavedEnsemble strange = bags;
  ASSERT_TRUE(strange.members[1].features.has_value());
  strange.members[1].features = {{"x", "z"}};
  EXPECT_EQ(LoadRefusal(state.get(), WriteEnsemble(bags)), "");
  EXPECT_EQ(LoadRefusal(state.get(), WriteEnsemble(strange)), kDamaged);
}

TEST(EnsembleModelTest, EveryTruncationWithAFittingChecksumIsRefused) {
  const LuaState state = NewLuaState(TestOptions());
  const std::string bytes = Voting(state.get());
  for (std::size_t n = kHeaderSize; n + kDigestSize < bytes.size(); ++n) {
    EXPECT_EQ(LoadRefusal(state.get(), Sealed(bytes.substr(0, n) + std::string(kDigestSize, '\0'))),
              kDamaged)
        << n;
  }
}

TEST(EnsembleModelTest, EveryFlippedByteWithAFittingChecksumIsAModelOrRefused) {
  const LuaState state = NewLuaState(TestOptions());
  for (const char* expression :
       {"cf.voting { learners = { 'featureless' } }",
        "cf.bagging { learner = 'featureless', n = 2, features = 0.5 }",
        "cf.stacking { learners = { 'featureless' }, combiner = 'featureless', passthrough = true, "
        "splitter = cf.splitter('kfold', { folds = 2 }) }"}) {
    const std::string bytes = BytesOf(state.get(), expression);
    ASSERT_TRUE(LoadsAndPredicts(state.get(), bytes));
    std::size_t n_loaded = 0;
    for (std::size_t i = kHeaderSize; i + kDigestSize < bytes.size(); ++i) {
      for (const int mask : {0x01, 0x80, 0xFF}) {
        std::string flipped = bytes;
        flipped[i] = static_cast<char>(flipped[i] ^ mask);
        if (LoadsAndPredicts(state.get(), Sealed(std::move(flipped)))) ++n_loaded;
      }
    }
    EXPECT_GT(n_loaded, 0u);  // such as a changed seed or hash
  }
}

TEST(EnsembleModelTest, AbsurdLengthsAreRefusedWithoutTheMemory) {
  const LuaState state = NewLuaState(TestOptions());
  const std::string bytes = Voting(state.get());
  for (std::size_t i = kHeaderSize; i + 8 + kDigestSize <= bytes.size(); ++i) {
    std::string changed = bytes;
    changed.replace(i, 8, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F", 8);
    LoadsAndPredicts(state.get(), Sealed(std::move(changed)));
  }
}

// Every layer has a frame of its own, so the depth is bounded by the size of the file.
TEST(EnsembleModelTest, DeepNestingIsAModelOrRefused) {
  const LuaState state = NewLuaState(TestOptions());
  std::string bytes = BytesOf(state.get(), "cf.voting { learners = { 'featureless' } }");
  SavedEnsemble layer = ReadEnsemble(bytes, "");
  for (int depth = 0; depth < 300; ++depth) {
    layer.members[0].bytes = std::move(bytes);
    bytes = WriteEnsemble(layer);
  }
  LoadsAndPredicts(state.get(), bytes);
}

}  // namespace
}  // namespace crossfold
