#include "programs/cli/store_output.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>

#include "programs/cli/exit_code.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {
namespace {

// "" = nothing is damaged.
std::string DamageText(const std::vector<std::string>& damaged, const std::string& store) {
  constexpr std::size_t kFew = 5;
  if (damaged.empty()) return "";
  std::string text = Counted(static_cast<std::int64_t>(damaged.size()), "result") +
                     (store.empty() ? std::string() : " of store '" + store + "'") +
                     " damaged and left out: ";
  for (std::size_t i = 0; i < std::min(kFew, damaged.size()); ++i) {
    text += (i == 0 ? "" : "; ") + damaged[i];
  }
  if (damaged.size() > kFew) text += "; and " + std::to_string(damaged.size() - kFew) + " more";
  return text + "; `crossfold repair` recovers what is intact";
}

}  // namespace

std::string Counted(std::int64_t n, const std::string& one) {
  return std::to_string(n) + " " + one + (n == 1 ? "" : "s");
}

void PrintAs(const StoreCommandOptions& options, const Table& table, const std::string& text) {
  if (options.json) {
    Print(ToJson(table));
  } else {
    Print(options.csv ? ToCsv(table) : text);
  }
}

int EndWith(int code, const std::vector<std::string>& damaged, const std::string& store) {
  if (damaged.empty()) return code;
  std::fflush(stdout);
  std::fprintf(stderr, "crossfold: %s\n", DamageText(damaged, store).c_str());
  return kError;
}

}  // namespace crossfold::cli
