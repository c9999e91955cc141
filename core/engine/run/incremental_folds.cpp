// Running folds of one repeat by crossfold.incremental/1 (Route::kIncremental): the rows of each
// fold are removed from a model of all rows.
#include <chrono>
#include <utility>

#include "engine/run/fold_rows.h"
#include "engine/run/item_cells.h"

namespace crossfold {
namespace {

using Clock = std::chrono::steady_clock;

class IncrementalFolds {
 public:
  IncrementalFolds(const CellRunner& runner, ItemCells& cells)
      : runner_(runner),
        cells_(cells),
        block_(runner.block(cells.block(0))),
        learner_(block_.learner->learner()),
        component_(learner_.component()),
        table_(*component_.capability<cf_cap_incremental>(CF_CAP_INCREMENTAL)),
        data_(*block_.splits->view().data),
        rows_(*block_.splits, cells.split(0), static_cast<std::int64_t>(cells.num_splits())) {}

  void Run() {
    const RowTable all = RowTable::ForTraining(data_, rows_.ids());
    CallSite site = runner_.MakeSite();
    RequireAcceptedTraining(component_, all.get());
    const Clock::time_point start = Clock::now();
    // The learner declares that the seed does not matter.
    StepModel model = CallFit(learner_, all.get(), 0, site);
    const double fit_s = std::chrono::duration<double>(Clock::now() - start).count() /
                         static_cast<double>(rows_.num_folds());
    for (std::size_t f = 0; f < rows_.num_folds() && !runner_.cancelled(); ++f) {
      try {
        RunFold(f, all.get(), model, fit_s, site.warnings);
      } catch (const StepError& e) {
        cells_.SetFailure(0, f, e.failure());
      }
    }
    model.Destroy(site);
  }

 private:
  void RunFold(std::size_t f, const cf_table& all, const StepModel& model, double fit_s,
               const std::vector<std::string>& warnings) {
    CallSite site = runner_.MakeSite();
    site.warnings = warnings;
    std::vector<std::int64_t> fold;
    for (const std::int64_t place : rows_.tested(f)) {
      fold.push_back(rows_.id(place));
    }
    const RowTable out = RowTable::ForTraining(data_, &fold);
    const RowTable test = RowTable::ForPrediction(data_, &fold);
    cf_table rest = all;
    rest.n_rows -= static_cast<std::int64_t>(fold.size());
    CheckShape(learner_, rest, site);
    const Clock::time_point start = Clock::now();
    StepModel without = MakeModel(component_, 0, site, [&](const cf_call* call, cf_model** made) {
      return table_.clone(call, model.get(), made);
    });
    CallStep("fit", component_, 0, site, [&](const cf_call* call) {
      return table_.remove_rows(call, without.get_mutable(), &out.get());
    });
    const Clock::time_point fitted = Clock::now();
    SharedResult result;
    result.prediction =
        PredictWith(learner_, without.get(), test.get(), test.get(),
                    {data_.num_classes(), WantsProbabilities(block_)},
                    runner_.cell(cells_.block(0), cells_.split(f)).seeds().Predict(), site);
    without.Destroy(site);
    if (!site.warnings.empty() && table_.exact != 0)
      return;  // the cell reports them when it is run alone
    result.prediction.rows = std::move(fold);
    result.warnings = std::move(site.warnings);
    result.n_train = rest.n_rows;
    result.fit_s = fit_s + std::chrono::duration<double>(fitted - start).count();
    result.predict_s = std::chrono::duration<double>(Clock::now() - fitted).count();
    result.via = CF_CAP_INCREMENTAL;
    result.tolerance = table_.exact != 0 ? 0 : table_.tolerance;
    cells_.Deliver(0, f, std::move(result));
  }

  const CellRunner& runner_;
  ItemCells& cells_;
  const CellBlock& block_;
  const Spec& learner_;
  const Component& component_;
  const cf_cap_incremental& table_;
  const Dataset& data_;
  const FoldRows rows_;
};

}  // namespace

std::vector<LeftCell> RunIncrementalFolds(const CellRunner& runner, BlockList blocks,
                                          const WorkItem& item, const DeliverResult& deliver) {
  ItemCells cells(blocks, item.split, item.n_splits, deliver);
  cells.Try([&] { IncrementalFolds(runner, cells).Run(); });
  return cells.Left();
}

}  // namespace crossfold
