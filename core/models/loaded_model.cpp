#include "crossfold/loaded_model.h"

#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/run.h"
#include "models/ensemble_combination.h"
#include "models/ensemble_file.h"
#include "models/model_outline.h"

namespace crossfold {

struct LoadedModel::Impl {
  std::string learner;
  ModelOutline outline;
  std::shared_ptr<const FittedModel> fitted;  // null for an ensemble, which has the rest
  SavedEnsemble saved;
  std::vector<std::shared_ptr<const LoadedModel>> members;
  Combination combine;
};

namespace {

// No file that a script writes nests ensembles deeper; the calls of a deeper one could fill the
// stack.
constexpr int kMaxDepth = 30;

[[noreturn]] void RefuseDamaged(const std::string& attempt) {
  throw Error(ErrorKind::kBadData, attempt + "it is damaged or cut short; save it again");
}

}  // namespace

LoadedModel::LoadedModel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LoadedModel::~LoadedModel() = default;

LoadedModel::LoadedModel(std::shared_ptr<const FittedModel> fitted)
    : impl_(std::make_unique<Impl>()) {
  impl_->learner = fitted->learner().ToString();
  impl_->outline = fitted->outline();
  impl_->fitted = std::move(fitted);
}

std::shared_ptr<const LoadedModel> LoadedModel::Load(const std::filesystem::path& path,
                                                     const PluginHost& plugins) {
  return FromBytes(ReadModelFile(path), path.string(), plugins);
}

std::shared_ptr<const LoadedModel> LoadedModel::FromBytes(std::string_view bytes,
                                                          const std::string& name,
                                                          const PluginHost& plugins) {
  return Read(bytes, name, plugins, 0);
}

std::shared_ptr<const LoadedModel> LoadedModel::Read(std::string_view bytes,
                                                     const std::string& name,
                                                     const PluginHost& plugins, int depth) {
  if (!IsEnsembleModel(bytes)) {
    return std::make_shared<const LoadedModel>(FittedModel::FromBytes(bytes, name, plugins));
  }
  const std::string attempt = "cannot load model '" + name + "': ";
  if (depth > kMaxDepth) RefuseDamaged(attempt);
  auto impl = std::make_unique<Impl>();
  impl->saved = ReadEnsemble(bytes, attempt);
  impl->learner = impl->saved.name;
  impl->outline = impl->saved.outline;
  impl->combine = CombinationOf(impl->saved, attempt);
  if (!impl->combine) RefuseDamaged(attempt);
  for (const EnsembleMember& member : impl->saved.members) {
    impl->members.push_back(Read(member.bytes, name, plugins, depth + 1));
    const TrainingFacts& facts = impl->members.back()->outline().training;
    if (facts.class_names != impl->outline.training.class_names) RefuseDamaged(attempt);
  }
  return std::shared_ptr<const LoadedModel>(new LoadedModel(std::move(impl)));
}

Prediction LoadedModel::Predict(const DataView& rows, const RunOptions& options) const {
  if (impl_->fitted) return impl_->fitted->Predict(rows, options);
  CheckFeatureNames(
      impl_->outline, *rows.data,
      "cannot predict with '" + impl_->learner + "' on dataset '" + rows.data->name() + "': ");
  if (rows.num_rows() == 0) {
    Prediction none;
    none.n_classes = static_cast<std::int64_t>(impl_->outline.training.class_names.size());
    return none;
  }
  std::vector<EnsemblePart> parts;
  for (std::size_t m = 0; m < impl_->members.size(); ++m) {
    const EnsembleMember& member = impl_->saved.members[m];
    parts.push_back({member.name, member.features,
                     [&options, model = impl_->members[m].get()](const DataView& view) {
                       return model->Predict(view, options);
                     }});
  }
  return impl_->combine(parts, rows);
}

void LoadedModel::Save(const std::filesystem::path& path) const {
  if (impl_->fitted) return impl_->fitted->Save(path);
  WriteModelFile(path, WriteEnsemble(impl_->saved));
}

const std::string& LoadedModel::learner() const { return impl_->learner; }
const ModelOutline& LoadedModel::outline() const { return impl_->outline; }

}  // namespace crossfold
