#include "cli/byte_size.h"

#include <CLI/CLI.hpp>
#include <string>

namespace crossfold::cli {
namespace {

// A number and perhaps a unit, as in 512M, 4GiB or "64 kb".
std::string RefuseOther(const std::string& size) {
  constexpr char kDigits[] = "0123456789";
  const std::size_t unit = size.find_first_not_of(kDigits);
  const bool has_number = size.find_first_of(kDigits) == 0;
  const std::string rest = unit == std::string::npos ? "" : size.substr(unit);
  const std::size_t letter = rest.find_first_not_of(' ');
  const bool is_known =
      rest.empty() ||
      (letter != std::string::npos && rest.find_first_of("bkmgtpeBKMGTPE") == letter &&
       rest.find_first_not_of("ibIB", letter + 1) == std::string::npos);
  if (has_number && is_known) return "";
  return "'" + size + "' is no size; use bytes, or text as in 512M or 4G";
}

}  // namespace

void TakeByteSize(CLI::Option& option) {
  option.transform(CLI::AsSizeValue(false));
  option.transform(CLI::Validator(RefuseOther, "SIZE"));  // before the other
}

}  // namespace crossfold::cli
