// The text of a file, whatever its bytes are: unpacked and in UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "crossfold/text_encoding.h"
#include "data/dataset_name.h"

namespace crossfold {

// Bytes that are plain UTF-8 are not copied, so `bytes` must outlive this.
class DecodedText {
 public:
  // Unpacks gzip and decodes. Throws Error(kBadData) "<attempt>: <finding>" for bytes that are not
  // in the encoding; UTF-8 is not checked here.
  DecodedText(std::string_view bytes, const std::string& attempt, TextEncoding encoding,
              std::int64_t most_bytes);
  DecodedText(const DecodedText&) = delete;
  DecodedText& operator=(const DecodedText&) = delete;

  std::string_view text() const { return text_; }

 private:
  std::string unpacked_, decoded_;
  std::string_view text_;
};

}  // namespace crossfold
