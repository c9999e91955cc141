// A program that fits a model once and uses it in another process.
//   model_host fit FILE TARGET PLUGIN_FOLDER MODEL
//   model_host predict MODEL FILE PLUGIN_FOLDER
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "crossfold/fitted_model.h"
#include "crossfold/read_data.h"
#include "crossfold/run.h"

namespace {

using namespace crossfold;

std::unique_ptr<PluginHost> PluginsIn(const std::string& folder) {
  PluginHostOptions options;
  options.paths = {folder};
  return std::make_unique<PluginHost>(options);
}

void FitAndSave(const std::string& file, const std::string& target, const std::string& folder,
                const std::string& model) {
  const auto plugins = PluginsIn(folder);
  ReadRequest request;
  request.roles.target = target;
  const auto learner =
      Pipeline::Make({Spec::Make(plugins->Find(Kind::kTransform, "standardize"), {}),
                      Spec::Make(plugins->Find(Kind::kLearner, "knn"), {{"k", std::int64_t{5}}})});
  FittedModel::Fit(learner, DataView{ReadData(*plugins, file, request), nullptr}, /*seed=*/1,
                   RunOptions{})
      ->Save(model);
}

// The file is read without a target, with the types that the training data had.
void LoadAndPredict(const std::string& file, const std::string& data, const std::string& folder) {
  const auto plugins = PluginsIn(folder);
  const auto model = FittedModel::Load(file, *plugins);
  ReadRequest request;
  request.like = model->columns();
  const Prediction p =
      model->Predict(DataView{ReadData(*plugins, data, request), nullptr}, RunOptions{});
  const auto& classes = model->training().class_names;
  std::printf("%s\n", model->learner().ToString().c_str());
  for (const std::size_t row : {std::size_t{0}, std::size_t{70}, std::size_t{149}}) {
    const auto label = static_cast<std::size_t>(p.labels[row]);
    std::printf("row %zu: %s %.1f\n", row + 1, classes[label].c_str(),
                p.probabilities[row * classes.size() + label]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  try {
    if (command == "fit" && argc == 6) {
      FitAndSave(argv[2], argv[3], argv[4], argv[5]);
    } else if (command == "predict" && argc == 5) {
      LoadAndPredict(argv[2], argv[3], argv[4]);
    } else {
      std::fprintf(stderr,
                   "usage: model_host fit FILE TARGET PLUGIN_FOLDER MODEL\n"
                   "       model_host predict MODEL FILE PLUGIN_FOLDER\n");
      return 2;
    }
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
