#include "programs/mpi/mpi_executor.h"

#include <fenv.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/version.h"
#include "encoding/dataset_image.h"
#include "encoding/outcome_fields.h"
#include "encoding/spec_fields.h"
#include "encoding/split_fields.h"
#include "engine/plan/sharing.h"
#include "engine/plugin/foreign_text.h"
#include "engine/run/cell_runner.h"
#include "isolate/job_list.h"

namespace crossfold::mpi {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds kLongestExecutorWait(200);
// A rank gets enough work in advance to stay busy until the next message.
constexpr double kAdvanceSeconds = 0.004;
constexpr double kMaxInAdvance = 64;  // items a worker
// The time to wait for cells that were asked to stop: mpirun that is interrupted kills all ranks a
// second after it signalled them.
constexpr std::chrono::milliseconds kStopping(250);
// Splits of fewer bytes are sent with the first cells, to the ranks that get cells.
constexpr double kMinBroadcast = 256 << 10;

// About, of the message; of lists at least.
double BytesOf(const SplitPlan& plan) {
  if (plan.partitions().empty()) {
    return 8.0 * static_cast<double>(plan.min_train_rows()) * static_cast<double>(plan.size());
  }
  const double rows = static_cast<double>(plan.partitions().front().fold_of_row.size());
  return rows * (4.0 * static_cast<double>(plan.partitions().size()) + (plan.view().rows ? 8 : 0));
}

double ThreadSeconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

// What rank 0 keeps about the others from one run to the next.
struct MpiExecutor::Impl {
  explicit Impl(RankChannel& its_channel) : channel(its_channel) {}

  struct Rank {
    std::string host;
    int cores = 1;
    int held = 0;  // items of earlier runs that were given up and have not ended
  };
  struct Sent {
    std::weak_ptr<const Dataset> data;
    std::string content, name;
  };

  void WaitForRanks() {
    Patience patience(kLongestExecutorWait);
    ranks.resize(static_cast<std::size_t>(channel.size()));
    std::string problem;
    for (int n_ready = 1; n_ready < channel.size();) {
      const auto received = channel.Receive();
      if (!received) {
        patience.Wait();
        continue;
      }
      ++n_ready;
      const std::string finding = ReadGreeting(received->from, received->frame.body);
      if (finding.empty()) continue;
      problem = "cannot run cells on " + NameOf(received->from) + ": " + finding +
                "; start the same program everywhere";
    }
    if (!problem.empty()) throw Error(ErrorKind::kIo, problem);
  }

  // What is wrong with a rank's description of itself; "" = nothing.
  std::string ReadGreeting(int from, std::string_view body) {
    Rank& rank = ranks[static_cast<std::size_t>(from)];
    try {
      FieldReader fields(body);
      const std::string version = fields.Text();
      rank.host = fields.Text();
      rank.cores = fields.Number<std::int32_t>();
      if (version == Version()) return "";
      return "it has Crossfold " + version + ", rank 0 has " + std::string(Version());
    } catch (const Error&) {  // another layout of messages
      return "its description of itself cannot be read";
    }
  }

  void Quit() {
    if (std::exchange(has_quit, true)) return;
    SendToAll(MessageType::kQuit, "");
    channel.Leave();
  }

  void SendToAll(MessageType type, std::string_view body) {
    std::string frame;
    AppendFrame(type, body, frame);
    for (int r = 1; r < channel.size(); ++r) channel.Send(r, frame);
  }

  std::string NameOf(int rank) const {
    return "rank " + std::to_string(rank) + " (" + ranks[static_cast<std::size_t>(rank)].host + ")";
  }

  // The number of a dataset that all ranks have from now on.
  std::uint64_t Share(const std::shared_ptr<const Dataset>& data) {
    for (auto& [number, sent] : datasets) {
      const bool is_known =
          sent.data.lock() == data ||
          (sent.content == data->hash_with_positive() && sent.name == data->name());
      if (!is_known) continue;
      sent.data = data;
      return number;
    }
    const auto start = Clock::now();
    const DatasetImage image(*data);
    std::vector<char> bytes(image.size());
    image.WriteTo(bytes.data());
    const std::uint64_t number = ++last_number;
    FieldWriter fields;
    fields.Number(number);
    fields.Number(static_cast<std::uint64_t>(bytes.size()));
    SendToAll(MessageType::kDataset, fields.bytes());
    Broadcast(bytes.data(), bytes.size(), start);
    datasets[number] = {data, data->hash_with_positive(), data->name()};
    return number;
  }

