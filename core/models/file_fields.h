// The parts of files of models: a frame with a checksum, and packed fields in it
// (encoding/fields.h). An outline is
//   text Crossfold version, seed (8)
//   training data: text name, text content hash, rows (8), task (1: 1 = classification,
//     2 = regression), the target's declaration, list of class names
//   list of declarations of the features
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "crossfold/fitted_model.h"
#include "encoding/fields.h"

namespace crossfold {

inline constexpr const char* kDamagedFile = "it is damaged or cut short; save it again";
inline constexpr std::size_t kMagicSize = 8;

// The frame of a kind of file: its first eight bytes, and the newest format that can be read.
struct FileFrame {
  std::string_view magic;
  std::uint32_t version;
};

// Returns the magic, the format version (4 bytes), the fields, and the SHA-256 (32 bytes) over all
// of them.
std::string Framed(const FileFrame& frame, std::string_view fields);

// Returns the bytes between the header and the checksum. Throws Error "<attempt><finding>". The
// caller reports bytes that do not begin with the magic.
std::string_view CheckedBody(std::string_view bytes, const FileFrame& frame,
                             const std::string& attempt);

void WriteOutline(const TrainingFacts& training, std::span<const ColumnDeclaration> features,
                  std::uint64_t seed, FieldWriter& fields);
// Throws plugin::Error for invalid bytes.
ModelOutline ReadOutline(FieldReader& fields);

}  // namespace crossfold
