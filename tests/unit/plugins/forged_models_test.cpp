// Saved models with a valid checksum and wrong contents, and rows that a model was not made for.
// The checksum is not a signature, so these bytes reach the plugins. A plugin refuses them or
// predicts something; it never reads or writes out of bounds (the sanitizers tell) and never takes
// much memory for few bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "unit/plugins/bundled_plugins.h"
#include "unit/plugins/component_calls.h"
#include "unit/plugins/serialize_law.h"

namespace crossfold {
namespace {

using laws::Bytes;
using laws::Made;
using laws::ModelPtr;
using laws::SpecPtr;
using ::testing::AnyOf;
using ::testing::StartsWith;

// ---- components ---------------------------------------------------------------------------------

struct Subject {
  Kind kind = Kind::kLearner;
  std::string id;
};
void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.id; }

const Component& ComponentOf(const Subject& subject) {
  return *BundledPlugins().Find(subject.kind, subject.id);
}

std::vector<Subject> SavedSubjects() {
  std::vector<Subject> all, saved;
  for (const PluginEntry& entry : BundledPlugins().entries()) {
    if (entry.is_folder) continue;  // its program needs packages that may be missing
    for (const std::string& id : entry.ids[Kind::kLearner]) all.push_back({Kind::kLearner, id});
    for (const std::string& id : entry.ids[Kind::kTransform]) all.push_back({Kind::kTransform, id});
  }
  for (const Subject& subject : all) {
    const auto* table = ComponentOf(subject).capability<cf_cap_serialize>(CF_CAP_SERIALIZE);
    if (table != nullptr) saved.push_back(subject);
  }
  return saved;
}

// Settings beside the defaults whose models have other parts.
std::vector<ParamValues> SettingsOf(const std::string& id) {
  static const std::map<std::string, std::vector<ParamValues>> kMore = {
      {"crossfold.adaboost", {{{"max_depth", 2}, {"rounds", 3}}}},
      {"crossfold.bayes_net", {{{"structure", "naive"}}}},
      {"crossfold.decision_tree",
       {{{"splits", "oblique"}}, {{"criterion", "gain_ratio"}}, {{"max_depth", 0}}}},
      {"crossfold.discretize", {{{"method", "equal_width"}, {"bins", 3}}}},
      {"crossfold.featureless", {{{"strategy", "random"}}}},
      {"crossfold.impute", {{{"categorical", "constant"}, {"indicator", true}}}},
      {"crossfold.knn",
       {{{"distance", "gower"}},
        {{"distance", "mahalanobis"}, {"k", 3}},
        {{"distance", "minkowski"}, {"p", 3.5}, {"weights", "distance"}}}},
      {"crossfold.lda", {{{"shrinkage", 0.5}}}},
      {"crossfold.liblinear", {{{"solver", "l2_squared_hinge"}}, {{"solver", "crammer_singer"}}}},
      {"crossfold.libsvm", {{{"kernel", "linear"}, {"probability", true}}, {{"kernel", "poly"}}}},
      {"crossfold.mlp", {{{"layers", 2}, {"units", 3}, {"epochs", 2}}, {{"layers", 0}}}},
      {"crossfold.naive_bayes",
       {{{"numeric", "kernel"}},
        {{"numeric", "multinomial"}},
        {{"numeric", "poisson"}},
        {{"numeric", "gamma"}},
        {{"numeric", "binomial"}, {"trials", 7}}}},
      {"crossfold.one_hot", {{{"levels", "seen"}, {"missing", "column"}}}},
      {"crossfold.pca", {{{"components", 1}}}},
      {"crossfold.power", {{{"method", "box_cox"}}}},
      {"crossfold.random_forest", {{{"trees", 3}}}},
      {"crossfold.xgboost", {{{"rounds", 3}}}},
  };
  std::vector<ParamValues> settings = {{}};
  const auto more = kMore.find(id);
  if (more != kMore.end()) {
    settings.insert(settings.end(), more->second.begin(), more->second.end());
  }
  return settings;
}

// ---- data ---------------------------------------------------------------------------------------

constexpr std::size_t kRows = 12;

Column NumberColumn(const char* name, std::size_t factor) {
  std::vector<double> entries;
  for (std::size_t i = 0; i < kRows; ++i) entries.push_back(1 + double((i * factor) % 7));
  return Column::Doubles(name, entries);
}
Column Colours() {
  return Column::Categories("colour", {0, 1, 2, 0, 1, 2, 0, 1, 0, 2, 1, 0},
                            {"red", "green", "blue"});
}
Column Sizes() {
  return Column::Categories("size", {2, 1, 0, 0, 3, 2, 1, 1, 3, 2, 0, 1}, {"s", "m", "l", "xl"});
}
Column Flags() {
  return Column::Booleans(
      "flag", {true, false, true, true, false, false, true, false, true, false, true, true});
}
Column Gaps() {
  return Column::Doubles("gaps", {1, kMissing, 3, 1, 2, 5, kMissing, 4, 2, 2, 9, 1});
}

// The last column is the target: a number, or one of `n_classes` classes.
DataPtr WithTarget(std::vector<Column> features, std::size_t n_classes) {
  std::vector<std::int32_t> classes;
  std::vector<double> numbers;
  for (std::size_t i = 0; i < kRows; ++i) {
    classes.push_back(static_cast<std::int32_t>(i % std::max<std::size_t>(n_classes, 1)));
    numbers.push_back(0.5 * double((i * i) % 11));
  }
  std::vector<std::string> names = {"no", "yes", "perhaps", "never"};
  names.resize(n_classes);
  features.push_back(n_classes > 0 ? Column::Categories("target", classes, names)
                                   : Column::Doubles("target", numbers));
  return Dataset::Create("table", features, Roles{.target = "target"});
}

std::vector<std::vector<Column>> FeatureSets() {
  return {{NumberColumn("a", 3), NumberColumn("b", 5)},
          {NumberColumn("a", 3), NumberColumn("b", 5), NumberColumn("c", 4)},
          {Colours(), Flags(), Sizes()},
          {Sizes(), NumberColumn("a", 3), Colours(), Flags()},
          {NumberColumn("a", 3), Gaps(), Colours()},
          {Colours(), NumberColumn("a", 2)}};
}

std::vector<DataPtr> AllData() {
  std::vector<DataPtr> all;
  for (const std::vector<Column>& features : FeatureSets()) {
    for (const std::size_t n_classes : {0, 2, 3}) all.push_back(WithTarget(features, n_classes));
  }
  return all;
}

// Whether the host would let the component fit on the data.
bool Accepts(const Subject& subject, const Dataset& data) {
  const Component& c = ComponentOf(subject);
  const std::uint32_t accepts = c.learner ? c.learner->accepts : c.transform->accepts;
  const std::uint32_t tasks = c.learner ? c.learner->tasks : c.transform->tasks;
  const auto task = data.num_classes() == 0   ? CF_TASK_REGRESSION
                    : data.num_classes() == 2 ? CF_TASK_BINARY
                                              : CF_TASK_MULTICLASS;
  bool accepted = (tasks & static_cast<std::uint32_t>(task)) != 0;
  const RowTable rows = RowTable::ForPrediction(data, nullptr);
  for (std::int64_t j = 0; j < rows.get().n_features; ++j) {
    const cf_column& column = rows.get().features[j];
    if (column.dtype == CF_CAT32) accepted &= (accepts & CF_ACCEPTS_CATEGORICAL) != 0;
    for (std::size_t i = 0; i < kRows; ++i) {
      if (!std::isnan(plugin::EntryAsDouble(column, static_cast<std::int64_t>(i)))) continue;
      accepted &= (accepts & CF_ACCEPTS_MISSING) != 0;
    }
  }
  return accepted;
}

// ---- calls --------------------------------------------------------------------------------------

// What came of a call on a model: every array has exactly the size that the rows ask for.
std::string TryUse(const Spec& spec, const cf_model* model, const DataPtr& data) {
  const DataView rows{data, nullptr};
  if (spec.component().learner != nullptr) return laws::TryPredict(spec, model, rows).failure;
  const RowTable table = RowTable::ForPrediction(*data, nullptr);
  OwnedTable made(table.get());
  const CallResult result = CallPlugin(spec.component(), {}, [&](const cf_call* call) {
    return spec.component().transform->apply(call, model, &table.get(), made.sink());
  });
  made.Finish();
  return result.message;
}

void TryExport(const Spec& spec, const cf_model* model) {
  const auto* table = spec.component().capability<cf_cap_export>(CF_CAP_EXPORT);
  for (std::size_t format = 0; table != nullptr && format < table->n_formats; ++format) {
    plugin::ByteSink sink;
    sink.portion = 4096;
    const cf_writer writer = sink.writer();
    CallPlugin(spec.component(), {}, [&](const cf_call* call) {
      return table->export_model(call, model, format, &writer);
    });
  }
}

void TryImportance(const Spec& spec, const cf_model* model, const Dataset& data) {
  const auto* table = spec.component().capability<cf_cap_importance>(CF_CAP_IMPORTANCE);
  if (table == nullptr) return;
  const auto n = static_cast<std::size_t>(RowTable::ForPrediction(data, nullptr).get().n_features);
  std::vector<double> importance(n);
  CallPlugin(spec.component(), {}, [&](const cf_call* call) {
    return table->importance(call, model, importance.data(), n);
  });
}

// A clone takes the rows in and out again.
void TryRows(const Spec& spec, const cf_model* model, const Dataset& data) {
  const auto* table = spec.component().capability<cf_cap_incremental>(CF_CAP_INCREMENTAL);
  if (table == nullptr) return;
  const RowTable rows = RowTable::ForTraining(data, nullptr);
  for (const auto update : {table->add_rows, table->remove_rows}) {
    const Made clone = laws::Make(spec, 0, [&](const cf_call* call, cf_model** out) {
      return table->clone(call, model, out);
    });
    if (clone.model == nullptr || update == nullptr) continue;
    CallPlugin(spec.component(), {},
               [&](const cf_call* call) { return update(call, clone.model.get(), &rows.get()); });
  }
}

// Everything that can be done with a model.
void UseFully(const Spec& spec, const cf_model* model, const DataPtr& data) {
  TryUse(spec, model, data);
  TryExport(spec, model);
  TryImportance(spec, model, *data);
  TryRows(spec, model, *data);
  laws::Save(spec, model);
}

// ---- forging ------------------------------------------------------------------------------------

// So many places of a model are forged, fewer if it is large. CROSSFOLD_FORGED_PLACES for longer
// searches.
std::size_t NumPlaces(std::size_t n_bytes) {
  const char* text = std::getenv("CROSSFOLD_FORGED_PLACES");
  if (text != nullptr) return static_cast<std::size_t>(std::strtoull(text, nullptr, 10));
  return std::clamp<std::size_t>(20000 / std::max<std::size_t>(n_bytes, 1), 4, 40);
}

// `bytes` with an integer of `width` bytes at `place`.
Bytes WithInteger(Bytes bytes, std::size_t place, std::size_t width, std::uint64_t value) {
  for (std::size_t i = 0; i < width && place + i < bytes.size(); ++i) {
    bytes[place + i] = static_cast<unsigned char>(value >> (8 * i));
  }
  return bytes;
}

std::vector<Bytes> ForgeriesAt(const Bytes& bytes, std::size_t place) {
  std::vector<Bytes> forged;
  for (const int change : {0x01, 0x02, 0x80, 0xFF}) {
    forged.push_back(bytes);
    forged.back()[place] = static_cast<unsigned char>(bytes[place] ^ change);
  }
  for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 31,
                                    ~std::uint64_t{0} >> 1, ~std::uint64_t{0}}) {
    forged.push_back(WithInteger(bytes, place, 8, value));
  }
  for (const std::uint64_t value : {0u, 1u, 3u, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
    forged.push_back(WithInteger(bytes, place, 4, value));
  }
  return forged;
}

