// Where a registry is: a folder, or a URL of a web server that serves one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace crossfold {

class RegistryPlace {
 public:
  // A folder, "http://..." or "https://...". Makes a folder's path absolute.
  explicit RegistryPlace(const std::string& location);

  const std::string& location() const { return location_; }
  // Returns the bytes of a file in it, at most `maximum`; nullopt = there is none. Throws
  // Error(kIo) "cannot read '<location>/<path>': ...". A URL is read by the program curl.
  std::optional<std::string> Read(const std::string& path, std::uint64_t maximum) const;

 private:
  std::string location_;
  bool is_url_ = false;
};

}  // namespace crossfold
