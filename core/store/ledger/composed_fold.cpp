#include "crossfold/composed_fold.h"

#include <optional>
#include <string>
#include <string_view>

#include "store/cells/store_impl.h"
#include "store/cells/stored_prediction.h"
#include "store/cells/stored_table.h"

namespace crossfold {
namespace {

void Insert(Database& db, std::int64_t run, std::int64_t dataset, const ComposedFold& fold,
            const std::optional<Blob>& prediction) {
  std::optional<std::string_view> failure;
  if (fold.prediction == nullptr) failure = fold.failure;
  Statement(db, InsertInto(kComposedTable, "INSERT OR REPLACE"), run, fold.learner,
            fold.dataset_name, fold.repeat, fold.fold, dataset, fold.n_train, prediction, failure)
      .Run();
}

}  // namespace

void RecordComposed(CellStore& store, const ComposedFold& fold) {
  CellStore::Impl& impl = store.impl();
  std::string packed;
  if (fold.prediction != nullptr) packed = PackPrediction(*fold.prediction, {});
  const bool keeps = fold.prediction != nullptr && impl.TakeRoom(packed.size());
  const bool is_kept = impl.Change([&](Database& db, Definitions& definitions, std::int64_t run) {
    Insert(db, run, definitions.DatasetOf(*fold.data), fold,
           keeps ? std::optional(Blob{packed}) : std::nullopt);
  });
  if (!is_kept) impl.CountLostNote();
}

}  // namespace crossfold
