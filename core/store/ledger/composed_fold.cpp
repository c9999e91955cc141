#include "crossfold/composed_fold.h"

#include "store/cells/store_impl.h"
#include "store/cells/stored_prediction.h"
#include "store/cells/stored_table.h"

namespace crossfold {
namespace {

void Insert(Database& db, std::int64_t run, std::int64_t dataset, const ComposedFold& fold,
            const std::string* prediction) {
  Statement insert(db, InsertInto(kComposedTable, "INSERT OR REPLACE"));
  insert.Bind(1, run).BindText(2, fold.learner).BindText(3, fold.dataset_name);
  insert.Bind(4, fold.repeat).Bind(5, fold.fold).Bind(6, dataset).Bind(7, fold.n_train);
  prediction != nullptr ? insert.BindBlob(8, *prediction) : insert.BindNull(8);
  fold.prediction == nullptr ? insert.BindText(9, fold.failure) : insert.BindNull(9);
  insert.Run();
}

}  // namespace

void RecordComposed(CellStore& store, const ComposedFold& fold) {
  CellStore::Impl& impl = store.impl();
  std::string packed;
  if (fold.prediction != nullptr) packed = PackPrediction(*fold.prediction, {});
  const bool keeps = fold.prediction != nullptr && impl.TakeRoom(packed.size());
  const bool is_kept = impl.Change([&](Database& db, Definitions& definitions, std::int64_t run) {
    Insert(db, run, definitions.DatasetOf(*fold.data), fold, keeps ? &packed : nullptr);
  });
  if (!is_kept) impl.CountLostNote();
}

}  // namespace crossfold
