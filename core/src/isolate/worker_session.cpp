#include "isolate/worker_session.h"

#include <poll.h>
#include <unistd.h>

#include <clocale>
#include <csignal>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/score.h"
#include "crossfold/version.h"
#include "isolate/message_socket.h"
#include "isolate/process_limits.h"
#include "isolate/sealed_memory.h"
#include "plan/split_fields.h"
#include "plugin/spec_fields.h"
#include "run/outcome_fields.h"

namespace crossfold {
namespace {

// A definition, or why it cannot be made here.
template <class T>
using Made = std::variant<std::shared_ptr<const T>, std::string>;

// Plugins may have registered things to do at exit that never end. This comes before them, unless
// they were registered while the same item ran.
void LeaveAtOnce(int code, void*) { ::_exit(code); }

// Polled by a thread that calls nothing else, so that no plugin can keep the process alive.
void EndWithTheOtherSide(int socket) {
  pollfd watched{socket, POLLRDHUP, 0};
  while (::poll(&watched, 1, -1) <= 0 || (watched.revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0) {
  }
  if (::getpgrp() == ::getpid()) ::kill(0, SIGKILL);
  ::_exit(0);
}

template <class T>
const Made<T>& Look(const std::map<std::uint64_t, Made<T>>& defined, std::uint64_t number) {
  const auto found = defined.find(number);
  if (found == defined.end()) FieldReader::Fail();
  return found->second;
}

class WorkerSession {
 public:
  explicit WorkerSession(int socket) : socket_(socket) {}

  void Serve() {
    FieldWriter ready;
    ready.Text(Version());
    socket_.Send(MessageType::kReady, ready.bytes());
    socket_.Flush();
    while (const auto frame = socket_.Receive()) {
      FieldReader fields(frame->body);
      Handle(frame->type, fields);
    }
  }

 private:
  void Handle(MessageType type, FieldReader& fields) {
    switch (type) {
      case MessageType::kSettings:
        return Apply(ReadSettings(fields));
      case MessageType::kItem:
        return RunItem(ReadItem(fields));
      case MessageType::kEndRun:
        splits_.clear();
        learners_.clear();
        metrics_.clear();
        return;
      default:
        limits_.WithoutCounting([&] { Define(type, fields); });
    }
  }

  void Apply(WorkerSettings settings) {
    settings_ = std::move(settings);
    limits_.set_limits(settings_.limits);
    if (shared_ == nullptr || shared_->memory() != settings_.shared_memory) {
      shared_ = std::make_shared<SharedWork>(settings_.shared_memory);
    }
    std::setlocale(LC_ALL, settings_.locale.c_str());
    fesetenv(&settings_.floating_point);
  }

  void Define(MessageType type, FieldReader& fields) {
    const auto number = fields.Number<std::uint64_t>();
    switch (type) {
      case MessageType::kDataset: {
        const auto size = fields.Number<std::uint64_t>();
        datasets_[number] = MapDataset(socket_.TakeDescriptor(), size);
        return;
      }
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

  template <class T, class Make>
  static Made<T> Try(const Make& make) {
    try {
      return make();
    } catch (const Error& e) {
      return std::string(e.what());
    }
  }

  // From the files that the other side has, and no others.
  std::vector<std::shared_ptr<const Spec>> MakeSpecs(FieldReader& fields) {
    std::vector<std::shared_ptr<const Spec>> specs;
    for (const SpecRecord& record : ReadSpecs(fields)) {
      specs.push_back(MakeSpec(record, HostFor(record)));
    }
    return specs;
  }

  const PluginHost& HostFor(const SpecRecord& record) {
    std::unique_ptr<PluginHost>& host = hosts_[{record.path, settings_.locked}];
    if (host != nullptr) return *host;
    PluginHostOptions options;
    options.use_environment = options.use_user_folder = options.use_installation = false;
    options.allow_paths = true;
    options.scan.where = ScanOptions::Where::kHere;  // the other side has tried it
    if (settings_.locked) {
      // The same file as on the other side, before any of it runs.
      options.lock = PluginLock{"", {{record.plugin, record.plugin_version, "", record.sha256}}};
    }
    auto made = std::make_unique<PluginHost>(std::move(options));
    made->AddFile(record.path);
    host = std::move(made);
    return *host;
  }

  void RunItem(const std::vector<ItemBlock>& items) {
    ::on_exit(&LeaveAtOnce, nullptr);
    std::vector<CellBlock> blocks;
    std::vector<std::uint64_t> places;  // in the item, of the cells of `blocks`
    std::uint64_t place = 0;
    for (const ItemBlock& item : items) {
      const std::string problem = AddBlock(item, blocks);
      for (std::int64_t i = 0; i < item.count; ++i, ++place) {
        if (problem.empty()) {
          places.push_back(place);
        } else {
          Deliver(place, CannotRun(problem));
        }
      }
    }
    RunOptions options;
    options.workers = 1;
    options.share = settings_.share;
    options.verify = settings_.verify;
    options.shared = shared_;
    if (settings_.limits.seconds > 0) {
      socket_.Send(MessageType::kItemBegun, "");
      socket_.Flush();
    }
    limits_.Begin();
    options.log = [this](std::int32_t level, const std::string& line) { Log(level, line); };
    RunAndScore(blocks, options,
                [&](std::size_t i, Outcome&& outcome) { Deliver(places[i], outcome); });
    limits_.End();
    socket_.Send(MessageType::kItemDone, "");
    socket_.Flush();
  }

  // "" = added; else why its cells cannot run.
  std::string AddBlock(const ItemBlock& item, std::vector<CellBlock>& blocks) const {
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

  // Not the cell's own fault: another try may succeed.
  static Outcome CannotRun(const std::string& problem) {
    Outcome outcome;
    outcome.status = OutcomeStatus::kFailed;
    outcome.failure = {"run", CF_E_INTERNAL, problem, true};
    return outcome;
  }

  void Deliver(std::uint64_t place, const Outcome& outcome) {
    limits_.End();  // what this takes is not the cell's
    {
      const std::lock_guard lock(sending_);
      FieldWriter fields;
      fields.Number(place);
      WriteOutcome(outcome, fields);
      socket_.Send(MessageType::kOutcome, fields.bytes());
    }
    limits_.Begin();
  }

  // Plugins may log on threads of their own.
  void Log(std::int32_t level, const std::string& line) {
    const std::lock_guard lock(sending_);
    FieldWriter fields;
    fields.Number(level);
    fields.Text(line);
    socket_.Send(MessageType::kLog, fields.bytes());
  }

  MessageSocket socket_;
  std::mutex sending_;
  ProcessLimits limits_;
  WorkerSettings settings_;
  std::shared_ptr<SharedWork> shared_;
  // By path and whether it is locked; a file each.
  std::map<std::pair<std::string, bool>, std::unique_ptr<PluginHost>> hosts_;
  std::map<std::uint64_t, std::shared_ptr<const Dataset>> datasets_;
  std::map<std::uint64_t, std::shared_ptr<const SplitPlan>> splits_;
  std::map<std::uint64_t, Made<Pipeline>> learners_;
  std::map<std::uint64_t, Made<MetricList>> metrics_;
};

}  // namespace

void ServeItems(int socket) {
  std::thread(EndWithTheOtherSide, socket).detach();
  WorkerSession(socket).Serve();
}

}  // namespace crossfold
