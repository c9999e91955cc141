// One column of 0 and 1 for each level of a category: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../feature_values.h"
#include "../onnx_parts.h"
#include "crossfold_plugin.hpp"

namespace cf = crossfold::plugin;
using crossfold::bundled::FeatureText;
using crossfold::bundled::ReportFeature;

namespace {

enum class Drop { kNone, kFirst, kBinary };
constexpr std::array<const char*, 3> kDropNames = {"none", "first", "binary"};

enum class Levels { kAll, kSeen };
constexpr std::array<const char*, 2> kLevelsNames = {"all", "seen"};

enum class Unseen { kZeros, kError };
constexpr std::array<const char*, 2> kUnseenNames = {"zeros", "error"};

enum class Missing { kZeros, kColumn };
constexpr std::array<const char*, 2> kMissingNames = {"zeros", "column"};

// The coding of one level.
enum class Place : std::uint8_t { kColumn, kDropped, kUnseen };

class OneHot {
 public:
  static constexpr cf::TransformInfo kInfo{
      .component = {.id = "crossfold.one_hot",
                    .title = "One-hot coding",
                    .doc = "Replaces every categorical column by one column of 0 and 1 for each of "
                           "its levels. Numeric columns pass through.",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED}};

  struct Params {
    Drop drop = Drop::kNone;
    Levels levels = Levels::kAll;
    Unseen unseen = Unseen::kZeros;
    Missing missing = Missing::kZeros;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Choice("drop", &Params::drop, kDropNames,
                 "Levels that get no column: none, the first of each column, or the first of each "
                 "column with two levels."),
      cf::Choice("levels", &Params::levels, kLevelsNames,
                 "Levels that get a column: all levels of the dataset, or only those of the "
                 "training rows."),
      cf::Choice("unseen", &Params::unseen, kUnseenNames,
                 "How a level that no training row has is coded.", {.active_if = "levels=seen"}),
      cf::Choice(
          "missing", &Params::missing, kMissingNames,
          "How a missing entry is coded: as zeros, or in a column '<column>=?' of its own."));

  static OneHot Fit(const Params& params, const cf::TrainingView& train,
                    const cf::Context& context) {
    OneHot fitted;
    fitted.refuse_unseen_ = params.unseen == Unseen::kError;
    fitted.missing_column_ = params.missing == Missing::kColumn;
    for (std::int64_t j = 0; j < train.num_features(); ++j) {
      ReportFeature(context, j, train.num_features());
      fitted.places_.emplace_back();
      if (train.is_categorical(j)) fitted.places_.back() = PlacesOf(params, train, j);
    }
    return fitted;
  }

  cf::ModelShape shape() const { return {.n_features = std::ssize(places_)}; }
  void Apply(const cf::FeatureView& rows, cf::ColumnSink& out, const cf::Context& context) const {
    for (std::int64_t j = 0; j < rows.num_features(); ++j) {
      ReportFeature(context, j, rows.num_features());
      if (rows.is_categorical(j)) {
        Encode(rows, j, out);
      } else {
        out.Pass(j);
      }
    }
  }

  void AddOnnx(const cf::FeatureView& columns, cf::OnnxGraph& graph, const cf::Context&) const {
    for (std::int64_t j = 0; j < columns.num_features(); ++j) {
      if (columns.is_categorical(j)) {
        AddCoded(columns, j, graph);
      } else {
        graph.SetOutput(columns.name(j), graph.Column(j));
      }
    }
  }

  static constexpr std::uint32_t kFormatVersion = 1;
  void Save(cf::Writer& w) const {
    w.Write(refuse_unseen_);
    w.Write(missing_column_);
    w.Write(static_cast<std::uint64_t>(places_.size()));
    for (const std::vector<Place>& places : places_) {
      w.Write(static_cast<std::uint64_t>(places.size()));
      for (const Place place : places) w.Write(static_cast<std::uint8_t>(place));
    }
  }
  static OneHot Load(cf::Reader& r) {
    OneHot model;
    model.refuse_unseen_ = r.Read<bool>();
    model.missing_column_ = r.Read<bool>();
    const auto n = r.Read<std::uint64_t>();
    for (std::uint64_t j = 0; j < n; ++j) {
      std::vector<Place>& places = model.places_.emplace_back();
      const auto n_levels = r.Read<std::uint64_t>();
      for (std::uint64_t level = 0; level < n_levels; ++level) {
        places.push_back(static_cast<Place>(
            r.ReadWithin<std::uint8_t>(0, static_cast<std::uint8_t>(Place::kUnseen))));
      }
    }
    return model;
  }

