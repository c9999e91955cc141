#include "discovery/load_error.h"

#include <cstddef>

#include "engine/plugin/foreign_text.h"

namespace crossfold {
namespace {

std::string_view WithoutPrefix(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

}  // namespace

std::string ExplainLoadError(std::string_view complaint, const std::filesystem::path& path) {
  constexpr std::string_view kNotFound =
      ": cannot open shared object file: No such file or directory";
  constexpr std::string_view kUndefined = "undefined symbol: ";
  constexpr std::string_view kVersion = ": version `";
  constexpr std::string_view kVersionEnd = "' not found";
  const std::string_view text = WithoutPrefix(complaint, path.string() + ": ");
  if (text.ends_with(kNotFound)) {
    const std::string_view library = text.substr(0, text.size() - kNotFound.size());
    return "needs " + CleanText(std::string(library).c_str()) + ", which is not found";
  }
  if (text.starts_with(kUndefined)) {
    const std::string_view rest = text.substr(kUndefined.size());
    const std::string symbol(rest.substr(0, rest.find_first_of(" \t,")));
    return "needs the function or variable " + CleanText(symbol.c_str()) +
           ", which none of its libraries has";
  }
  const std::size_t version = text.find(kVersion);
  const std::size_t end = text.find(kVersionEnd);
  if (version != std::string_view::npos && end != std::string_view::npos && end > version) {
    const std::size_t start = version + kVersion.size();
    return "needs " + CleanText(std::string(text.substr(start, end - start)).c_str()) + ", which " +
           CleanText(std::string(text.substr(0, version)).c_str()) +
           " lacks; was it built on a newer system?";
  }
  return CleanText(std::string(text).c_str());
}

}  // namespace crossfold
