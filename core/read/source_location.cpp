#include "read/source_location.h"

#include <cstddef>
#include <optional>
#include <system_error>

#include "engine/text/ascii.h"
#include "files/file_bytes.h"

namespace crossfold {

SourceLocation::SourceLocation(const std::string& location) : location_(location) {
  constexpr std::size_t kHeadBytes = 4096;
  const std::optional<std::string> head = ReadBeginning(location, kHeadBytes);
  std::error_code failure;
  const std::uintmax_t size = std::filesystem::file_size(location, failure);
  if (!head || failure) return;
  n_bytes_ = static_cast<std::int64_t>(size);
  head_.assign(head->begin(), head->end());
}

cf_source_input SourceLocation::Input(const ReadRequest& request) const {
  static constexpr std::uint8_t kNothing = 0;  // an empty file has a head of no bytes
  cf_source_input input{};
  input.struct_size = sizeof input;
  input.location = location_.c_str();
  if (n_bytes_ >= 0) input.head = head_.empty() ? &kNothing : head_.data();
  input.n_head = static_cast<std::int64_t>(head_.size());
  input.n_bytes = n_bytes_;
  input.max_bytes = request.limits.memory;
  if (request.sandboxed) input.flags |= CF_INPUT_NOT_TRUSTED;
  return input;
}

bool SourceLocation::IsUri(const std::string& location) {
  return location.find("://") != std::string::npos;
}

std::string DatasetNameOf(const std::filesystem::path& path) {
  const std::string ending = LowerCase(path.extension().string());
  return (ending == ".gz" ? path.stem() : path).stem().string();
}

}  // namespace crossfold
