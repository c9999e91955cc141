// crossfold status, gc, repair, merge, rescore, verify, diff and export. crossfold runs those that
// only read what the store says (show_store.h), crossfold-store the others
// (programs/store/keep_store.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace crossfold::cli
