#include "cli/byte_size.h"

#include <CLI/CLI.hpp>
#include <string>

namespace crossfold::cli {
namespace {

std::string RefuseNegative(const std::string& size) {
  return size.find('-') == std::string::npos ? "" : "'" + size + "' is no size in bytes";
}

}  // namespace

void TakeByteSize(CLI::Option& option) {
  option.transform(CLI::AsSizeValue(false));
  option.transform(CLI::Validator(RefuseNegative, "SIZE"));  // before the other
}

}  // namespace crossfold::cli
