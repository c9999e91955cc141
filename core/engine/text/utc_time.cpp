#include "engine/text/utc_time.h"

#include <chrono>
#include <ctime>

namespace crossfold {
namespace {

std::string Formatted(const char* format) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, format, &utc);
  return text;
}

}  // namespace

std::string UtcTime() { return Formatted("%Y-%m-%dT%H:%M:%SZ"); }

std::string UtcDate() { return Formatted("%Y-%m-%d"); }

}  // namespace crossfold
