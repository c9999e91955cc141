#include "read/source_choice.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "crossfold/nearest_name.h"
#include "engine/plugin/plugin_call.h"
#include "engine/text/ascii.h"
#include "files/file_bytes.h"

namespace crossfold {
namespace {

// Whether the id has the prefix that is reserved for plugins of this program.
bool IsBundled(std::string_view id) { return id.starts_with("crossfold."); }

// Returns the ids of all sources, also of rejected plugins, the bundled ones first, then by id.
std::vector<std::string> SourceIds(const PluginHost& host) {
  std::set<std::string> ids;
  for (const PluginEntry& entry : host.entries()) {
    ids.insert(entry.ids[Kind::kSource].begin(), entry.ids[Kind::kSource].end());
  }
  std::vector<std::string> ordered(ids.begin(), ids.end());
  std::stable_partition(ordered.begin(), ordered.end(), &IsBundled);
  return ordered;
}

// Returns null if the source cannot be loaded, because another one may read the data; `failure`
// then is the first Error.
std::shared_ptr<const Component> TryFind(const PluginHost& host, const std::string& id,
                                         std::exception_ptr* failure = nullptr) {
  try {
    return host.Find(Kind::kSource, id);
  } catch (const Error& error) {
    if (host.log()) host.log()(CF_LOG_DEBUG, error.what());
    if (failure != nullptr && !*failure) *failure = std::current_exception();
    return nullptr;
  }
}

bool MayUse(const Component& source, const ReadRequest& request) {
  return !request.sandboxed || (source.source->promises & CF_SOURCE_READS_ONE_FILE) != 0;
}

// Returns how certain the source is. A source that fails is not.
std::int32_t Sniff(const Component& source, const cf_source_input& input,
                   const ReadRequest& request, const LogSink& log) {
  std::int32_t sure = CF_SNIFF_NO;
  CallOptions options;
  options.cancel = request.limits.cancel;
  options.log = &log;
  const CallResult result = CallPlugin(source, options, [&](const cf_call* call) {
    return source.source->sniff(call, &input, &sure);
  });
  if (result.ok()) return std::clamp<std::int32_t>(sure, CF_SNIFF_NO, CF_SNIFF_CONTENT);
  if (log) log(CF_LOG_DEBUG, "source " + source.id + ": " + result.message);
  return CF_SNIFF_NO;
}

}  // namespace

SourceLocation::SourceLocation(const std::string& location) : location_(location) {
  constexpr std::size_t kHeadBytes = 4096;
  const std::optional<std::string> head = ReadBeginning(location, kHeadBytes);
  std::error_code failure;
  const std::uintmax_t size = std::filesystem::file_size(location, failure);
  if (!head || failure) return;
  n_bytes_ = static_cast<std::int64_t>(size);
  head_.assign(head->begin(), head->end());
}

cf_source_input SourceLocation::Input(const ReadRequest& request) const {
  static constexpr std::uint8_t kNothing = 0;  // an empty file has a head of no bytes
  cf_source_input input{};
  input.struct_size = sizeof input;
  input.location = location_.c_str();
  if (n_bytes_ >= 0) input.head = head_.empty() ? &kNothing : head_.data();
  input.n_head = static_cast<std::int64_t>(head_.size());
  input.n_bytes = n_bytes_;
  input.max_bytes = request.limits.memory;
  if (request.sandboxed) input.flags |= CF_INPUT_NOT_TRUSTED;
  return input;
}

bool SourceLocation::IsUri(const std::string& location) {
  return location.find("://") != std::string::npos;
}

std::string DatasetNameOf(const std::filesystem::path& path) {
  const std::string ending = LowerCase(path.extension().string());
  return (ending == ".gz" ? path.stem() : path).stem().string();
}

std::vector<std::string> EndingsOf(const Component& source) {
  return {source.source->endings, source.source->endings + source.source->n_endings};
}

std::vector<std::shared_ptr<const Component>> LoadedSources(const PluginHost& host) {
  std::vector<std::shared_ptr<const Component>> sources;
  for (const std::string& id : SourceIds(host)) {
    if (auto source = TryFind(host, id)) sources.push_back(std::move(source));
  }
  return sources;
}

std::shared_ptr<const Component> NamedSource(const PluginHost& host, const std::string& format) {
  const std::vector<std::string> ids = SourceIds(host);
  for (const std::string& id : ids) {
    if (id == format || ShortId(id) == format) return host.Find(Kind::kSource, id);
  }
  for (const auto& source : LoadedSources(host)) {
    const std::vector<std::string> endings = EndingsOf(*source);
    if (std::find(endings.begin(), endings.end(), format) != endings.end()) return source;
  }
  return nullptr;
}

std::vector<std::string> FormatNames(const PluginHost& host) {
  std::set<std::string> names;
  for (const auto& source : LoadedSources(host)) {
    names.emplace(ShortId(source->id));
    for (std::string& ending : EndingsOf(*source)) names.insert(std::move(ending));
  }
  return {names.begin(), names.end()};
}

std::shared_ptr<const Component> ChooseSource(const PluginHost& host, const SourceLocation& place,
                                              const ReadRequest& request,
                                              const std::string& attempt) {
  if (!request.format.empty()) {
    const auto source = NamedSource(host, request.format);
    if (source == nullptr) {
      throw Error(ErrorKind::kInvalidArgument, attempt + ": there is no format '" + request.format +
                                                   "'; " +
                                                   KnownNames(request.format, FormatNames(host)));
    }
    if (MayUse(*source, request)) return source;
    throw Error(ErrorKind::kInvalidArgument,
                attempt + ": source '" + source->id +
                    "' may read other files than this one, which this script is not allowed to do");
  }
  const cf_source_input input = place.Input(request);
  std::shared_ptr<const Component> best;
  std::int32_t surest = CF_SNIFF_NO;
  std::exception_ptr failure;
  for (const std::string& id : SourceIds(host)) {
    // Third-party plugins are not loaded if a bundled one knows the content.
    if (surest == CF_SNIFF_CONTENT && !IsBundled(id)) break;
    const auto source = TryFind(host, id, IsBundled(id) ? &failure : nullptr);
    if (source == nullptr || !MayUse(*source, request)) continue;
    const std::int32_t sure = Sniff(*source, input, request, host.log());
    if (sure <= surest) continue;
    best = source;
    surest = sure;
  }
  if (best != nullptr) return best;
  StopIfCancelled(request.limits.cancel);
  // A bundled plugin that failed to load, such as one that is not in the lock, may know the format.
  if (failure) std::rethrow_exception(failure);
  const std::vector<std::string> names = FormatNames(host);
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
  throw Error(ErrorKind::kInvalidArgument,
              attempt + ": no source knows its format; " +
                  (known.empty() ? "there are no sources" : "name it (format): " + known));
}

}  // namespace crossfold
