#include "crossfold/stored_cells.h"

#include <span>

#include "store/cells/prediction_blob.h"
#include "store/cells/test_rows.h"

namespace crossfold {

const std::vector<std::string>& StoredCells::warnings(std::size_t split) const {
  static const std::vector<std::string> kNone;
  const auto found = warnings_.find(split);
  return found == warnings_.end() ? kNone : found->second;
}

const Score* StoredCells::FindScore(std::size_t split, std::string_view metric) const {
  const Cell& cell = cells_[split];
  for (const auto& [place, score] : std::span(scores_).subspan(cell.first_score, cell.n_scores)) {
    const Metric& one = metrics_[place];
    if (one.text == metric || one.key == metric) return &score;
  }
  return nullptr;
}

Prediction StoredCells::UnpackPrediction(std::size_t split, Keep keep) const {
  const Cell& cell = cells_[split];
  const Plan& plan = plans_[cell.plan];
  const TestRows::Rows tested = plan.tests->Of(*plan.splits, cell.split_in_plan);
  Prediction prediction = UnpackPredictionOf(
      *plan.data, std::string_view(bytes_).substr(cell.first_byte, cell.n_bytes), tested.ids);
  if (keep == Keep::kLabels) prediction.probabilities = {};
  return prediction;
}

const std::shared_ptr<const Dataset>& StoredCells::data(std::size_t split) const {
  return plans_[cells_[split].plan].data;
}

}  // namespace crossfold
