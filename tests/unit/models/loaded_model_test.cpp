#include "crossfold/loaded_model.h"

#include "models/ensemble_file.h"
#include "temporary_folder.h"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Fit;
using fixture::Learner;
using fixture::Numbers;
using fixture::Some;
using testing::ElementsAre;

// tests/python/model_test.py compares every kind with its script; here are files that no script
// writes.
EnsembleMember MemberOf(const FittedModel& model) { return {"recorder", {}, model.ToBytes()}; }

// The mean of two models of one feature, of which the second predicts ten times as much.
SavedEnsemble Mean(std::vector<double> weights) {
  const auto data = Numbers({1, 2, 3}, {10, 20, 30});
  const auto once = Fit(Learner("recorder", {{"rate", 1.0}}), All(data));
  const auto tenfold = Fit(Learner("recorder", {{"rate", 10.0}}), All(data));
  return {"voting",
          "voting{once, tenfold}",
          once->outline(),
          {{"vote", "mean"}, {"weights", std::move(weights)}},
          {MemberOf(*once), MemberOf(*tenfold)}};
}

std::shared_ptr<const LoadedModel> Loaded(const SavedEnsemble& saved) {
  return LoadedModel::FromBytes(WriteEnsemble(saved), "m.cfm", fixture::Host());
}

std::string LoadedRefusal(const SavedEnsemble& saved) {
  try {
    Loaded(saved);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

constexpr char kDamaged[] = "cannot load model 'm.cfm': it is damaged or cut short; save it again";

TEST(LoadedModelTest, AnEnsemblePredictsTheWeightedMeanOfItsMembers) {
  const auto model = Loaded(Mean({3, 1}));
  EXPECT_EQ(model->learner(), "voting{once, tenfold}");
  const auto rows = Numbers({2, 10}, {0, 0});
  const Prediction p = model->Predict(Some(rows, {1, 0}), RunOptions());
  EXPECT_THAT(p.rows, ElementsAre(1, 0));
  EXPECT_THAT(p.values, ElementsAre((3 * 10 + 100) / 4.0, (3 * 2 + 20) / 4.0));
}

TEST(LoadedModelTest, NoRowsGiveNoPredictions) {
  const auto rows = Numbers({2}, {0});
  EXPECT_THAT(Loaded(Mean({1, 1}))->Predict(Some(rows, {}), RunOptions()).values,
              testing::IsEmpty());
}

TEST(LoadedModelTest, APipelineAndAnEnsembleAreSavedAsTheyWere) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() / "a.cfm";
  const SavedEnsemble saved = Mean({1, 2});
  Loaded(saved)->Save(path);
  EXPECT_EQ(ReadModelFile(path), WriteEnsemble(saved));
  const std::string& member = saved.members.front().bytes;
  LoadedModel::FromBytes(member, "b.cfm", fixture::Host())->Save(path);
  EXPECT_EQ(ReadModelFile(path), member);
}

TEST(LoadedModelTest, RowsWithoutAFeatureAreRefused) {
  const auto rows = Dataset::Create("new", {Column::Doubles("z", {1})}, Roles());
  const auto model = Loaded(Mean({1, 1}));
  fixture::ExpectError(ErrorKind::kInvalidArgument,
                       "cannot predict with 'voting{once, tenfold}' on dataset 'new': it has no "
                       "feature 'x', which the model was trained on; known: z",
                       [&] { model->Predict(All(rows), RunOptions()); });
}

TEST(LoadedModelTest, OptionsThatMakeNoCombinationAreRefused) {
  for (const std::vector<double>& weights : {std::vector<double>{1}, {-1, 2}, {0, 0}, {1, 2, 3}}) {
    EXPECT_EQ(LoadedRefusal(Mean(weights)), kDamaged);
  }
  SavedEnsemble saved = Mean({1, 1});
  saved.options["vote"] = "majority";
  EXPECT_EQ(LoadedRefusal(saved), kDamaged) << "the target has numbers";
  saved = Mean({1, 1});
  saved.kind = "threshold";
  EXPECT_EQ(LoadedRefusal(saved), kDamaged);
}

TEST(LoadedModelTest, MembersWithOtherClassesAreRefused) {
  SavedEnsemble saved = Mean({1, 1});
  const auto classes = fixture::Classes(6, 3);
  saved.members.back() = MemberOf(*Fit(Learner("recorder"), All(classes)));
  EXPECT_EQ(LoadedRefusal(saved), kDamaged);
}

TEST(LoadedModelTest, AnUnknownKindIsReportedWithTheKnownOnes) {
  SavedEnsemble saved = Mean({1, 1});
  saved.kind = "cascade";
  EXPECT_EQ(LoadedRefusal(saved),
            "cannot load model 'm.cfm': it is of kind 'cascade', this version knows bagging, "
            "calibration, conformal, minimum_cost, stacking, threshold, voting; use a newer "
            "Crossfold");
}

TEST(LoadedModelTest, EnsemblesNestedTooDeeplyAreRefused) {
  SavedEnsemble saved = Mean({1, 1});
  for (int depth = 0; depth < 40; ++depth) {
    saved.members = {{"nested", {}, WriteEnsemble(saved)}};
    saved.options["weights"] = std::vector<double>{1};
  }
  EXPECT_EQ(LoadedRefusal(saved), kDamaged);
}

}  // namespace
}  // namespace crossfold