  // A message to all ranks whose body is long.
  void ShareBody(MessageType type, std::string body, Clock::time_point start) {
    FieldWriter fields;
    fields.Number(static_cast<std::uint8_t>(type));
    fields.Number(static_cast<std::uint64_t>(body.size()));
    SendToAll(MessageType::kBroadcast, fields.bytes());
    Broadcast(body.data(), body.size(), start);
  }

  // `start`: when its bytes began to be made.
  void Broadcast(char* bytes, std::size_t size, Clock::time_point start) {
    channel.Broadcast(bytes, size);
    broadcast_bytes += size;
    broadcast_s += std::chrono::duration<double>(Clock::now() - start).count();
  }

  // Those that nothing uses any more.
  void ForgetDatasets() {
    std::erase_if(datasets, [&](const auto& entry) {
      if (!entry.second.data.expired()) return false;
      FieldWriter fields;
      fields.Number(entry.first);
      SendToAll(MessageType::kForgetDataset, fields.bytes());
      return true;
    });
  }

  RankChannel& channel;
  bool has_quit = false;
  std::vector<Rank> ranks;  // the first is rank 0
  std::map<std::uint64_t, Sent> datasets;
  std::uint64_t last_number = 0;
  std::uint64_t last_item = 0;  // of all runs: what is left of one that broke off is known by it
  // For docs/scaling.md, printed if CROSSFOLD_MPI_TIMING is set.
  std::uint64_t cells = 0, items = 0, broadcast_bytes = 0;
  double broadcast_s = 0, busy_s = 0, wall_s = 0;
};

namespace {

// One run of cells on the ranks.
class MpiRun {
 public:
  MpiRun(MpiExecutor::Impl& all, const CellLimits& limits, std::span<const CellBlock> blocks,
         const RunOptions& options, const TakeOutcome& take)
      : all_(all),
        limits_(limits),
        blocks_(blocks),
        options_(options),
        take_(take),
        seats_(all.ranks.size()) {
    std::size_t cells = 0;
    for (const CellBlock& block : blocks) {
      first_cell_.push_back(cells);
      cells += static_cast<std::size_t>(block.count);
      splits_.Add(block.splits);
      learners_.Add(block.learner);
      metrics_.Add(block.metrics);
      is_locked_ = is_locked_ || IsLocked(block.learner->steps()) ||
                   (block.metrics != nullptr && IsLocked(*block.metrics));
    }
    for (std::size_t r = 1; r < seats_.size(); ++r) {
      seats_[r].workers = options.workers > 0 ? options.workers : all.ranks[r].cores;
      n_workers_ += seats_[r].workers;
      seats_[r].has_splits.assign(splits_.size() + 1, false);
      seats_[r].has_learner.assign(learners_.size() + 1, false);
      seats_[r].has_metrics.assign(metrics_.size() + 1, false);
    }
  }

  void Run() {
    try {
      RunItems();
    } catch (...) {
      all_.SendToAll(MessageType::kCancelRun, "");
      End();
      throw;
    }
    End();
    if (!problem_.empty()) throw Error(ErrorKind::kIo, problem_);
  }

 private:
  // The ranks stay. Their later messages about abandoned items belong to an earlier run.
  void End() {
    for (std::size_t r = 1; r < seats_.size(); ++r) {
      all_.ranks[r].held += static_cast<int>(seats_[r].items.size());
    }
    all_.SendToAll(MessageType::kEndRun, "");
  }

  void RunItems() {
    AddJobs();
    Begin();
    Patience patience(kLongestExecutorWait);
    while (!IsOver()) {
      const bool sent = SendJobs();
      const auto received = all_.channel.Receive();
      if (received) TakeFrame(received->from, received->frame);
      if (!problem_.empty() || IsCancelled()) Cancel();
      if (is_cancelled_ && Clock::now() > give_up_) return;
      if (sent || received) {
        patience.Reset();
      } else {
        patience.Wait();
      }
    }
  }

