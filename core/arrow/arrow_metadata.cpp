#include "arrow/arrow_metadata.h"

#include <cstdint>
#include <cstring>

#include "crossfold/error.h"

namespace crossfold {
namespace {

class MetadataBytes {
 public:
  MetadataBytes(const char* bytes, const std::string& subject) : at_(bytes), subject_(subject) {}

  std::int32_t Size() {
    std::int32_t size = 0;
    std::memcpy(&size, at_, sizeof size);
    at_ += sizeof size;
    if (size < 0) throw Error(ErrorKind::kBadData, subject_ + "has metadata of a negative length");
    return size;
  }

  std::string_view Text() {
    const auto size = static_cast<std::size_t>(Size());
    const std::string_view text(at_, size);
    at_ += size;
    return text;
  }

 private:
  const char* at_;
  const std::string& subject_;
};

}  // namespace

ArrowMetadata::ArrowMetadata(const ArrowSchema& schema, const std::string& subject) {
  if (schema.metadata == nullptr) return;
  MetadataBytes bytes(schema.metadata, subject);
  for (std::int32_t left = bytes.Size(); left > 0; --left) {
    const std::string_view key = bytes.Text();
    entries_.emplace_back(key, bytes.Text());
  }
}

std::string_view ArrowMetadata::Find(std::string_view key) const {
  for (const auto& [known, value] : entries_) {
    if (known == key) return value;
  }
  return "";
}

}  // namespace crossfold
