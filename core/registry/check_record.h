// Reading and writing what `plugin check` found, in an index and in a package.
#pragma once

#include <string_view>

#include "crossfold/json_value.h"
#include "crossfold/registry_index.h"
#include "registry/json_fields.h"

namespace crossfold {

// Throws Defect.
CheckRecord ReadCheckRecord(const JsonFields& fields);
JsonObject ToJson(const CheckRecord& record);

// Whether the text can be a part of a file's name: letters, digits, '.', '_', '+' and '-', and
// nothing that leads to another folder.
bool IsFileWord(std::string_view text);

}  // namespace crossfold
