#include <utility>

#include "bindings/c/guarded_call.h"
#include "bindings/c/json_arguments.h"

namespace crossfold::c_api {
namespace {

std::unique_ptr<crossfold_model> NewModel(std::shared_ptr<const LoadedModel> model) {
  auto made = std::make_unique<crossfold_model>();
  for (const ColumnDeclaration& feature : model->outline().features) {
    made->features.push_back(feature.name.c_str());
  }
  made->classes = Pointers(model->outline().training.class_names);
  made->model = std::move(model);
  return made;
}

}  // namespace
}  // namespace crossfold::c_api

using namespace crossfold;
using namespace crossfold::c_api;

crossfold_status crossfold_model_fit(crossfold_context* context, const crossfold_dataset* dataset,
                                     const char* learner, uint64_t seed, crossfold_model** model) {
  constexpr const char* kAttempt = "cannot fit a model";
  return CallToMake(context, model, kAttempt, "model", [&] {
    Alive(dataset, kAttempt, "dataset");
    const auto pipeline =
        ReadLearner(NotNull(learner, kAttempt, "learner"), kAttempt, *context->plugins);
    CheckCompatible(*pipeline, *dataset->data);
    return NewModel(std::make_shared<const LoadedModel>(FittedModel::Fit(
        pipeline, DataView{dataset->data, nullptr}, seed, context->run_options())));
  });
}

crossfold_status crossfold_model_save(crossfold_context* context, const crossfold_model* model,
                                      const char* path) {
  return Call(context, [&] {
    constexpr const char* kAttempt = "cannot save a model";
    Alive(model, kAttempt, "model")->model->Save(NotNull(path, kAttempt, "path"));
  });
}

crossfold_status crossfold_model_load(crossfold_context* context, const char* path,
                                      crossfold_model** model) {
  constexpr const char* kAttempt = "cannot load a model";
  return CallToMake(context, model, kAttempt, "model", [&] {
    return NewModel(LoadedModel::Load(NotNull(path, kAttempt, "path"), *context->plugins));
  });
}

crossfold_status crossfold_model_describe(const crossfold_model* model, crossfold_data_info* info) {
  if (!IsAlive(model)) return CROSSFOLD_INVALID_ARGUMENT;
  const TrainingFacts& facts = model->model->outline().training;
  crossfold_data_info filled{};
  filled.task = TaskOf(facts.task);
  filled.name = facts.dataset.c_str();
  filled.n_rows = facts.n_rows;
  filled.features = model->features.data();
  filled.n_features = model->features.size();
  filled.classes = model->classes.data();
  filled.n_classes = model->classes.size();
  filled.content_hash = facts.content_hash.c_str();
  return WriteStruct(filled, info, kFirstDataInfo);
}

const char* crossfold_model_learner(const crossfold_model* model) {
  return !IsAlive(model) ? "" : model->model->learner().c_str();
}

crossfold_status crossfold_model_predict(crossfold_context* context, const crossfold_model* model,
                                         const crossfold_dataset* dataset,
                                         crossfold_prediction** prediction) {
  constexpr const char* kAttempt = "cannot predict";
  return CallToMake(context, prediction, kAttempt, "prediction", [&] {
    Alive(model, kAttempt, "model");
    Alive(dataset, kAttempt, "dataset");
    return std::make_unique<crossfold_prediction>(
        model->model->Predict(DataView{dataset->data, nullptr}, context->run_options()));
  });
}

void crossfold_model_destroy(crossfold_model* model) { Destroy(model); }

crossfold_status crossfold_prediction_get(const crossfold_prediction* prediction,
                                          crossfold_predictions* predictions) {
  if (!IsAlive(prediction)) return CROSSFOLD_INVALID_ARGUMENT;
  const Prediction& made = prediction->prediction;
  crossfold_predictions filled{};
  filled.n_rows = made.rows.size();
  filled.n_classes = static_cast<size_t>(made.n_classes);
  filled.rows = OrNull(made.rows);
  filled.labels = OrNull(made.labels);
  if (made.labels.empty()) filled.values = OrNull(made.values);  // not scores
  filled.probabilities = OrNull(made.probabilities);
  return WriteStruct(filled, predictions, kFirstPredictions);
}

void crossfold_prediction_destroy(crossfold_prediction* prediction) { Destroy(prediction); }