  // Items that a rank has.
  struct Running {
    Job job;
    std::size_t n_left = 0;  // cells without an outcome
  };
  struct Seat {
    int workers = 0;
    std::map<std::uint64_t, Running> items;  // by number
    double seconds = 0;                      // of an item, lately; 0 = not known yet
    std::vector<bool> has_splits, has_learner, has_metrics;  // by number
    std::string frames;                                      // to be sent
  };

  static bool IsLocked(std::span<const std::shared_ptr<const Spec>> specs) {
    return std::any_of(specs.begin(), specs.end(), [](const std::shared_ptr<const Spec>& spec) {
      return spec->component().plugin->locked.load();
    });
  }

  bool IsCancelled() const { return options_.cancel != nullptr && options_.cancel->cancelled(); }
  bool IsOver() const { return next_job_ == jobs_.size() && n_running_ == 0; }

  // The items that RunAndScore would work on, the longest first.
  void AddJobs() {
    std::vector<std::pair<double, Job>> jobs;  // by their cost
    for (const Isolation isolation : {Isolation::kNone, Isolation::kWorker, Isolation::kFresh}) {
      std::vector<std::uint32_t> chosen;
      std::vector<CellBlock> blocks;
      for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
        if (IsolationOf(blocks_[b], limits_) != isolation) continue;
        chosen.push_back(b);
        blocks.push_back(blocks_[b]);
      }
      const bool share = options_.share && isolation != Isolation::kFresh;
      WorkList list = PlanWork(blocks, {share, n_workers_});
      for (const WorkItem& item : list.items) {
        Job job{{}, item.split, item.n_splits, isolation == Isolation::kFresh};
        for (const std::uint32_t b : list.BlocksOf(item)) job.blocks.push_back(chosen[b]);
        jobs.emplace_back(item.cost, std::move(job));
      }
    }
    std::stable_sort(jobs.begin(), jobs.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (auto& [cost, job] : jobs) jobs_.push_back(std::move(job));
  }

  void Begin() {
    all_.ForgetDatasets();
    for (std::uint64_t s = 1; s <= splits_.size(); ++s) {
      datasets_.push_back(all_.Share(splits_.thing(s)->view().data));
    }
    ShareLargeSplits();
    WorkerSettings settings;
    settings.share = options_.share;
    settings.verify = options_.verify;
    settings.locked = is_locked_;
    const std::uint64_t memory = options_.shared ? options_.shared->memory() : 0;
    settings.shared_memory = memory == DefaultSharedMemory() ? 0 : memory;  // 0 = the rank's own
    settings.limits = limits_;
    settings.locale = std::setlocale(LC_ALL, nullptr);
    fegetenv(&settings.floating_point);
    for (std::size_t r = 1; r < seats_.size(); ++r) {
      FieldWriter fields;
      fields.Number(std::int32_t{seats_[r].workers});
      WriteSettings(settings, fields);
      AppendFrame(MessageType::kSettings, fields.bytes(), seats_[r].frames);
    }
  }

  // The definitions that all ranks will need.
  void ShareLargeSplits() {
    std::vector<std::size_t> cells(splits_.size() + 1);
    for (const CellBlock& block : blocks_) {
      cells[static_cast<std::size_t>(splits_.number(block.splits))] +=
          static_cast<std::size_t>(block.count);
    }
    const std::size_t n_ranks = seats_.size() - 1;
    for (std::uint64_t s = 1; s <= splits_.size(); ++s) {
      if (n_ranks < 2 || cells[static_cast<std::size_t>(s)] < n_ranks) continue;
      if (BytesOf(*splits_.thing(s)) < kMinBroadcast) continue;
      const auto start = Clock::now();
      all_.ShareBody(MessageType::kSplits, SplitsMessage(s), start);
      for (std::size_t r = 1; r <= n_ranks; ++r) Mark(seats_[r].has_splits, s);
    }
  }

  std::string SplitsMessage(std::uint64_t number) const {
    FieldWriter fields;
    fields.Number(number);
    fields.Number(datasets_[static_cast<std::size_t>(number - 1)]);
    WriteSplits(*splits_.thing(number), fields);
    return fields.Take();
  }

  // The maximum number of items of a rank: one per worker, and more if they are short. A worker
  // that is busy with an item of an earlier run gets none.
  double Room(std::size_t rank) const {
    const Seat& seat = seats_[rank];
    const int free = std::max(seat.workers - all_.ranks[rank].held, 0);
    const double ahead = seat.seconds > 0 ? kAdvanceSeconds / seat.seconds : 0;
    return free * (1 + std::min(ahead, kMaxInAdvance));
  }

