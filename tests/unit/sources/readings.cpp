#include "unit/sources/readings.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>

#include "arrow/arrow_types.h"
#include "crossfold/error.h"
#include "sqlite/sqlite_reader.h"
#include "text_files/arff_reader.h"
#include "text_files/arff_source.h"
#include "text_files/csv_reader.h"
#include "text_files/csv_source.h"
#include "text_files/svmlight_reader.h"
#include "unit/sdk/fake_call.h"

namespace crossfold::sources {
namespace {

using plugin::Columns;
using plugin::SourceColumn;

// A call without a host around it: hints, and a token that stops it.
class Request {
 public:
  Request(const std::string& location, const Wanted& wanted, const CancelToken* cancel = nullptr,
          int threads = 2)
      : location_(location) {
    for (const ColumnDeclaration& like : wanted.like) {
      Hint& hint = HintOf(like.name);
      hint.raw.dtype = like.dtype;
      hint.raw.flags = (wanted.wishes ? 0 : CF_HINT_FIRM) | (like.ordered ? CF_HINT_ORDERED : 0);
      hint.levels = like.levels;
    }
    for (const auto& [name, type] : wanted.types) {
      Hint& hint = HintOf(name);
      hint.raw.dtype = type.type == ColumnType::kInfer ? 0 : reading::DtypeOf(type.type);
      hint.raw.flags = CF_HINT_FIRM | (type.ordered ? CF_HINT_ORDERED | CF_HINT_CLOSED : 0) |
                       (type.type == ColumnType::kIgnore ? CF_HINT_UNUSED : 0);
      if (type.ordered) hint.levels = type.levels;
    }
    AddRoles(wanted);
    for (auto& [name, hint] : hints_) {
      for (const std::string& level : hint.levels) hint.pointers.push_back(level.c_str());
      hint.raw.struct_size = sizeof hint.raw;
      hint.raw.name = name.c_str();
      hint.raw.n_levels = static_cast<std::int32_t>(hint.levels.size());
      hint.raw.levels = hint.pointers.data();
      pointers_.push_back(&hint.raw);
    }
    input_.struct_size = sizeof input_;
    input_.location = location_.c_str();
    input_.n_bytes = -1;
    input_.max_bytes = std::numeric_limits<std::int64_t>::max();
    input_.hints = pointers_.data();
    input_.n_hints = pointers_.size();
    call_.call().n_threads = static_cast<std::uint32_t>(threads);
    call_.call().call_data = const_cast<CancelToken*>(cancel);
    call_.host().progress = [](const cf_call* call, double) -> std::int32_t {
      const auto* token = static_cast<const CancelToken*>(call->call_data);
      return token != nullptr && token->cancelled() ? 1 : 0;
    };
  }

  plugin::SourceInput input() const { return plugin::SourceInput(input_); }
  plugin::Context context() const { return plugin::Context(*call_.get()); }

 private:
  struct Hint {
    cf_column_hint raw{};
    std::vector<std::string> levels = {};
    std::vector<const char*> pointers = {};
  };

  Hint& HintOf(const std::string& name) { return hints_[name]; }
  void AddRoles(const Wanted& wanted) {
    const Roles& roles = wanted.roles;
    const auto drops = [&](const std::string& name) {
      return std::find(wanted.drop_missing.begin(), wanted.drop_missing.end(), name) !=
             wanted.drop_missing.end();
    };
    struct Role {
      const char* name;
      std::string column;
    };
    for (const Role& role : {Role{"target", roles.target}, Role{"weights", roles.weights},
                             Role{"groups", roles.groups}, Role{"time", roles.time},
                             Role{"folds", roles.folds}, Role{"strata", roles.strata}}) {
      if (role.column.empty()) continue;
      Hint& hint = HintOf(role.column);
      hint.raw.role = role.name;
      hint.raw.flags |= CF_HINT_COMPLETE;
      if (drops(role.name)) hint.raw.flags |= CF_HINT_DROP_MISSING;
    }
    for (const std::string& name : wanted.drop_missing) {
      HintOf(name).raw.flags |= CF_HINT_DROP_MISSING;
    }
  }

