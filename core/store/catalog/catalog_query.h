// Runs one statement that reads a catalog.
#pragma once

#include <string>

#include "crossfold/cancel_token.h"
#include "crossfold/table.h"
#include "store/cells/sqlite.h"

namespace crossfold {

// As QueryCatalog on an open catalog, which then only reads: every other statement, function that
// loads code and PRAGMA is refused by SQLite's authorizer.
Table RunQuery(Database& catalog, const std::string& sql, const CancelToken* cancel);

}  // namespace crossfold
