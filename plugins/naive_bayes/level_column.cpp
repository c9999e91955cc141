#include "level_column.h"

#include <cmath>
#include <cstdint>
#include <utility>

#include "../number_text.h"

namespace crossfold::bundled {

LevelColumn::LevelColumn(std::string name, std::vector<std::string> levels, std::size_t n_classes)
    : name_(std::move(name)),
      levels_(std::move(levels)),
      n_classes_(n_classes),
      counts_(levels_.size() * n_classes) {}

std::size_t LevelColumn::LevelOf(double x) const {
  const auto n_levels = static_cast<double>(levels_.size());
  if (x >= 0 && x < n_levels && x == std::floor(x)) return static_cast<std::size_t>(x);
  throw plugin::Error(CF_E_UNSUPPORTED_DATA, FeatureText(name_) + " has the entry " +
                                                 NumberText(x) +
                                                 ", but bernoulli entries must be 0 or 1");
}

void LevelColumn::Update(const Batch& batch, std::span<const double> x) {
  std::vector<double> counts(batch.whole_weights ? counts_.size() : 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) || batch.weights[i] == 0) continue;
    const std::size_t place = LevelOf(x[i]) * n_classes_ + batch.classes[i];
    if (batch.whole_weights) {
      counts[place] += batch.weights[i];
    } else {
      counts_.Add(place, batch.weights[i]);
    }
  }
  for (std::size_t place = 0; place < counts.size(); ++place) counts_.Add(place, counts[place]);
  counts_.Normalise();
}

void LevelColumn::Finish(const Shared& shared) {
  const std::size_t n_levels = levels_.size();
  shares_.assign(counts_.size(), 0);
  log_shares_.assign(counts_.size(), 0);
  const double laplace = shared.params->laplace;
  for (std::size_t c = 0; c < n_classes_; ++c) {
    double all = laplace * static_cast<double>(n_levels);
    for (std::size_t level = 0; level < n_levels; ++level) {
      all += counts_.Value(level * n_classes_ + c);
    }
    for (std::size_t level = 0; level < n_levels; ++level) {
      const std::size_t place = level * n_classes_ + c;
      // For a class that never has this feature, takes the limit of vanishing smoothing.
      shares_[place] =
          all > 0 ? (counts_.Value(place) + laplace) / all : 1 / static_cast<double>(n_levels);
      log_shares_[place] = std::log(shares_[place]);
    }
  }
}

void LevelColumn::Score(std::span<const double> x, const ScoreTable& table) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i])) continue;
    const double* from = log_shares_.data() + LevelOf(x[i]) * n_classes_;
    double* to = table.row(i);
    for (std::size_t c = 0; c < n_classes_; ++c) to[c] += from[c];
  }
}

std::string LevelColumn::Describe(const Shared& shared) const {
  std::string text;
  for (std::size_t c = 0; c < n_classes_; ++c) {
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      text += "P(" + name_ + " = " + levels_[level] + " | " + shared.class_names[c] +
              ") = " + NumberText(shares_[level * n_classes_ + c]) + "\n";
    }
  }
  return text;
}

void LevelColumn::Save(plugin::Writer& w) const {
  w.Write(static_cast<std::uint64_t>(levels_.size()));
  for (const std::string& level : levels_) w.WriteText(level);
  counts_.Save(w);
}

LevelColumn LevelColumn::Load(plugin::Reader& r, std::string name, std::size_t n_classes) {
  // The bytes of levels + classes would claim levels x classes numbers.
  constexpr std::uint64_t kMostCells = std::uint64_t{1} << 26;
  std::vector<std::string> levels;
  const auto n_levels = r.ReadWithin<std::uint64_t>(0, kMostCells / n_classes);
  for (std::uint64_t i = 0; i < n_levels; ++i) levels.push_back(r.ReadText());
  LevelColumn column(std::move(name), std::move(levels), n_classes);
  column.counts_ = ExactSums::Load(r, column.counts_.size());
  return column;
}

}  // namespace crossfold::bundled