  // Whether anything was sent. Items go round the ranks, so that the last ones are spread.
  bool SendJobs() {
    bool any = true;
    while (any && next_job_ < jobs_.size()) {
      any = false;
      for (std::size_t r = 1; r < seats_.size() && next_job_ < jobs_.size(); ++r) {
        if (static_cast<double>(seats_[r].items.size()) >= std::ceil(Room(r))) continue;
        Give(seats_[r], std::move(jobs_[next_job_++]));
        any = true;
      }
    }
    bool sent = false;
    for (std::size_t r = 1; r < seats_.size(); ++r) {
      if (seats_[r].frames.empty()) continue;
      all_.channel.Send(static_cast<int>(r), std::exchange(seats_[r].frames, {}));
      sent = true;
    }
    return sent;
  }

  void Give(Seat& seat, Job job) {
    const std::uint64_t number = ++all_.last_item;
    std::vector<ItemBlock> blocks;
    for (const std::uint32_t b : job.blocks) {
      const CellBlock& block = blocks_[b];
      DefineFor(block, seat);
      blocks.push_back({learners_.number(block.learner), splits_.number(block.splits),
                        metrics_.number(block.metrics), job.split, job.n_splits, block.seed,
                        static_cast<std::uint8_t>(block.keep)});
    }
    FieldWriter fields;
    fields.Number(number);
    // kAuto is resolved here, because ranks do not know which plugins are bundled.
    const CellBlock& first = blocks_[job.blocks.front()];
    const bool stays = IsolationOf(first, limits_) == Isolation::kNone;
    fields.Number(static_cast<std::uint8_t>(stays ? Isolation::kNone : first.isolation));
    WriteItem(blocks, fields);
    AppendFrame(MessageType::kItem, fields.bytes(), seat.frames);
    const std::size_t cells = job.num_cells();
    seat.items.emplace(number, Running{std::move(job), cells});
    ++n_running_;
  }

  // Sends what the rank does not have yet.
  void DefineFor(const CellBlock& block, Seat& seat) {
    const std::uint64_t splits = splits_.number(block.splits);
    if (!Mark(seat.has_splits, splits)) {
      AppendFrame(MessageType::kSplits, SplitsMessage(splits), seat.frames);
    }
    const std::uint64_t learner = learners_.number(block.learner);
    if (!Mark(seat.has_learner, learner)) {
      AddSpecs(MessageType::kLearner, learner, block.learner->steps(), seat);
    }
    const std::uint64_t metrics = metrics_.number(block.metrics);
    if (metrics != 0 && !Mark(seat.has_metrics, metrics)) {
      AddSpecs(MessageType::kMetrics, metrics, *block.metrics, seat);
    }
  }

  // Whether it was marked already.
  static bool Mark(std::vector<bool>& marks, std::uint64_t number) {
    const auto place = static_cast<std::size_t>(number);
    const bool was = marks[place];
    marks[place] = true;
    return was;
  }

  static void AddSpecs(MessageType type, std::uint64_t number,
                       std::span<const std::shared_ptr<const Spec>> specs, Seat& seat) {
    FieldWriter fields;
    fields.Number(number);
    WriteSpecs(specs, fields);
    WriteLoadedFiles(specs, fields);
    AppendFrame(type, fields.bytes(), seat.frames);
  }

  void TakeFrame(int from, const Frame& frame) {
    Seat& seat = seats_[static_cast<std::size_t>(from)];
    FieldReader fields(frame.body);
    switch (frame.type) {
      case MessageType::kOutcome:
        return TakeOne(seat, fields);
      case MessageType::kItemDone:
        return EndItem(from, seat, fields);
      case MessageType::kLog: {
        const auto level = fields.Number<std::int32_t>();
        const std::string line = CleanText(fields.Text().c_str());
        if (options_.log) options_.log(level, line);
        return;
      }
      case MessageType::kRefusal:
        if (fields.Number<std::uint64_t>() < first_item_) return;  // of an earlier run
        Refuse(from, fields.Text() + "; give all machines the same files at the same paths");
        return;
      default:
        FieldReader::Fail();
    }
  }

