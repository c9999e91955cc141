// crossfold status, gc, repair, merge, rescore, verify, diff and export. crossfold runs those that
// only read what the store says (commands.h), crossfold-store the others (programs/store).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crossfold/table.h"

namespace crossfold::cli {

class Command;

// The options of all commands together; each uses some of them.
struct StoreCommandOptions {
  std::string store, other;
  std::vector<std::string> parts;
  std::int64_t run = 0;
  bool json = false, csv = false;
  std::int64_t keep_runs = 1;
  std::vector<std::string> metrics;
  std::string costs, subgroup;
  bool inner = false;
  std::string sample = "5%";
  std::uint64_t seed = 1;
  int workers = 0;
  std::string isolate = "auto";
  bool all = false;
  bool without_data = false;
  bool missing = false;
  int shards = 0;
};

// Declares the commands. `options` must live until the line is parsed.
void DeclareStores(Command& app, StoreCommandOptions& options);

// ---- the output that they have in common ----

// Prints the table as JSON or CSV if requested, else `text`.
void PrintAs(const StoreCommandOptions& options, const Table& table, const std::string& text);
// Reports what is damaged and left out: the number, and the first ones by name. Without `store`,
// the names say which store it is. Returns the exit code: `code` if nothing is.
int EndWith(int code, const std::vector<std::string>& damaged, const std::string& store);

}  // namespace crossfold::cli
