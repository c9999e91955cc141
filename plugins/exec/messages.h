// The messages between this process and that of a learner: docs/languages.md describes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold_plugin.h"
#include "folder_description.h"
#include "table_image.h"

namespace crossfold::exec {

// Numbers that a child forgets, and its arena if that is new to it: parts of every request.
struct RequestHead {
  std::vector<std::uint64_t> dropped_tables, dropped_models;
  std::string arena_path;  // "" = as before
  std::size_t arena_bytes = 0;
};

// A part of the arena.
struct Buffer {
  std::size_t at = 0;
  std::int64_t n = 0;
};

// A table that a child has under a number, or that this request carries.
struct TableName {
  std::uint64_t number = 0;
  const TableImage* carried = nullptr;  // not null = this one
};

struct RowsMessage {
  TableName table;
  std::optional<Buffer> rows, target, weights;  // nullopt = all rows; none; all 1
};

// What a model is of; for fit and load.
struct ModelHead {
  std::uint64_t number = 0;
  std::string component, params;  // its id; a JSON object
  std::string task;               // "binary", "multiclass" or "regression"
  std::vector<std::string> classes;
};

struct FitMessage {
  ModelHead model;
  RowsMessage train;
  std::optional<RowsMessage> validation;
  std::uint64_t seed = 0;
  std::uint32_t threads = 1;
};

struct PredictMessage {
  std::uint64_t model = 0;
  TableName table;
  std::optional<Buffer> rows, labels, values, probabilities;
};

// The arguments as a JSON object.
std::string ParamsText(std::span<const cf_arg> args, const FolderDescription& folder);
// Whether the text is a JSON object.
bool IsObject(std::string_view text);

std::string HelloRequest();
std::string TableRequest(const RequestHead& head, std::uint64_t number, const TableImage& table);
std::string FitRequest(const RequestHead& head, const FitMessage& message);
std::string PredictRequest(const RequestHead& head, const PredictMessage& message);
std::string ImportanceRequest(const RequestHead& head, std::uint64_t model, const Buffer& out);
std::string SaveRequest(const RequestHead& head, std::uint64_t model);
std::string LoadRequest(const RequestHead& head, const ModelHead& model,
                        const std::vector<std::string>& columns, std::size_t blob);

// A message of a child.
struct Answer {
  enum class Kind { kLog, kProgress, kError, kResult };
  Kind kind = Kind::kResult;
  std::int32_t level = CF_LOG_INFO;  // kLog
  double progress = 0;               // kProgress
  cf_status status = CF_OK;          // kError
  std::string message;               // kLog, kError
  std::size_t blob = 0;              // number of raw bytes that follow
  std::int64_t protocol = 0;
  std::map<std::string, std::string> environment;
};

// Returns nothing if the text is not a message of the protocol.
std::optional<Answer> ParseAnswer(std::string_view text);

}  // namespace crossfold::exec
