#include "text_params.h"

namespace crossfold::reading {

TextEncoding EncodingOf(EncodingName name) {
  switch (name) {
    case EncodingName::kLatin1:
    case EncodingName::kIso88591:
      return TextEncoding::kLatin1;
    case EncodingName::kWindows1252:
    case EncodingName::kCp1252:
      return TextEncoding::kWindows1252;
    case EncodingName::kUtf16:
      return TextEncoding::kUtf16;
    case EncodingName::kUtf16Le:
      return TextEncoding::kUtf16Le;
    case EncodingName::kUtf16Be:
      return TextEncoding::kUtf16Be;
    default:
      return TextEncoding::kUtf8;
  }
}

}  // namespace crossfold::reading
