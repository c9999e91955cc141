#include "crossfold/loaded_model.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/calibration.h"
#include "crossfold/calibration_lists.h"
#include "crossfold/decision.h"
#include "crossfold/ensemble_model.h"
#include "crossfold/error.h"
#include "crossfold/outcome.h"
#include "crossfold/run.h"
#include "models/ensemble_file.h"
#include "models/model_outline.h"
#include "models/view_features.h"

namespace crossfold {

// How the models of each kind of ensemble predict together. The scripts in
// scripts/crossfold/ensemble and scripts/crossfold/adjust fit these models; their `combine` has the
// same arithmetic.

// Predicts rows that have every feature of the member.
using PredictRows = std::function<Prediction(const DataView& rows)>;

struct EnsemblePart {
  std::string name;
  std::optional<std::vector<std::string>> features;  // that it sees; none = all
  PredictRows predict;
};

// Combines the predictions of the parts for rows, of which there is at least one. Throws Error.
using Combination =
    std::function<Prediction(const std::vector<EnsemblePart>& parts, const DataView& rows)>;

namespace {

enum class Vote { kMajority, kProbabilities, kMean };

// The option of that name as a T; null if there is none.
template <class T>
const T* OptionOf(const SavedEnsemble& saved, std::string_view name) {
  const auto found = saved.options.find(name);
  return found == saved.options.end() ? nullptr : std::get_if<T>(&found->second);
}

// A list of numbers, which files keep as whole ones if all are.
std::optional<std::vector<double>> NumbersOf(const SavedEnsemble& saved, std::string_view name) {
  if (const auto* reals = OptionOf<std::vector<double>>(saved, name)) return *reals;
  const auto* whole = OptionOf<std::vector<std::int64_t>>(saved, name);
  if (whole == nullptr) return std::nullopt;
  return std::vector<double>(whole->begin(), whole->end());
}

std::size_t NumClasses(const SavedEnsemble& saved) {
  return saved.outline.training.class_names.size();
}

// The prediction without entries for the rows.
Prediction EmptyPrediction(const DataView& rows, std::size_t n_classes) {
  Prediction made;
  made.n_classes = static_cast<std::int64_t>(n_classes);
  for (std::int64_t i = 0; i < rows.num_rows(); ++i) made.rows.push_back(rows.row_id(i));
  return made;
}

[[noreturn]] void RefuseWithoutProbabilities(const EnsemblePart& part, const char* remedy) {
  throw Error(ErrorKind::kFailed, "learner '" + part.name + "' of the ensemble gives no " +
                                      "probabilities; use " + remedy);
}

// Adds the votes of one part, weighted.
void AddVotes(const Prediction& p, Vote vote, double weight, std::size_t n_classes,
              std::vector<double>& sums) {
  if (vote == Vote::kMean) {
    for (std::size_t i = 0; i < p.values.size(); ++i) sums[i] += weight * p.values[i];
  } else if (vote == Vote::kMajority) {
    for (std::size_t i = 0; i < p.labels.size(); ++i) {
      sums[i * n_classes + static_cast<std::size_t>(p.labels[i])] += weight;
    }
  } else {
    for (std::size_t i = 0; i < p.probabilities.size(); ++i) sums[i] += weight * p.probabilities[i];
  }
}

// Equal sums go to the lower class; the shares of the sums are the probabilities.
void DecideBySums(std::vector<double> sums, double total, std::size_t n_classes, Prediction& made) {
  for (std::size_t i = 0; i < made.rows.size(); ++i) {
    const auto row = sums.begin() + static_cast<std::ptrdiff_t>(i * n_classes);
    const auto end = row + static_cast<std::ptrdiff_t>(n_classes);
    made.labels.push_back(static_cast<std::int32_t>(std::max_element(row, end) - row));
  }
  for (double& sum : sums) sum /= total;
  made.probabilities = std::move(sums);
}

struct Voting {
  Vote vote;
  std::vector<double> weights;  // one per part
  std::size_t n_classes;

