#include "store/cells/sqlite_uri.h"

namespace crossfold {

std::string SqliteUri(const std::filesystem::path& path, bool immutable) {
  std::string uri = "file:";
  if (path.is_absolute()) uri += "//";  // an empty authority: //a/b would name the host a
  for (const char c : path.string()) {
    if (c == '%') {
      uri += "%25";
    } else if (c == '?') {
      uri += "%3f";
    } else if (c == '#') {
      uri += "%23";
    } else {
      uri += c;
    }
  }
  return uri + (immutable ? "?immutable=1" : "");
}

}  // namespace crossfold