  void Refuse(int from, const std::string& finding) {
    if (problem_.empty()) problem_ = "cannot run cells on " + all_.NameOf(from) + ": " + finding;
  }

  void TakeOne(Seat& seat, FieldReader& fields) {
    const auto number = fields.Number<std::uint64_t>();
    if (number < first_item_) return;  // of an earlier run
    const auto item = seat.items.find(number);
    const auto place = static_cast<std::size_t>(fields.Number<std::uint64_t>());
    if (item == seat.items.end() || place >= item->second.job.num_cells()) FieldReader::Fail();
    const Job& job = item->second.job;
    const std::uint32_t b = job.block_of(place);
    const std::size_t index =
        first_cell_[b] + static_cast<std::size_t>(job.split_of(place) - blocks_[b].first);
    Outcome outcome = ReadOutcome(fields);
    --item->second.n_left;
    ++all_.cells;
    CallOnFinished(options_, index, outcome);
    take_(index, std::move(outcome));
  }

  void EndItem(int from, Seat& seat, FieldReader& fields) {
    const auto number = fields.Number<std::uint64_t>();
    if (number < first_item_) {
      --all_.ranks[static_cast<std::size_t>(from)].held;
      return;
    }
    const auto item = seat.items.find(number);
    if (item == seat.items.end()) FieldReader::Fail();
    const auto seconds = fields.Number<double>();
    seat.seconds = seat.seconds > 0 ? 0.9 * seat.seconds + 0.1 * seconds : seconds;
    if (item->second.n_left > 0 && !is_cancelled_) Refuse(from, "it gave a cell no outcome");
    seat.items.erase(item);
    --n_running_;
    ++all_.items;
  }

  // Running cells stop as soon as plugins check, or else continue without being waited for.
  void Cancel() {
    if (std::exchange(is_cancelled_, true)) return;
    give_up_ = Clock::now() + kStopping;
    next_job_ = jobs_.size();
    all_.SendToAll(MessageType::kCancelRun, "");
  }

  MpiExecutor::Impl& all_;
  const CellLimits limits_;
  std::span<const CellBlock> blocks_;
  const RunOptions& options_;
  const TakeOutcome& take_;
  const std::uint64_t first_item_ = all_.last_item + 1;
  std::vector<Seat> seats_;  // by rank
  int n_workers_ = 0;
  bool is_locked_ = false, is_cancelled_ = false;
  Clock::time_point give_up_;            // once it is cancelled
  std::vector<std::size_t> first_cell_;  // of each block
  Numbered<SplitPlan> splits_;
  Numbered<Pipeline> learners_;
  Numbered<MetricList> metrics_;
  std::vector<std::uint64_t> datasets_;  // of each plan of splits
  std::vector<Job> jobs_;
  std::size_t next_job_ = 0, n_running_ = 0;
  std::string problem_;
};

}  // namespace

MpiExecutor::MpiExecutor(RankChannel& channel) : impl_(std::make_shared<Impl>(channel)) {
  impl_->WaitForRanks();
}

void MpiExecutor::Quit() { impl_->Quit(); }

MpiExecutor::~MpiExecutor() {
  impl_->Quit();
  if (std::getenv("CROSSFOLD_MPI_TIMING") == nullptr) return;
  std::fprintf(stderr,
               "mpi: %llu cells in %llu items, %.6f s, rank 0 busy %.6f s, sent %llu bytes, "
               "received %llu, broadcast %llu in %.6f s\n",
               static_cast<unsigned long long>(impl_->cells),
               static_cast<unsigned long long>(impl_->items), impl_->wall_s, impl_->busy_s,
               static_cast<unsigned long long>(impl_->channel.sent()),
               static_cast<unsigned long long>(impl_->channel.received()),
               static_cast<unsigned long long>(impl_->broadcast_bytes), impl_->broadcast_s);
}

RunEngine MpiExecutor::EngineFor(const CellLimits& limits) {
  return [all = impl_, limits](std::span<const CellBlock> blocks, const RunOptions& options,
                               const TakeOutcome& take) {
    const double busy = ThreadSeconds();
    const auto start = Clock::now();
    MpiRun(*all, limits, blocks, options, take).Run();
    all->busy_s += ThreadSeconds() - busy;
    all->wall_s += std::chrono::duration<double>(Clock::now() - start).count();
  };
}

}  // namespace crossfold::mpi