  Prediction operator()(const std::vector<EnsemblePart>& parts, const DataView& rows) const {
    Prediction made = EmptyPrediction(rows, n_classes);
    std::vector<double> sums(made.rows.size() * (vote == Vote::kMean ? 1 : n_classes));
    double total = 0;
    for (std::size_t m = 0; m < parts.size(); ++m) {
      const auto& features = parts[m].features;
      const Prediction p = parts[m].predict(features ? WithFeatures(rows, *features, {}) : rows);
      if (vote == Vote::kProbabilities && p.probabilities.empty()) {
        RefuseWithoutProbabilities(parts[m], "vote = \"majority\"");
      }
      total += weights[m];
      AddVotes(p, vote, weights[m], n_classes, sums);
    }
    if (vote != Vote::kMean) {
      DecideBySums(std::move(sums), total, n_classes, made);
      return made;
    }
    for (double& sum : sums) sum /= total;
    made.values = std::move(sums);
    return made;
  }
};

// The way of voting that an ensemble has, if it is one for its task.
std::optional<Vote> VoteOf(const SavedEnsemble& saved) {
  const auto* vote = OptionOf<std::string>(saved, "vote");
  const bool is_regression = saved.outline.training.task == Task::kRegression;
  if (vote == nullptr || (*vote == "mean") != is_regression) return std::nullopt;
  if (*vote == "majority") return Vote::kMajority;
  if (*vote == "probabilities") return Vote::kProbabilities;
  return *vote == "mean" ? std::optional(Vote::kMean) : std::nullopt;
}

Combination VotingOf(const SavedEnsemble& saved) {
  const auto vote = VoteOf(saved);
  const auto weights = NumbersOf(saved, "weights");
  if (!vote || !weights || weights->size() != saved.members.size()) return {};
  double total = 0;
  for (const double weight : *weights) {
    if (!(weight >= 0)) return {};
    total += weight;
  }
  if (!(total > 0) || std::isinf(total)) return {};
  return Voting{*vote, *weights, NumClasses(saved)};
}

Combination BaggingOf(const SavedEnsemble& saved) {
  const auto vote = VoteOf(saved);
  if (!vote || saved.members.empty()) return {};
  const auto& all = saved.outline.features;
  for (const EnsembleMember& member : saved.members) {
    for (const std::string& name : member.features.value_or(std::vector<std::string>())) {
      const auto has_name = [&](const ColumnDeclaration& feature) { return feature.name == name; };
      if (std::ranges::none_of(all, has_name)) return {};
    }
  }
  return Voting{*vote, std::vector<double>(saved.members.size(), 1), NumClasses(saved)};
}

// The last part is the combiner, which sees what the others predict.
struct Stacking {
  bool probabilities, passthrough;
  std::vector<std::string> classes;

  Prediction operator()(const std::vector<EnsemblePart>& parts, const DataView& rows) const {
    std::vector<Column> columns;
    for (std::size_t l = 0; l + 1 < parts.size(); ++l) {
      AddColumns("learner " + std::to_string(l + 1), parts[l], parts[l].predict(rows), columns);
    }
    std::vector<std::string> kept;
    for (const cf_column& feature : rows.data->features()) {
      if (passthrough) kept.emplace_back(feature.name);
    }
    Prediction made = parts.back().predict(WithFeatures(rows, kept, columns));
    made.rows = EmptyPrediction(rows, classes.size()).rows;
    return made;
  }