 private:
  static std::vector<Place> PlacesOf(const Params& params, const cf::TrainingView& train,
                                     std::int64_t j) {
    std::vector<Place> places(static_cast<std::size_t>(train.num_levels(j)), Place::kColumn);
    if (params.levels == Levels::kSeen) {
      std::fill(places.begin(), places.end(), Place::kUnseen);
      for (std::int64_t i = 0; i < train.num_rows(); ++i) {
        if (train.is_missing(i, j) || train.weight(i) == 0) continue;
        places[static_cast<std::size_t>(train.x(i, j))] = Place::kColumn;
      }
    }
    const auto n_columns = std::count(places.begin(), places.end(), Place::kColumn);
    const bool drop =
        params.drop == Drop::kFirst || (params.drop == Drop::kBinary && n_columns == 2);
    const auto first = std::find(places.begin(), places.end(), Place::kColumn);
    if (drop && first != places.end()) *first = Place::kDropped;
    return places;
  }

  void Encode(const cf::FeatureView& rows, std::int64_t j, cf::ColumnSink& out) const {
    const std::vector<Place>& places = places_[static_cast<std::size_t>(j)];
    if (static_cast<std::size_t>(rows.num_levels(j)) != places.size()) {
      throw cf::Error(CF_E_INVALID_ARGUMENT,
                      FeatureText(rows, j) + " has different levels from the training rows");
    }
    const std::string prefix = std::string(rows.name(j)) + '=';
    std::vector<std::span<double>> column_of(places.size());  // empty where there is none
    for (std::size_t level = 0; level < places.size(); ++level) {
      if (places[level] != Place::kColumn) continue;
      column_of[level] = out.AddNumeric(prefix + rows.column(j).levels[level]);
      std::fill(column_of[level].begin(), column_of[level].end(), 0.0);
    }
    std::span<double> missing;
    if (missing_column_) missing = out.AddNumeric(prefix + '?');
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows.num_rows()); ++i) {
      const double code = rows.x(static_cast<std::int64_t>(i), j);
      if (!missing.empty()) missing[i] = std::isnan(code) ? 1 : 0;
      if (std::isnan(code)) continue;
      const auto level = static_cast<std::size_t>(code);
      if (places[level] == Place::kUnseen) RefuseUnseen(rows, j, level);
      if (!column_of[level].empty()) column_of[level][i] = 1;
    }
  }

  // A level that Encode refuses makes all columns missing.
  void AddCoded(const cf::FeatureView& columns, std::int64_t j, cf::OnnxGraph& graph) const {
    const std::vector<Place>& places = places_[static_cast<std::size_t>(j)];
    const std::string prefix = std::string(columns.name(j)) + '=';
    constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::string> names;
    std::vector<std::size_t> levels;  // of the columns; 0 = missing, else the level + 1
    for (std::size_t level = 0; level < places.size(); ++level) {
      if (places[level] != Place::kColumn) continue;
      names.push_back(prefix + columns.column(j).levels[level]);
      levels.push_back(level + 1);
    }
    if (missing_column_) {
      names.push_back(prefix + '?');
      levels.push_back(0);
    }
    const auto code = crossfold::bundled::LevelPlaces(graph, graph.Column(j));
    for (std::size_t k = 0; k < names.size(); ++k) {
      std::vector<double> entries(places.size() + 1, 0);
      for (std::size_t level = 0; level < places.size(); ++level) {
        if (refuse_unseen_ && places[level] == Place::kUnseen) entries[level + 1] = kNoNumber;
      }
      entries[levels[k]] = 1;
      const auto table = graph.Numbers(entries, {entries.size()});
      graph.SetOutput(names[k], graph.Node("Gather", {table, code}));
    }
  }

  void RefuseUnseen(const cf::FeatureView& rows, std::int64_t j, std::size_t level) const {
    if (!refuse_unseen_) return;
    throw cf::Error(CF_E_UNSUPPORTED_DATA, FeatureText(rows, j) + " has the level '" +
                                               rows.column(j).levels[level] +
                                               "', which no training row has");
  }

  bool refuse_unseen_ = false;
  bool missing_column_ = false;
  std::vector<std::vector<Place>> places_;  // by feature, by level; numeric ones have none
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.one_hot", "1.0.0", "The Crossfold Authors", "MIT", OneHot)
