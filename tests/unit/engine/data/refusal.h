// What a refusal says, as a value to compare.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "crossfold/error.h"
#include "message_of.h"

namespace crossfold {

struct Refusal {
  ErrorKind kind;
  std::string message;

  friend bool operator==(const Refusal&, const Refusal&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Refusal& refusal) {
    return out << "kind " << static_cast<int>(refusal.kind) << ": " << refusal.message;
  }
};

// Nothing if `attempt` does not throw.
template <class Attempt>
std::optional<Refusal> RefusalOf(Attempt attempt) {
  try {
    attempt();
  } catch (const Error& error) {
    return Refusal{error.kind(), error.what()};
  }
  return std::nullopt;
}

// The message of a refused argument.
template <class Attempt>
std::string RefusedArgument(Attempt attempt) {
  return test::MessageOf(attempt, ErrorKind::kInvalidArgument);
}

inline Refusal BadData(const std::string& message) { return {ErrorKind::kBadData, message}; }

inline Refusal InvalidArgument(const std::string& message) {
  return {ErrorKind::kInvalidArgument, message};
}

}  // namespace crossfold
