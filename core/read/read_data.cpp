#include "crossfold/read_data.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/facts/data_notes.h"
#include "arrow/arrow_stream.h"
#include "arrow/arrow_struct.h"
#include "arrow/category_levels.h"
#include "crossfold/column_types.h"
#include "crossfold/dataset.h"
#include "crossfold/error.h"
#include "crossfold/nearest_name.h"
#include "crossfold/spec.h"
#include "crossfold_plugin/source.h"
#include "engine/data/column_entries.h"
#include "engine/data/memory_shortage.h"
#include "engine/data/role_names.h"
#include "engine/data/worker_threads.h"
#include "engine/plugin/plugin_call.h"
#include "engine/text/ascii.h"
#include "engine/text/format_number.h"
#include "engine/text/shown_text.h"
#include "read/column_hints.h"
#include "read/source_choice.h"

namespace crossfold {
namespace {

template <class T>
std::string EntryText(std::int32_t dtype, T entry) {
  if (dtype == CF_BOOL8) return entry != 0 ? "true" : "false";
  if constexpr (std::is_floating_point_v<T>) {
    return FormatShortest(static_cast<double>(entry) + 0.0);  // -0.0 and 0.0 are one level
  } else {
    return std::to_string(entry);
  }
}

// Whether To can represent this value exactly.
template <class To, class From>
bool Fits(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // Both bounds are powers of two, so they are exact in any float.
    const auto lowest = static_cast<From>(std::numeric_limits<To>::min());
    return value >= lowest && value < -lowest && value == std::trunc(value);
  } else if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
    return std::in_range<To>(value);
  } else if constexpr (std::is_integral_v<From>) {
    const auto made = static_cast<long double>(static_cast<To>(value));
    return made == static_cast<long double>(value);
  } else {
    return true;  // rounded, as a number in a text file would be
  }
}

class Conversion {
 public:
  Conversion(const Column& column, const cf_column_hint& hint, const std::string& attempt)
      : column_(column), hint_(hint), subject_(attempt + "column '" + Shown(column.name) + "'") {}

  Column ToNumbers() const {
    if (column_.dtype == CF_CAT32 || column_.dtype == CF_BOOL8) RefuseType();
    switch (hint_.dtype) {
      case CF_F64:
        return Column::Doubles(column_.name, Numbers<double>());
      case CF_F32:
        return Column::Floats(column_.name, Numbers<float>());
      case CF_I32:
        return Column::Integers32(column_.name, Numbers<std::int32_t>(), Present());
      case CF_I64:
        return Column::Integers(column_.name, Numbers<std::int64_t>(), Present());
      default:
        RefuseType();
    }
  }

  Column ToCategories() const {
    LevelSet found;
    std::vector<std::int32_t> codes(static_cast<std::size_t>(column_.n_rows), -1);
    VisitEntries(column_, [&](auto entries) {
      for (std::size_t row = 0; row < entries.size(); ++row) {
        if (IsMissing(row, entries[row])) continue;
        codes[row] = found.CodeOf(column_.dtype == CF_CAT32
                                      ? column_.levels[static_cast<std::size_t>(entries[row])]
                                      : EntryText(column_.dtype, entries[row]));
      }
    });
    // Levels without rows are kept.
    for (const std::string& level : column_.levels) found.CodeOf(level);
    const std::vector<std::string> declared(hint_.levels, hint_.levels + hint_.n_levels);
    OrderedLevels ordered = OrderLevels(found, declared);
    const bool closed = (hint_.flags & CF_HINT_CLOSED) != 0;
    for (std::size_t row = 0; row < codes.size(); ++row) {
      if (codes[row] < 0) continue;
      const auto code = static_cast<std::size_t>(codes[row]);
      codes[row] = ordered.code_of_found[code];
      if (!closed || codes[row] < hint_.n_levels) continue;
      RefuseEntry(row, "'" + Shown(found.level(code)) + "' is not one of its levels; " +
                           KnownNames(found.level(code), declared));
    }
    if (closed) ordered.levels.resize(declared.size());
    Column made = Column::Categories(column_.name, std::move(codes), std::move(ordered.levels));
    made.ordered = IsOrdered(made.levels.size());
    return made;
  }

  bool HasWantedLevels() const {
    const auto n = static_cast<std::size_t>(hint_.n_levels);
    if (column_.levels.size() < n) return false;
    if ((hint_.flags & CF_HINT_CLOSED) != 0 && column_.levels.size() != n) return false;
    return std::equal(hint_.levels, hint_.levels + n, column_.levels.begin(),
                      [](const char* wanted, const std::string& level) { return wanted == level; });
  }

  bool IsOrdered(std::size_t n_levels) const {
    return (hint_.flags & CF_HINT_ORDERED) != 0 &&
           n_levels == static_cast<std::size_t>(hint_.n_levels);
  }