void TryForgeries(const Spec& spec, const Bytes& bytes, const DataPtr& data) {
  const std::size_t end = bytes.size() - 8;  // the checksum
  const std::size_t step = std::max<std::size_t>(1, end / NumPlaces(end));
  for (std::size_t place = 8; place < end; place += step) {
    for (const Bytes& forged : ForgeriesAt(bytes, place)) {
      const Made made = laws::Load(spec, laws::Forge(forged));
      if (made.model != nullptr) {
        UseFully(spec, made.model.get(), data);
      } else {
        EXPECT_EQ(made.status, CF_E_BAD_BLOB) << "byte " << place << ": " << made.message;
      }
    }
  }
}

std::string SubjectName(const ::testing::TestParamInfo<Subject>& info) {
  std::string name = info.param.id.substr(info.param.id.find('.') + 1);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
  return name;
}

std::int64_t NumFeatures(const Dataset& data) {
  return RowTable::ForPrediction(data, nullptr).get().n_features;
}

// All of them, that is: one_r looks at one, the others pass or ignore whatever comes.
bool LooksAtFeatures(const std::string& id) {
  return id != "crossfold.featureless" && id != "crossfold.one_r" && id != "crossfold.oversample" &&
         id != "crossfold.smote" && id != "crossfold.undersample";
}