  std::string location_;
  std::map<std::string, Hint> hints_;
  std::vector<const cf_column_hint*> pointers_;
  cf_source_input input_{};
  plugin::FakeCall call_;
};

std::vector<bool> Bits(const void* bitmap, std::int64_t n) {
  std::vector<bool> bits;
  const auto* bytes = static_cast<const std::uint8_t*>(bitmap);
  for (std::int64_t i = 0; i < n && bytes != nullptr; ++i) {
    bits.push_back((bytes[i / 8] >> i % 8 & 1) != 0);
  }
  return bits;
}

std::shared_ptr<const Dataset> ToDataset(const std::string& name, const Columns& columns,
                                         const Wanted& wanted) {
  std::vector<Column> converted;
  Roles roles = wanted.roles;
  for (const SourceColumn& column : columns) {
    if (column.dtype == 0) continue;
    if (column.dtype == CF_BOOL8) {
      converted.push_back(Column::Booleans(column.name, Bits(column.data, column.n_rows),
                                           Bits(column.validity, column.n_rows)));
    } else {
      converted.push_back({.name = column.name,
                           .dtype = column.dtype,
                           .n_rows = column.n_rows,
                           .data = column.data,
                           .validity = column.validity,
                           .levels = column.levels,
                           .ordered = column.ordered,
                           .owner = column.owner});
    }
    for (const auto& [role, place] : kArrowRoles) {
      if (role == column.role && (roles.*place).empty()) roles.*place = column.name;
    }
  }
  return Dataset::Create(name, std::move(converted), roles, wanted.drop_missing);
}

ErrorKind KindOf(cf_status status) {
  switch (status) {
    case CF_E_INVALID_PARAM:
      return ErrorKind::kInvalidArgument;
    case CF_E_IO:
      return ErrorKind::kIo;
    case CF_E_CANCELLED:
      return ErrorKind::kCancelled;
    case CF_E_OUT_OF_MEMORY:
      return ErrorKind::kOutOfMemory;
    default:
      return ErrorKind::kBadData;
  }
}

// What read(request) makes of the wishes.
template <class Read>
std::shared_ptr<const Dataset> Make(const std::string& attempt, const std::string& name,
                                    const Wanted& wanted, const Request& request,
                                    const Read& read) {
  Columns columns;
  Translated(attempt, [&] { columns = read(request.input(), request.context()); });
  return ToDataset(name, columns, wanted);
}

template <class Options>
Wanted WantedOf(const Options& options) {
  return {.roles = options.roles,
          .types = options.types,
          .like = options.like,
          .drop_missing = options.drop_missing};
}

std::string StemOf(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.substr(0, name.find('.'));
}

std::string AttemptOf(const std::string& name) { return "cannot read '" + name + "'"; }

reading::CsvOptions FormOf(const CsvOptions& options) {
  return {.missing = options.missing,
          .separator = options.separator,
          .quote = options.quote,
          .decimal = options.decimal,
          .thousands = options.thousands,
          .skip_lines = options.skip_lines,
          .comment = options.comment,
          .header = options.header,
          .names = options.names,
          .most_bytes = options.most_bytes};
}

}  // namespace

void Translated(const std::string& words, const std::function<void()>& attempt) {
  try {
    attempt();
  } catch (const plugin::Error& error) {
    throw Error(KindOf(error.code()), words + ": " + error.what());
  }
}

std::shared_ptr<const Dataset> ReadCsvText(const NamedText& text, const std::string& name,
                                           const CsvOptions& options,
                                           const ChunkedReading& reading) {
  Wanted wanted = WantedOf(options);
  wanted.wishes = options.wishes;
  return Make(text.attempt, name, wanted, Request(name, wanted),
              [&](const plugin::SourceInput& input, const plugin::Context& context) {
                return reading::ReadCsvText({.text = text.text, .context = &context}, input,
                                            FormOf(options), reading);
              });
}

std::shared_ptr<const Dataset> ParseCsv(std::string_view text, const std::string& name,
                                        const CsvOptions& options) {
  std::optional<reading::DecodedText> decoded;
  Translated(AttemptOf(name), [&] { decoded.emplace(text, options.encoding, options.most_bytes); });
  return ReadCsvText({decoded->text(), AttemptOf(name)}, name, options,
                     {.threads = options.threads});
}

std::shared_ptr<const Dataset> ReadCsv(const std::string& path, const CsvOptions& options) {
  Wanted wanted = WantedOf(options);
  reading::CsvParams params;
  params.separator = std::string(1, options.separator);
  params.most_bytes = options.most_bytes;
  return Make(AttemptOf(path), StemOf(path), wanted,
              Request(path, wanted, nullptr, options.threads),
              [&](const plugin::SourceInput& input, const plugin::Context& context) {
                return reading::Csv::Open(params, input, context);
              });
}

std::shared_ptr<const Dataset> ReadArffText(const NamedText& text, const std::string& name,
                                            const ArffOptions& options,
                                            const ChunkedReading& reading) {
  Wanted wanted = WantedOf(options);
  wanted.wishes = options.wishes;
  return Make(text.attempt, name, wanted, Request(name, wanted),
              [&](const plugin::SourceInput& input, const plugin::Context& context) {
                return reading::ReadArffText({.text = text.text, .context = &context}, input,
                                             reading);
              });
}

std::shared_ptr<const Dataset> ParseArff(std::string_view text, const std::string& name,
                                         const ArffOptions& options) {
  return ReadArffText({text, AttemptOf(name)}, name, options, {.threads = 2});
}

std::shared_ptr<const Dataset> ReadArff(const std::string& path, const ArffOptions& options) {
  const Wanted wanted = WantedOf(options);
  return Make(AttemptOf(path), StemOf(path), wanted, Request(path, wanted),
              [&](const plugin::SourceInput& input, const plugin::Context& context) {
                return reading::Arff::Open({}, input, context);
              });
}

std::shared_ptr<const Dataset> ReadSvmlightText(const NamedText& text, const std::string& name,
                                                const SvmlightOptions& options,
                                                const ChunkedReading& reading) {
  const Wanted wanted{.types = options.types};
  return Make(text.attempt, name, wanted, Request(name, wanted),
              [&](const plugin::SourceInput& input, const plugin::Context& context) {
                return reading::ReadSvmlightText({.text = text.text, .context = &context}, input,
                                                 {.regression = options.task == Task::kRegression,
                                                  .n_features = options.n_features,
                                                  .most_bytes = options.most_bytes},
                                                 reading);
              });
}

std::shared_ptr<const Dataset> ParseSvmlight(std::string_view text, const std::string& name,
                                             const SvmlightOptions& options) {
  return ReadSvmlightText({text, AttemptOf(name)}, name, options, {.threads = 2});
}

std::shared_ptr<const Dataset> ReadSqlite(const std::string& path, const SqliteOptions& options) {
  Wanted wanted = WantedOf(options);
  wanted.wishes = options.wishes;
  return Make(AttemptOf(path), StemOf(path), wanted, Request(path, wanted, options.cancel),
              [&](const plugin::SourceInput& input, const plugin::Context& context) {
                return reading::ReadSqlite(path,
                                           {.query = options.query,
                                            .table = options.table,
                                            .most_bytes = options.most_bytes,
                                            .most_text_bytes = options.most_text_bytes},
                                           input, context);
              });
}

}  // namespace crossfold::sources
