#include "crossfold/read_data.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <variant>

#include "arrow/arrow_stream.h"
#include "arrow/arrow_struct.h"
#include "crossfold/error.h"
#include "crossfold/nearest_name.h"
#include "crossfold/spec.h"
#include "engine/data/memory_shortage.h"
#include "engine/data/role_names.h"
#include "engine/data/worker_threads.h"
#include "engine/plugin/plugin_call.h"
#include "engine/text/ascii.h"
#include "read/column_hints.h"
#include "read/dataset_name.h"
#include "read/source_choice.h"
#include "read/source_location.h"
#include "read/status_kind.h"
#include "read/wanted_columns.h"

namespace crossfold {
namespace {

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
    options.log = &host_.log();
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
        ArrowColumns read = Reading(host, location, request).Run();
        return Dataset::Create(DatasetNameOf(location), std::move(read.columns),
                               WithFoundRoles(request.roles, read.roles), request.drop_missing);
      });
}

}  // namespace crossfold