 private:
  template <class T>
  bool IsMissing(std::size_t row, T entry) const {
    return !IsValid(column_, row) || MarksMissing(column_.dtype, entry);
  }

  std::vector<bool> Present() const {
    std::vector<bool> present(static_cast<std::size_t>(column_.n_rows));
    for (std::size_t row = 0; row < present.size(); ++row) {
      present[row] = !column_.is_missing(static_cast<std::int64_t>(row));
    }
    return present;
  }

  template <class To>
  std::vector<To> Numbers() const {
    return VisitEntries(column_, [&](auto entries) {
      std::vector<To> values(entries.size());
      for (std::size_t row = 0; row < entries.size(); ++row) {
        if (IsMissing(row, entries[row])) {
          if constexpr (std::is_floating_point_v<To>) {
            values[row] = std::numeric_limits<To>::quiet_NaN();
          }
        } else if (Fits<To>(entries[row])) {
          values[row] = static_cast<To>(entries[row]);
        } else {
          RefuseEntry(row, EntryText(column_.dtype, entries[row]) +
                               " cannot be stored exactly as " +
                               std::string(ColumnTypeName(hint_.dtype)));
        }
      }
      return values;
    });
  }

  [[noreturn]] void RefuseType() const {
    throw Error(ErrorKind::kBadData,
                subject_ + " is of type " + std::string(ColumnTypeName(column_.dtype)) + " (type " +
                    std::string(ColumnTypeName(hint_.dtype)) + " was requested)");
  }

  [[noreturn]] void RefuseEntry(std::size_t row, const std::string& finding) const {
    throw Error(ErrorKind::kBadData,
                subject_ + ", row " + std::to_string(row + 1) + ": " + finding);
  }

  const Column& column_;
  const cf_column_hint& hint_;
  std::string subject_;
};

// Returns the column with the type of `hint`, or the same column if it has that type. Numbers are
// converted only if their values stay exactly the same. Entries of any type can become levels, by
// their text. Throws Error(kBadData) "<attempt>column 'age', row 7: ..." for an entry that does not
// fit.
Column WantedColumn(Column column, const cf_column_hint& hint, const std::string& attempt) {
  const Conversion conversion(column, hint, attempt);
  if (hint.dtype != CF_CAT32) {
    const bool is_wanted = hint.dtype == 0 || hint.dtype == column.dtype;
    return is_wanted ? std::move(column) : conversion.ToNumbers();
  }
  if (column.dtype != CF_CAT32 || !conversion.HasWantedLevels()) return conversion.ToCategories();
  if (hint.n_levels > 0) column.ordered = conversion.IsOrdered(column.levels.size());
  return column;
}

class Reading {
 public:
  Reading(const PluginHost& host, const std::string& location, const ReadRequest& request)
      : host_(host),
        request_(request),
        attempt_("cannot read '" + location + "'"),
        place_(location),
        hints_(request) {
    if (request.sandboxed && SourceLocation::IsUri(location)) {
      Refuse("it is a URI, which this script is not allowed to read");
    }
    for (const auto& [column, type] : request.types) {
      if (!type.ordered || !type.levels.empty()) continue;
      Refuse("the list of levels of '" + column + "' is empty; name all levels in their order");
    }
    source_ = ChooseSource(host, place_, request, attempt_);
  }

  const std::shared_ptr<const Component>& source() const { return source_; }
  // What the source said that is more than a detail.
  std::vector<std::string>& notes() { return notes_; }
  // Whether the request says how the column is to be read.
  bool HasType(const Column& column) const {
    const cf_column_hint* hint = hints_.Find(column.name);
    return hint != nullptr && (hint->flags & CF_HINT_FIRM) != 0;
  }

  ArrowColumns Run() {
    const auto spec = Spec::Make(source_, Options());
    cf_source_input input = place_.Input(request_);
    input.hints = hints_.pointers().data();
    input.n_hints = hints_.pointers().size();
    ArrowColumns read;
    std::exception_ptr refusal;
    const auto call = [&](const cf_call* context) -> cf_status {
      ArrowArrayStream stream{};
      const cf_status status =
          source_->source->open(context, spec->args().data(), spec->args().size(), &input, &stream);
      if (status != CF_OK) return status;
      try {
        read = ReadArrowStream(&stream, StreamReading());
      } catch (const StreamFailure& failure) {
        return context->host->fail(context, failure.status(), failure.reason().c_str());
      } catch (const Error&) {
        refusal = std::current_exception();
      } catch (const std::bad_alloc&) {
        refusal = std::current_exception();
      }
      return CF_OK;
    };
    const CallResult result = CallPlugin(*source_, CallOf(), call);
    if (refusal) std::rethrow_exception(refusal);
    if (!result.ok()) {
      const bool is_cancelled = result.status == CF_E_CANCELLED;
      if (is_cancelled) StopIfCancelled(request_.limits.cancel);
      throw Error(KindOfStatus(result.status), attempt_ + ": " + result.message);
    }
    Warn(result.warnings);
    for (Column& column : read.columns) {
      const cf_column_hint* hint = hints_.Find(column.name);
      if (hint != nullptr) column = WantedColumn(std::move(column), *hint, attempt_ + ": ");
    }
    SettleInfiniteEntries(read.columns, request_.infinite, attempt_);
    return read;
  }

