// The output of the commands of stores.
#pragma once

#include <string>
#include <vector>

#include "crossfold/rescore.h"
#include "crossfold/store_gc.h"
#include "crossfold/store_merge.h"
#include "crossfold/store_repair.h"
#include "crossfold/store_status.h"
#include "crossfold/table.h"

namespace crossfold::cli {

// One row per dataset and learner.
Table StatusTable(const StoreStatus& status);
// Adds a column for each cause of failures, and how many cells were tried again, to the same rows.
void AddCauses(const StoreStatus& status, Table& table);
// A table with one row per learner and cause, for people; "" = nothing failed.
std::string CausesText(const StoreStatus& status);
// The lines after it: runs, and the totals of the store.
std::string StatusText(const StoreStatus& status);
std::string GcText(const GcReport& report);
std::string RepairText(const RepairReport& report);
std::string MergeText(const MergeReport& report);
// Why scores are undefined: the first of each reason, and how often. "" = all are defined.
std::string UndefinedText(const Rescored& rescored);
// What is damaged and left out: the number, and the first ones by name. "" = nothing. Without
// `store`, the names say which store it is.
std::string DamageText(const std::vector<std::string>& damaged, const std::string& store);

}  // namespace crossfold::cli
