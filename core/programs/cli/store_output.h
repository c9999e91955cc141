// The output that all commands of stores have in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crossfold/table.h"
#include "programs/cli/store_commands.h"

namespace crossfold::cli {

// "1 cell", "3 cells"
std::string Counted(std::int64_t n, const std::string& one);
// Prints the table as JSON or CSV if requested, else `text`.
void PrintAs(const StoreCommandOptions& options, const Table& table, const std::string& text);
// Reports what is damaged and left out: the number, and the first ones by name. Without `store`,
// the names say which store it is. Returns the exit code: `code` if nothing is.
int EndWith(int code, const std::vector<std::string>& damaged, const std::string& store);

}  // namespace crossfold::cli
