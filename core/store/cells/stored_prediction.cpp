#include "store/cells/stored_prediction.h"

#include <vector>

#include "encoding/fields.h"
#include "engine/run/cell_runner.h"
#include "store/cells/prediction_blob.h"
#include "store/cells/series_reader.h"
#include "store/cells/store_impl.h"

namespace crossfold {

std::optional<Prediction> FindStoredPrediction(CellStore& store, const CellBlock& block,
                                               std::int64_t split, bool share, TestRows& tests) {
  CellStore::Impl& impl = store.impl();
  std::optional<std::int64_t> series;
  {
    const CellStore::Impl::Locked locked = impl.Lock();
    series = locked.definitions.FindSeries(block, split, share);
  }
  if (!series) return std::nullopt;
  const std::int64_t fold = block.splits->fold_of(split);
  SeriesReader reader(impl);
  std::vector<FoundCell> cells;
  reader.Read(*series, fold, fold + 1, false, cells);
  if (cells.empty()) {  // it may still wait for the tables
    impl.FlushIfWaiting({*series});
    reader.Read(*series, fold, fold + 1, false, cells);
  }
  if (cells.empty()) return std::nullopt;
  const ReadRow& read = cells.front().read;
  if (!read.is_whole || read.row.status != StoredStatus::kOk || !read.row.prediction) {
    return std::nullopt;
  }
  try {
    const TestRows::Rows tested = tests.Of(*block.splits, split);
    Prediction prediction =
        UnpackPredictionOf(*block.splits->view().data, *read.row.prediction, tested.ids);
    DropUnwanted(block.keep, prediction);
    return prediction;
  } catch (const plugin::Error&) {  // it does not fit the cell
    return std::nullopt;
  }
}

}  // namespace crossfold