 private:
  [[noreturn]] void Refuse(const std::string& finding) const {
    throw Error(ErrorKind::kInvalidArgument, attempt_ + ": " + finding);
  }

  // Returns the options. Words such as encodings may differ in case from the source's declaration.
  ParamValues Options() const {
    ParamValues options = request_.options;
    for (const ParamSpec& param : source_->params) {
      const auto given = options.find(param.name);
      if (param.type != CF_P_CHOICE || given == options.end()) continue;
      auto* word = std::get_if<std::string>(&given->second);
      if (word == nullptr) continue;
      const std::string lower = LowerCase(*word);
      const auto declared = std::ranges::find_if(
          param.choices, [&](const std::string& choice) { return LowerCase(choice) == lower; });
      if (declared != param.choices.end()) *word = *declared;
    }
    return options;
  }

  CallOptions CallOf() const {
    CallOptions options;
    const int threads = request_.threads > 0 ? request_.threads : DefaultWorkers();
    options.n_threads = static_cast<std::uint32_t>(threads);
    options.cancel = request_.limits.cancel;
    options.log = &take_notes_;
    return options;
  }

  ArrowReading StreamReading() const {
    return {.attempt = attempt_ + " through source '" + source_->id + "': ",
            .unused = hints_.unused(),
            .limits = request_.limits,
            .check = [this](std::span<const std::string> names, const Roles& found) {
              CheckNames(names, found);
            }};
  }

  // Refuses a request that names columns that do not exist.
  void CheckNames(std::span<const std::string> names, const Roles& found) const {
    std::vector<std::string> kept;
    for (const std::string& name : names) {
      const auto type = request_.types.find(name);
      if (type == request_.types.end() || type->second.type != ColumnType::kIgnore) {
        kept.push_back(name);
      }
    }
    const std::unordered_set<std::string_view> known(names.begin(), names.end());
    for (const auto& [column, type] : request_.types) {
      if (known.contains(column)) continue;
      Refuse("a type is given for '" + column + "', which is not a column; " +
             KnownNames(column, names));
    }
    CheckRoleNames(request_.roles, kept, ErrorKind::kInvalidArgument, attempt_);
    ColumnsMeant(WithFoundRoles(request_.roles, found), kept, request_.drop_missing, attempt_);
    if (kept.empty() && !names.empty()) Refuse("every column is ignored");
  }

  void Warn(const std::vector<std::string>& warnings) const {
    if (!host_.log()) return;
    for (const std::string& warning : warnings) {
      host_.log()(CF_LOG_WARN, "source " + std::string(ShortId(source_->id)) + ": " + warning);
    }
  }

  const PluginHost& host_;
  const ReadRequest& request_;
  const std::string attempt_;
  const SourceLocation place_;
  const ColumnHints hints_;
  std::shared_ptr<const Component> source_;
  std::mutex noting_;  // a source may have threads
  std::vector<std::string> notes_;
  const LogSink take_notes_ = [this](std::int32_t level, const std::string& message) {
    constexpr std::size_t kMaxNotes = 20;  // so that a source cannot add notes without end
    const std::lock_guard lock(noting_);
    if (level >= CF_LOG_INFO && notes_.size() < kMaxNotes) return notes_.push_back(message);
    if (host_.log()) host_.log()(level, message);
  };
};

}  // namespace

std::shared_ptr<const Component> FindSource(const PluginHost& host, const std::string& location,
                                            const ReadRequest& request) {
  return Reading(host, location, request).source();
}

std::shared_ptr<const Dataset> ReadData(const PluginHost& host, const std::string& location,
                                        const ReadRequest& request) {
  return ReportingShortage(
      "cannot read '" + location + "'", "choose columns (types) or rows,", [&] {
        Reading reading(host, location, request);
        ArrowColumns read = reading.Run();
        auto data =
            Dataset::Create(DatasetNameOf(location), std::move(read.columns),
                            WithFoundRoles(request.roles, read.roles), request.drop_missing);
        return WithDataNotes(
            std::move(data), std::move(reading.notes()),
            [&](const Column& column) { return reading.HasType(column); }, host.log());
      });
}

}  // namespace crossfold
