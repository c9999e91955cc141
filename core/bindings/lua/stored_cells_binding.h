// Cells of a store as scripts read them, by the number of their split s from 1 on:
//
//   cells:state(s)           "ok", "failed", "missing" = the store has no outcome, "damaged"; nil =
//                            the run did not ask for it
//   cells:score(s, metric)   value or nil, reason; nil alone = the store has none that can be read
//   cells:damaged_scores(s)  count
//   cells:failure(s)         { stage =, code =, message = } of a failed one
//   cells:warnings(s)        strings; nil = none
//   cells:sizes(s)           training rows, test rows
//   cells:seconds(s)         fit, predict
//   cells:has_prediction(s)
//   cells:prediction(s)      unpacked at every call; nil = none
#pragma once

#include <memory>

#include "crossfold/cell.h"
#include "crossfold/stored_cells.h"

namespace crossfold::lua {

struct StoredCellsHandle {
  static constexpr char kName[] = "crossfold.StoredCells";
  std::unique_ptr<const StoredCells> cells;
  Keep keep = Keep::kLabels;  // the part of predictions that scripts get
};

}  // namespace crossfold::lua
