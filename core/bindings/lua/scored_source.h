// Scored rows as scripts give them: a prediction, or lists.
#pragma once

#include <lua.hpp>
#include <string>

#include "crossfold/scored_rows.h"

namespace crossfold::lua {

struct ScoredSource {
  OwnedScoredRows rows;
  std::string positive;  // the name of the positive class; "" for lists
};

// Pushes the source at `index`: a prediction, of which field `positive` of the table at `options`
// names the class (default: the second of two), or {scores = {...}, positive = {booleans}, weights
// = {...}}. Raises for other values.
const ScoredSource& ReadScoredSource(lua_State* L, int index, int options);

}  // namespace crossfold::lua
