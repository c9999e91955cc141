#include "isolate/cell_definitions.h"

#include <cstddef>

#include "crossfold/error.h"
#include "crossfold/failure_cause.h"
#include "encoding/split_fields.h"
#include "files/scratch_folder.h"

namespace crossfold {
namespace {

template <class T, class Make>
std::variant<std::shared_ptr<const T>, std::string> Try(const Make& make) {
  try {
    return make();
  } catch (const Error& e) {
    return std::string(e.what());
  }
}

}  // namespace

template <class T>
const CellDefinitions::Made<T>& CellDefinitions::Look(
    const std::map<std::uint64_t, Made<T>>& defined, std::uint64_t number) {
  const auto found = defined.find(number);
  if (found == defined.end()) FieldReader::Fail();
  return found->second;
}

void CellDefinitions::Define(MessageType type, FieldReader& fields) {
  const auto number = fields.Number<std::uint64_t>();
  switch (type) {
    case MessageType::kForgetDataset:
      datasets_.erase(number);
      return;
    case MessageType::kSplits: {
      const auto data = datasets_.find(fields.Number<std::uint64_t>());
      if (data == datasets_.end()) FieldReader::Fail();
      splits_[number] = ReadSplits(fields, data->second);
      return;
    }
    case MessageType::kLearner:
      learners_[number] = Try<Pipeline>([&] { return Pipeline::Make(MakeSpecs(fields)); });
      return;
    case MessageType::kMetrics:
      metrics_[number] =
          Try<MetricList>([&] { return std::make_shared<const MetricList>(MakeSpecs(fields)); });
      return;
    default:
      FieldReader::Fail();
  }
}

void CellDefinitions::Forget() {
  splits_.clear();
  learners_.clear();
  metrics_.clear();
}

// Only from the files that the other side has.
std::vector<std::shared_ptr<const Spec>> CellDefinitions::MakeSpecs(FieldReader& fields) {
  const std::vector<SpecRecord> records = ReadSpecs(fields);
  const std::vector<LoadedFiles> files = ReadLoadedFiles(fields);
  if (files.size() != records.size()) FieldReader::Fail();
  std::vector<std::shared_ptr<const Spec>> specs;
  for (std::size_t i = 0; i < records.size(); ++i) {
    specs.push_back(MakeSpec(records[i], HostFor(records[i], files[i])));
    const std::string other = VersionDifference(records[i], specs.back()->component());
    if (other.empty()) continue;
    // Its results would be stored as those of the other version.
    throw Error(ErrorKind::kBadPlugin,
                "cannot use the plugin in this process: " + other +
                    " in the process that started it; install the same versions on all machines");
  }
  return specs;
}

const PluginHost& CellDefinitions::HostFor(const SpecRecord& record, const LoadedFiles& files) {
  std::unique_ptr<PluginHost>& host = hosts_[{record.path, locked_}];
  if (host != nullptr) return *host;
  PluginHostOptions options;
  options.use_environment = options.use_user_folder = options.use_installation = false;
  options.allow_paths = true;
  options.scan.where = ScanOptions::Where::kHere;  // the other side has tried it
  options.check_writers = false;                   // and knows which plugins are bundled
  if (locked_) {
    // Checks before any code runs that these are the files of the other side.
    options.lock = PluginLock{
        "", {{record.plugin, record.plugin_version, "", record.sha256, 1, 0, files.libraries}}};
  }
  auto made = std::make_unique<PluginHost>(std::move(options));
  // On this machine one copy of a folder is enough for all processes.
  const std::filesystem::path copy = files.copy;
  made->AddFile(locked_ && ScratchFolder::IsOfThisUser(copy.parent_path())
                    ? copy
                    : std::filesystem::path(record.path));
  host = std::move(made);
  return *host;
}

std::string CellDefinitions::AddBlock(const ItemBlock& item, std::vector<CellBlock>& blocks) const {
  const auto& learner = Look(learners_, item.learner);
  const auto splits = splits_.find(item.splits);
  if (splits == splits_.end() || item.first < 0 || item.count < 1 ||
      item.count > splits->second->size() - item.first ||
      item.keep > static_cast<std::uint8_t>(Keep::kProbabilities)) {
    FieldReader::Fail();
  }
  if (const auto* problem = std::get_if<std::string>(&learner)) return *problem;
  CellBlock block;
  block.learner = std::get<0>(learner);
  block.splits = splits->second;
  block.first = item.first;
  block.count = item.count;
  block.seed = item.seed;
  block.keep = static_cast<Keep>(item.keep);
  if (item.metrics != 0) {
    const auto& metrics = Look(metrics_, item.metrics);
    if (const auto* problem = std::get_if<std::string>(&metrics)) return *problem;
    block.metrics = std::get<0>(metrics);
  }
  blocks.push_back(std::move(block));
  return "";
}

Outcome CellDefinitions::CannotRun(const std::string& problem) {
  Outcome outcome;
  outcome.status = OutcomeStatus::kFailed;
  outcome.failure = {"run", CodeOf(FailureCause::kPlugin), problem, true};
  return outcome;
}

}  // namespace crossfold
