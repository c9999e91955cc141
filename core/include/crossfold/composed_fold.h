// Folds of learners that are not cells, such as ensembles that are combined in Lua: a store keeps
// their predictions to be scored again, and never uses them instead of computing them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "crossfold/cell_store.h"
#include "crossfold/dataset.h"
#include "crossfold/outcome.h"

namespace crossfold {

struct ComposedFold {
  std::string learner, dataset_name;    // in the experiment
  std::shared_ptr<const Dataset> data;  // whose rows were predicted
  std::int64_t repeat = 0, fold = 0;    // from 0
  std::int64_t n_train = 0;
  std::shared_ptr<const Prediction> prediction;  // null = it failed
  std::string failure;                           // why, if it did
};

// Adds the fold to the current run of the store, where it replaces an earlier fold of the same
// names and numbers. The prediction is left out if it exceeds the store's limit. Throws Error(kIo).
void RecordComposed(CellStore& store, const ComposedFold& fold);

}  // namespace crossfold
