#include "engine/plugin/problems.h"

#include "crossfold/error.h"

namespace crossfold {

void ThrowIfAny(const std::string& attempt, const std::vector<std::string>& problems) {
  if (problems.empty()) return;
  std::string message = attempt + ": ";
  if (problems.size() == 1) {
    message += problems.front();
  } else {
    message += std::to_string(problems.size()) + " problems: ";
    for (std::size_t i = 0; i < problems.size(); ++i) {
      message += (i == 0 ? "(" : "; (") + std::to_string(i + 1) + ") " + problems[i];
    }
  }
  throw Error(ErrorKind::kInvalidArgument, message);
}

}  // namespace crossfold