  void AddColumns(const std::string& name, const EnsemblePart& part, Prediction p,
                  std::vector<Column>& columns) const {
    if (classes.empty()) {
      columns.push_back(Column::Doubles(name, std::move(p.values)));
      return;
    }
    if (!probabilities) {
      columns.push_back(Column::Categories(name, std::move(p.labels), classes));
      return;
    }
    if (p.probabilities.empty()) RefuseWithoutProbabilities(part, "probabilities = false");
    for (std::size_t c = 0; c < classes.size(); ++c) {
      std::vector<double> of_class;
      for (std::size_t i = c; i < p.probabilities.size(); i += classes.size()) {
        of_class.push_back(p.probabilities[i]);
      }
      columns.push_back(Column::Doubles(name + ": " + classes[c], std::move(of_class)));
    }
  }
};

Combination StackingOf(const SavedEnsemble& saved) {
  const auto* probabilities = OptionOf<bool>(saved, "probabilities");
  const auto* passthrough = OptionOf<bool>(saved, "passthrough");
  const bool whole = probabilities != nullptr && passthrough != nullptr &&
                     saved.members.size() >= 2 && saved.members.back().features;
  if (!whole) return {};
  return Stacking{*probabilities, *passthrough, saved.outline.training.class_names};
}

Combination CalibrationsOf(const SavedEnsemble& saved) {
  std::vector<Calibration> maps;
  for (std::size_t m = 1; m <= saved.members.size(); ++m) {
    const auto numbers = [&](const char* name) {
      return NumbersOf(saved, std::string(name) + " " + std::to_string(m))
          .value_or(std::vector<double>());
    };
    CalibrationLists lists{numbers("slope"), numbers("intercept"), numbers("x"), numbers("y"), {}};
    const auto* sizes = OptionOf<std::vector<std::int64_t>>(saved, "sizes " + std::to_string(m));
    if (sizes != nullptr) lists.sizes = *sizes;
    auto calibration = CalibrationOf(lists, NumClasses(saved));
    if (!calibration) return {};
    maps.push_back(*std::move(calibration));
  }
  if (maps.empty()) return {};
  return [maps](const std::vector<EnsemblePart>& parts, const DataView& rows) {
    std::vector<Prediction> predictions;
    for (std::size_t m = 0; m < parts.size(); ++m) {
      predictions.push_back(Calibrate(parts[m].predict(rows), maps[m]));
    }
    return MeanPrediction(predictions);
  };
}

Combination ThresholdOf(const SavedEnsemble& saved) {
  const auto* place = OptionOf<std::int64_t>(saved, "place");
  const auto* threshold = OptionOf<double>(saved, "threshold");
  if (place == nullptr || (*place != 1 && *place != 2) || threshold == nullptr ||
      std::isnan(*threshold) || saved.members.size() != 1 || NumClasses(saved) != 2) {
    return {};
  }
  return [positive = *place - 1, threshold = *threshold](const std::vector<EnsemblePart>& parts,
                                                         const DataView& rows) {
    return DecideByThreshold(parts.front().predict(rows), positive, threshold);
  };
}

Combination MinimumCostOf(const SavedEnsemble& saved) {
  const auto costs = NumbersOf(saved, "costs");
  const std::size_t k = NumClasses(saved);
  const auto is_finite = [](double cost) { return std::isfinite(cost); };
  if (saved.members.size() != 1 || !costs || costs->size() != k * k ||
      !std::ranges::all_of(*costs, is_finite)) {
    return {};
  }
  return [costs = *costs](const std::vector<EnsemblePart>& parts, const DataView& rows) {
    return DecideByCost(parts.front().predict(rows), costs);
  };
}

// The model of all rows predicts; those of the folds are for intervals and sets, which scripts and
// commands make (scripts/crossfold/conformal).
Combination ConformalOf(const SavedEnsemble& saved) {
  if (saved.members.size() < 3) return {};
  return [](const std::vector<EnsemblePart>& parts, const DataView& rows) {
    return parts.back().predict(rows);
  };
}

struct KnownKind {
  const char* name;
  Combination (*combination_of)(const SavedEnsemble& saved);
};

constexpr KnownKind kKnownKinds[] = {{"bagging", &BaggingOf},     {"calibration", &CalibrationsOf},
                                     {"conformal", &ConformalOf}, {"minimum_cost", &MinimumCostOf},
                                     {"stacking", &StackingOf},   {"threshold", &ThresholdOf},
                                     {"voting", &VotingOf}};

// The combination that a saved ensemble describes; empty if its options and members do not make
// one. Throws Error(kBadData) for a kind that is not known. `attempt` is "cannot load model
// 'a.cfm': ".
Combination CombinationOf(const SavedEnsemble& saved, const std::string& attempt) {
  std::string known;
  for (const KnownKind& kind : kKnownKinds) {
    if (saved.kind == kind.name) return kind.combination_of(saved);
    known += (known.empty() ? "" : ", ") + std::string(kind.name);
  }
  throw Error(ErrorKind::kBadData, attempt + "it is of kind '" + saved.kind +
                                       "', this version knows " + known +
                                       "; use a newer Crossfold");
}

// No file that a script writes nests ensembles deeper; the calls of a deeper one could fill the
// stack.
constexpr int kMaxDepth = 30;

[[noreturn]] void RefuseDamaged(const std::string& attempt) {
  throw Error(ErrorKind::kBadData, attempt + "it is damaged or cut short; save it again");
}

}  // namespace

struct LoadedModel::Impl {
  std::string learner;
  ModelOutline outline;
  std::shared_ptr<const FittedModel> fitted;  // null for an ensemble, which has the rest
  SavedEnsemble saved;
  std::vector<std::shared_ptr<const LoadedModel>> members;
  Combination combine;
};

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
