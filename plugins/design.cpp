#include "design.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "feature_text.h"
#include "finite_rows.h"
#include "moments.h"
#include "row_entries.h"
#include "used_rows.h"

namespace crossfold::bundled {
namespace {

void RequireFiniteTarget(const VectorXd& values) {
  if (AreFinite(values.data(), values.size())) return;
  throw plugin::Error(CF_E_UNSUPPORTED_DATA, "the target has an infinite or missing entry");
}

}  // namespace

Design ReadDesign(const plugin::TrainingView& train) {
  FixBlockSizes();
  const Positions used = UsedRows(train);
  Design design;
  for (std::int64_t i = 0; i < train.num_rows(); ++i) design.total_weight += train.weight(i);
  const auto n = static_cast<Index>(used.size());
  design.x.resize(n, train.num_features());
  design.weights.resize(n);
  design.values.resize(train.is_classification() ? 0 : n);
  for (Index i = 0; i < n; ++i) {
    const std::int64_t row = used[static_cast<std::size_t>(i)];
    ReadFiniteRow(train, row, design.x.data() + i * train.num_features());
    design.weights[i] = train.weight(row);
    if (train.is_classification()) {
      design.labels.push_back(train.label(row));
    } else {
      design.values[i] = train.value(row);
    }
  }
  RequireFiniteTarget(design.values);
  design.features = FeatureNames(train);
  return design;
}

std::vector<std::string> FeatureNames(const plugin::FeatureView& rows) {
  std::vector<std::string> names;
  for (std::int64_t j = 0; j < rows.num_features(); ++j) names.emplace_back(rows.name(j));
  return names;
}

ColumnMoments MomentsOf(const Design& design) {
  const Index d = design.num_features();
  ColumnMoments moments{VectorXd(d), VectorXd(d)};
  const std::span<const double> weights(design.weights.data(),
                                        static_cast<std::size_t>(design.num_rows()));
  for (Index j = 0; j < d; ++j) {
    const VectorXd column = design.x.col(j);
    const Moments m =
        ComputeMoments({column.data(), weights.size()}, weights, Denominator::kTotalWeight,
                       FeatureText(design.features[static_cast<std::size_t>(j)]));
    moments.mean[j] = m.mean;
    moments.sd[j] = m.sd;
  }
  return moments;
}

DesignBlocks::DesignBlocks(const plugin::TrainingView& train, Index rows_per_block)
    : train_(&train), rows_per_block_(rows_per_block) {
  FixBlockSizes();
  n_blocks_ = (train.num_rows() + rows_per_block - 1) / rows_per_block;
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    total_weight_ += train.weight(i);
    n_rows_ += train.weight(i) > 0 ? 1 : 0;
  }
  if (n_rows_ == 0) RefuseNoWeight();
}

void DesignBlocks::Read(Index b, Design& block) const {
  const std::int64_t first = FirstRow(b);
  const Index n = EndRow(b) - first, d = num_features();
  block.x.resize(n, d);
  std::vector<double> column(static_cast<std::size_t>(n));
  for (Index j = 0; j < d; ++j) {
    ReadEntries(*train_, j, first, column);
    for (Index i = 0; i < n; ++i) block.x(i, j) = column[static_cast<std::size_t>(i)];
  }
  Index used = 0;
  for (Index i = 0; i < n; ++i) {
    if (!(train_->weight(first + i) > 0)) continue;
    for (Index j = 0; j < d; ++j) RequireFinite(*train_, j, block.x(i, j));
    if (used < i) block.x.row(used) = block.x.row(i);
    ++used;
  }
  block.x.conservativeResize(used, d);
  ReadTargets(b, block);
}

void DesignBlocks::ReadTargets(Index b, Design& block) const {
  std::vector<double> weights, values;
  block.labels.clear();
  for (std::int64_t row = FirstRow(b); row < EndRow(b); ++row) {
    if (!(train_->weight(row) > 0)) continue;
    weights.push_back(train_->weight(row));
    if (train_->is_classification()) {
      block.labels.push_back(train_->label(row));
    } else {
      values.push_back(train_->value(row));
    }
  }
  const auto vector = [](const std::vector<double>& numbers) {
    return Eigen::Map<const VectorXd>(numbers.data(), static_cast<Index>(numbers.size()));
  };
  block.weights = vector(weights);
  block.values = vector(values);
  RequireFiniteTarget(block.values);
}

ColumnMoments DesignBlocks::Moments() const {
  ColumnMoments moments{VectorXd(num_features()), VectorXd(num_features())};
  std::vector<double> entries;
  for (Index j = 0; j < num_features(); ++j) {
    const auto for_each = [&](const auto& use) {
      for (std::int64_t first = 0; first < train_->num_rows(); first += kRows) {
        entries.resize(
            static_cast<std::size_t>(std::min<std::int64_t>(kRows, train_->num_rows() - first)));
        ReadEntries(*train_, j, first, entries);
        for (std::size_t i = 0; i < entries.size(); ++i) {
          const double weight = train_->weight(first + static_cast<std::int64_t>(i));
          if (!(weight > 0)) continue;
          RequireFinite(*train_, j, entries[i]);
          use(entries[i], weight);
        }
      }
    };
    const bundled::Moments m =
        MomentsOfEach(for_each, Denominator::kTotalWeight, FeatureText(*train_, j));
    moments.mean[j] = m.mean;
    moments.sd[j] = m.sd;
  }
  return moments;
}

}  // namespace crossfold::bundled