class EverySavedModel : public ::testing::TestWithParam<Subject> {
 protected:
  // Calls use(spec, model, data) for every setting and every data set that it can be fitted on.
  template <class Use>
  static void ForEachModel(Use&& use) {
    for (const ParamValues& params : SettingsOf(GetParam().id)) {
      const SpecPtr spec = BundledSpec(GetParam().kind, GetParam().id, params);
      for (const DataPtr& data : AllData()) {
        if (!Accepts(GetParam(), *data)) continue;
        const RowTable rows = RowTable::ForTraining(*data, nullptr);
        const Made made = laws::TryFit(*spec, rows.get());
        if (made.model != nullptr) use(*spec, made.model.get(), data);
      }
    }
  }
};

TEST_P(EverySavedModel, ForgedBytesAreRefusedOrDoNoHarm) {
  int n_models = 0;
  ForEachModel([&](const Spec& spec, const cf_model* model, const DataPtr& data) {
    ++n_models;
    TryForgeries(spec, laws::Save(spec, model), data);
  });
  EXPECT_GT(n_models, 0);
}

// Another number of features or classes is refused before the model sees it.
TEST_P(EverySavedModel, RowsOfAnotherShapeAreRefused) {
  const bool is_learner = GetParam().kind == Kind::kLearner;
  ForEachModel([&](const Spec& spec, const cf_model* model, const DataPtr& data) {
    for (const DataPtr& other : AllData()) {
      const std::string failure = TryUse(spec, model, other);
      TryImportance(spec, model, *other);
      TryRows(spec, model, *other);
      if (is_learner && other->num_classes() != data->num_classes()) {
        EXPECT_THAT(failure,
                    AnyOf(StartsWith("the model predicts "), StartsWith("the model is for ")));
      }
      if (NumFeatures(*other) != NumFeatures(*data) && LooksAtFeatures(GetParam().id)) {
        EXPECT_THAT(failure, StartsWith("the model is for "));
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Bundled, EverySavedModel, ::testing::ValuesIn(SavedSubjects()),
                         SubjectName);

}  // namespace
}  // namespace crossfold
