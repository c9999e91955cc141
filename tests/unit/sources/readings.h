// Texts and files read by the bundled sources, as datasets: what a host does with the columns that
// it gets, without a host.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/dataset.h"
#include "crossfold_plugin/source.hpp"
#include "reading/column_plan.h"
#include "text_files/csv_options.h"
#include "text_files/decoded_text.h"
#include "text_files/text_chunks.h"

namespace crossfold::sources {

using reading::ChunkedReading;
using reading::ColumnType;
using reading::kNoQuote;
using reading::kNoThousands;
using reading::kSeparatorAuto;
using reading::kSeparatorBlanks;
using reading::SeparatorFromName;
using reading::TextEncoding;

// The type that a column is asked to have: kInfer asks for none; a list of levels for these, in
// this order.
struct WantedType {
  WantedType(ColumnType wanted = ColumnType::kInfer) : type(wanted) {}
  WantedType(std::vector<std::string> in_order)
      : type(ColumnType::kCategorical), ordered(true), levels(std::move(in_order)) {}

  ColumnType type;
  bool ordered = false;
  std::vector<std::string> levels = {};
};
using ColumnTypes = std::map<std::string, WantedType, std::less<>>;

// What is wanted of the columns. `like` is firm, but for `wishes`.
struct Wanted {
  Roles roles = {};
  ColumnTypes types = {};
  std::vector<ColumnDeclaration> like = {};
  std::vector<std::string> drop_missing = {};
  bool wishes = false;
};

struct CsvOptions {
  Roles roles = {};
  ColumnTypes types = {};
  std::vector<ColumnDeclaration> like = {};
  std::vector<std::string> drop_missing = {};
  bool wishes = false;
  std::vector<std::string> missing = reading::CsvOptions().missing;
  char separator = ',';
  char quote = '"';
  char decimal = '.';
  char thousands = kNoThousands;
  TextEncoding encoding = TextEncoding::kUtf8;
  std::int64_t skip_lines = 0;
  std::string comment = {};
  bool header = true;
  std::vector<std::string> names = {};
  std::int64_t most_bytes = std::int64_t{4} << 30;
  int threads = 2;
};

struct ArffOptions {
  Roles roles = {};
  ColumnTypes types = {};
  std::vector<ColumnDeclaration> like = {};
  std::vector<std::string> drop_missing = {};
  bool wishes = false;
};

struct SvmlightOptions {
  Task task = Task::kClassification;
  std::int64_t n_features = 0;
  std::int64_t most_bytes = std::int64_t{4} << 30;
  ColumnTypes types = {};
};

struct SqliteOptions {
  std::string query = {}, table = {};
  Roles roles = {};
  ColumnTypes types = {};
  std::vector<ColumnDeclaration> like = {};
  std::vector<std::string> drop_missing = {};
  std::int64_t most_bytes = std::int64_t{4} << 30;
  std::int64_t most_text_bytes = 0;
  const CancelToken* cancel = nullptr;
  bool wishes = false;
};

struct NamedText {
  std::string_view text;
  std::string attempt;  // begins every message
};

// Each throws crossfold::Error of the kind that the status means, "cannot read 'NAME': <finding>".
std::shared_ptr<const Dataset> ParseCsv(std::string_view text, const std::string& name,
                                        const CsvOptions& options);
std::shared_ptr<const Dataset> ReadCsvText(const NamedText& text, const std::string& name,
                                           const CsvOptions& options,
                                           const ChunkedReading& reading);
std::shared_ptr<const Dataset> ReadCsv(const std::string& path, const CsvOptions& options);
std::shared_ptr<const Dataset> ParseArff(std::string_view text, const std::string& name,
                                         const ArffOptions& options);
std::shared_ptr<const Dataset> ReadArffText(const NamedText& text, const std::string& name,
                                            const ArffOptions& options,
                                            const ChunkedReading& reading);
std::shared_ptr<const Dataset> ReadArff(const std::string& path, const ArffOptions& options);
std::shared_ptr<const Dataset> ParseSvmlight(std::string_view text, const std::string& name,
                                             const SvmlightOptions& options);
std::shared_ptr<const Dataset> ReadSvmlightText(const NamedText& text, const std::string& name,
                                                const SvmlightOptions& options,
                                                const ChunkedReading& reading);
std::shared_ptr<const Dataset> ReadSqlite(const std::string& path, const SqliteOptions& options);

// Runs `attempt` and turns what a source throws into a crossfold::Error that begins with `words`.
void Translated(const std::string& words, const std::function<void()>& attempt);

}  // namespace crossfold::sources
