// The file format of fitted models, version 1, and the parts that files of all models have: a frame
// with a checksum, and packed fields in it (encoding/fields.h). An outline is
//   text Crossfold version, seed (8)
//   training data: text name, text content hash, rows (8), task (1: 1 = classification,
//     2 = regression), the target's declaration, list of class names
//   list of declarations of the features
// The file of a fitted model has
//   "CFXMODEL", format version (4 bytes)
//   outline
//   list of steps: text component id, text component version, text plugin id, text plugin version,
//     text SHA-256 of the plugin's file, serialize format (4),
//     list of parameters: text name, given (1), value,
//     for a transform the list of declarations of the columns that it made,
//     length and bytes of what crossfold.serialize/1 wrote
//   SHA-256 (32 bytes) over all that
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "crossfold/fitted_model.h"
#include "encoding/fields.h"
#include "engine/run/fit_predict.h"
#include "engine/run/step_call.h"
#include "engine/run/table_schema.h"

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

struct ModelParts {
  std::shared_ptr<const Pipeline> pipeline;  // outlives steps
  FittedSteps steps;
  TableSchema schema;  // of the training features
  TrainingFacts training;
  std::uint64_t seed = 0;
};

// Writes a model. `attempt` begins messages: "cannot save model 'a.cfm': ". Throws Error,
// StepError.
std::string WriteModel(const ModelParts& parts, const std::string& attempt, CallSite& site);

// Reads a model. `attempt` is "cannot load model 'a.cfm': ". Any bytes are safe; throws Error for
// invalid ones.
ModelParts ReadModel(std::string_view bytes, const std::string& attempt, const PluginHost& plugins);

}  // namespace crossfold
