#include "temporary_folder.h"
#include "unit/bindings/c/handles.h"

namespace crossfold {
namespace {

constexpr char kPipeline[] = R"(["standardize", {"id": "knn", "params": {"k": 5}}])";

Handle<crossfold_model> Fit(crossfold_context* context, const crossfold_dataset* dataset,
                            const char* learner) {
  crossfold_model* made = nullptr;
  EXPECT_EQ(crossfold_model_fit(context, dataset, learner, 1, &made), CROSSFOLD_OK)
      << crossfold_last_error(context);
  return Handle<crossfold_model>(made);
}

Handle<crossfold_prediction> Predict(crossfold_context* context, const crossfold_model* model,
                                     const crossfold_dataset* dataset) {
  crossfold_prediction* made = nullptr;
  EXPECT_EQ(crossfold_model_predict(context, model, dataset, &made), CROSSFOLD_OK)
      << crossfold_last_error(context);
  return Handle<crossfold_prediction>(made);
}

crossfold_predictions ArraysOf(const crossfold_prediction* prediction) {
  auto arrays = Sized<crossfold_predictions>();
  EXPECT_EQ(crossfold_prediction_get(prediction, &arrays), CROSSFOLD_OK);
  return arrays;
}

// Expected: scikit-learn 1.2.1, KNeighborsClassifier(5) after StandardScaler(), rows 1, 71, 150.
TEST(CModelTest, AModelThatWasSavedPredictsInAnotherContext) {
  const test::TemporaryFolder folder;
  const std::string path = (folder.path() / "iris.cfm").string();
  {
    const auto context = NewContext();
    const auto iris = Iris(context.get());
    const auto model = Fit(context.get(), iris.get(), kPipeline);
    EXPECT_STREQ(crossfold_model_learner(model.get()), "standardize|knn{k=5}");
    ASSERT_EQ(crossfold_model_save(context.get(), model.get(), path.c_str()), CROSSFOLD_OK);
  }
  const auto context = NewContext();
  crossfold_model* loaded = nullptr;
  ASSERT_EQ(crossfold_model_load(context.get(), path.c_str(), &loaded), CROSSFOLD_OK);
  const Handle<crossfold_model> model(loaded);
  auto info = Sized<crossfold_data_info>();
  ASSERT_EQ(crossfold_model_describe(loaded, &info), CROSSFOLD_OK);
  EXPECT_EQ(info.n_features, 4u);
  EXPECT_EQ(info.n_rows, 150);
  ASSERT_EQ(info.n_classes, 3u);
  EXPECT_STREQ(info.classes[2], "virginica");

  const std::string file = std::string(CROSSFOLD_TEST_DATA) + "/iris.csv";
  crossfold_dataset* rows = nullptr;
  ASSERT_EQ(crossfold_dataset_read(context.get(), file.c_str(), nullptr, loaded, &rows),
            CROSSFOLD_OK);
  const Handle<crossfold_dataset> data(rows);
  const auto prediction = Predict(context.get(), loaded, rows);
  const crossfold_predictions p = ArraysOf(prediction.get());
  ASSERT_EQ(p.n_rows, 150u);
  EXPECT_EQ(p.labels[0], 0);
  EXPECT_EQ(p.labels[70], 2);
  EXPECT_EQ(p.probabilities[70 * 3 + 2], 0.6);
  EXPECT_EQ(p.probabilities[149 * 3 + 2], 0.6);
  EXPECT_EQ(p.folds, nullptr);
}

TEST(CModelTest, AModelOutlivesTheContextAndTheDatasetThatItCameFrom) {
  Handle<crossfold_model> model;
  {
    const auto context = NewContext();
    const auto iris = Iris(context.get());
    model = Fit(context.get(), iris.get(), kPipeline);
  }
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  EXPECT_EQ(ArraysOf(Predict(context.get(), model.get(), iris.get()).get()).n_rows, 150u);
}

TEST(CModelTest, ErrorsSayWhatWasAttempted) {
  const auto context = NewContext();
  const auto iris = Iris(context.get());
  crossfold_model* model = nullptr;
  EXPECT_EQ(crossfold_model_fit(context.get(), iris.get(), "7", 1, &model),
            CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_STREQ(crossfold_last_error(context.get()),
               "cannot fit a model: the learner is not a learner; write a string or {\"id\": ..., "
               "\"params\": {...}}");
  EXPECT_EQ(
      crossfold_model_fit(context.get(), iris.get(),
                          R"({"id": "debug", "params": {"action": "throw_in_fit"}})", 1, &model),
      CROSSFOLD_FAILED);
  EXPECT_EQ(crossfold_model_load(context.get(), "/nothing.cfm", &model), CROSSFOLD_IO);
  EXPECT_EQ(crossfold_model_fit(nullptr, iris.get(), "\"knn\"", 1, &model),
            CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_EQ(model, nullptr);
}

TEST(CModelTest, RegressionGivesValues) {
  const auto context = NewContext();
  const auto data = ReadFile(context.get(), "diabetes_regr.csv", R"({"target": "target"})");
  const auto model = Fit(context.get(), data.get(), "\"ridge\"");
  const auto prediction = Predict(context.get(), model.get(), data.get());
  const crossfold_predictions p = ArraysOf(prediction.get());
  EXPECT_EQ(p.n_rows, 442u);
  EXPECT_EQ(p.labels, nullptr);
  EXPECT_NE(p.values, nullptr);
}

}  // namespace
}  // namespace crossfold
