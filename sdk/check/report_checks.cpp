// Checks of what is made of models: saved bytes, graphs, reports, and their memory.
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/forked.h"
#include "check/random_settings.h"
#include "check/sharing_calls.h"
#include "check/subject.h"
#include "crossfold/json_value.h"
#include "engine/plugin/fit_memory.h"
#include "engine/plugin/foreign_text.h"
#include "engine/run/fit_predict.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

// ---- serialize ----------------------------------------------------------------------------------

// Lengths of a part of a saved model: none, 1, 2 ... sixteenths, and all but one byte.
std::vector<std::size_t> PartsOf(std::size_t n) {
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < 16; ++i) lengths.push_back(n * i / 16);
  if (n > 0) lengths.push_back(n - 1);
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  return lengths;
}

Bytes RandomBytes(std::size_t n, plugin::Random& random) {
  Bytes bytes(n);
  for (std::size_t i = 0; i < n; i += 8) {
    const std::uint64_t word = random.Next();
    std::memcpy(bytes.data() + i, &word, std::min<std::size_t>(8, n - i));
  }
  return bytes;
}

class SerializeTrial {
 public:
  SerializeTrial(CheckContext& context, const Subject& subject)
      : context_(context), subject_(subject), spec_(*subject.spec) {}

  // A copy of this process, made before anything was fitted here, loads models that are saved here.
  // REQUIRES: called before any other.
  void LoadElsewhere() {
    Answer expected;
    const Forked forked = RunForked(
        [&]() -> std::string {
          const Made made = Fit(spec_, subject_.train);
          expected = AskFitted(spec_, made, subject_.all);
          if (!made.reply.ok()) return "";
          const Bytes bytes = check::Save(spec_, made.model.get()).bytes;
          return {bytes.begin(), bytes.end()};
        },
        [&](const std::string& bytes) {
          const Made made = Load(spec_, Bytes(bytes.begin(), bytes.end()));
          const Answer answer = AskFitted(spec_, made, subject_.all);
          if (!answer.reply.ok()) return "E" + answer.reply.Describe();
          const std::vector<double> numbers = NumbersOf(answer);
          std::string answered(1 + numbers.size() * sizeof(double), 'A');
          std::memcpy(answered.data() + 1, numbers.data(), numbers.size() * sizeof(double));
          return answered;
        });
    Judge(forked, NumbersOf(expected));
  }

  // Saves, loads and saves again, also in small portions. False if later tests are not possible.
  bool RoundTrip() {
    model_ = Fit(spec_, subject_.train);
    const Answer expected = AskFitted(spec_, model_, subject_.all);
    const Saved saved = check::Save(spec_, model_.model.get());
    if (!saved.reply.ok()) {
      Fail("save ended with " + saved.reply.Describe());
      return false;
    }
    bytes_ = saved.bytes;
    for (const std::size_t portion : {0, 1, 23}) {
      const std::string in = portion == 0 ? ""
                                          : " in portions of " + std::to_string(portion) +
                                                (portion == 1 ? " byte" : " bytes");
      if (check::Save(spec_, model_.model.get(), portion).bytes != bytes_) {
        Fail("saving the same model again" + in + " gave other bytes");
      }
      const Made loaded = Load(spec_, bytes_, portion);
      const std::string difference = Difference(AskFitted(spec_, loaded, subject_.all), expected);
      if (!difference.empty()) Fail("a model loaded" + in + " answers otherwise: " + difference);
      if (loaded.model == nullptr) return false;
      if (check::Save(spec_, loaded.model.get()).bytes != bytes_) {
        Fail("save, load" + in + " and save gave other bytes");
      }
    }
    return !context_.has_failed();
  }

  void WriterThatFails() {
    const auto* table = spec_.component().capability<cf_cap_serialize>(CF_CAP_SERIALIZE);
    const cf_writer writer{nullptr,
                           [](void*, const void*, std::size_t) -> std::int64_t { return -1; }};
    const Reply reply = ProbeCall(spec_, {}, [&](const cf_call* call) {
      return table->save(call, model_.model.get(), &writer);
    });
    if (reply.ok()) Fail("save returned ok though every write failed");
  }

  // What is not a saved model must be refused with CF_E_BAD_BLOB.
  void Foreign() {
    for (const std::size_t length : PartsOf(bytes_.size())) {
      ExpectRefused({bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(length)},
                    "the first " + std::to_string(length) + " of " + std::to_string(bytes_.size()) +
                        " bytes of a model");
    }
    constexpr std::size_t kMegabyte = 1000000;
    plugin::Random random = context_.RandomOf("bytes");
    for (int i = 0; i < 3; ++i) {
      ExpectRefused(RandomBytes(kMegabyte, random), "1 MB of random bytes");
    }
  }

  // A flipped bit may not be noticed; then the loaded model may answer anything, but must not
  // crash.
  void Damaged() {
    constexpr int kFlips = 64;
    plugin::Random random = context_.RandomOf("bits");
    for (int i = 0; i < kFlips && !bytes_.empty(); ++i) {
      Bytes damaged = bytes_;
      damaged[random.Below(damaged.size())] ^= static_cast<unsigned char>(1 << random.Below(8));
      const Made made = Load(spec_, damaged);
      if (made.model != nullptr) Ask(spec_, made.model.get(), subject_.all);
      if (!made.reply.escaped.empty()) Fail("load of a damaged model: " + made.reply.Describe());
    }
  }

 private:
  void Fail(const std::string& finding) { context_.Fail(finding + " (" + subject_.Where() + ")"); }

  void Judge(const Forked& forked, const std::vector<double>& expected) {
    if (!forked.ended.empty()) {
      Fail("a model could not be loaded in another process: " + forked.ended);
      return;
    }
    if (forked.text.empty() || forked.text[0] == 'E') {
      Fail("loading a model in another process ended with " +
           (forked.text.empty() ? "nothing" : forked.text.substr(1)));
      return;
    }
    std::vector<double> numbers((forked.text.size() - 1) / sizeof(double));
    std::memcpy(numbers.data(), forked.text.data() + 1, numbers.size() * sizeof(double));
    const std::string difference = Difference("number", numbers, expected);
    if (!difference.empty()) {
      Fail("a model loaded in another process answers otherwise: " + difference);
    }
  }

  void ExpectRefused(const Bytes& bytes, const std::string& what) {
    const Made made = Load(spec_, bytes);
    if (made.reply.status == CF_E_BAD_BLOB && made.reply.escaped.empty()) return;
    Fail("load of " + what + " ended with " + made.reply.Describe() +
         " instead of a damaged model (CF_E_BAD_BLOB)");
  }

  CheckContext& context_;
  const Subject& subject_;
  const Spec& spec_;
  Made model_;
  Bytes bytes_;
};

void CapSerialize(CheckContext& context) {
  constexpr std::uint64_t kRoom = std::uint64_t{1} << 30;
  const Component& component = context.component();
  context.NeedsCapability<cf_cap_serialize>(CF_CAP_SERIALIZE);
  if ((component.process_flags & CF_NOT_FORK_SAFE) == 0) {
    const Subject first = FirstUsable(context);
    SerializeTrial(context, first).LoadElsewhere();
  }
  for (const Subject& subject : UsableSubjects(context)) {
    SerializeTrial trial(context, subject);
    if (!trial.RoundTrip()) return;
    trial.WriterThatFails();
    // A trusted length is found as a crash, and does not use up the machine's memory.
    std::optional<MemoryLimit> limit;
    if (MemoryLimit::Works()) limit.emplace(kRoom);
    trial.Foreign();
    trial.Damaged();
  }
}

// ---- export -------------------------------------------------------------------------------------

// What a component wrote as text.
struct WrittenText {
  std::string text;
  Reply reply;
};

WrittenText WriteText(const Spec& spec,
                      const std::function<cf_status(const cf_call*, const cf_writer*)>& body) {
  WrittenText written;
  const cf_writer writer{
      &written.text, [](void* stream, const void* bytes, std::size_t n) -> std::int64_t {
        static_cast<std::string*>(stream)->append(static_cast<const char*>(bytes), n);
        return static_cast<std::int64_t>(n);
      }};
  written.reply = ProbeCall(spec, {}, [&](const cf_call* call) { return body(call, &writer); });
  return written;
}

WrittenText Export(const Spec& spec, const cf_model* model, std::size_t format) {
  const auto* table = spec.component().capability<cf_cap_export>(CF_CAP_EXPORT);
  return WriteText(spec, [&](const cf_call* call, const cf_writer* writer) {
    return table->export_model(call, model, format, writer);
  });
}

void FormatNames(CheckContext& context, const cf_cap_export& table) {
  if (table.n_formats == 0) context.Fail("it offers crossfold.export/1 and no format");
  std::set<std::string> names;
  for (std::size_t i = 0; i < table.n_formats; ++i) {
    const std::string name = table.formats[i] == nullptr ? "" : table.formats[i];
    if (name.empty() ||
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos) {
      context.Fail("format " + std::to_string(i) + " is called '" + CleanText(name.c_str()) +
                   "', which is not [a-z0-9_]+");
    }
    if (!names.insert(name).second) context.Fail("two formats are called '" + name + "'");
    if (name == "text" && i > 0) context.Fail("the format 'text' is not the first");
  }
}

void CapExport(CheckContext& context) {
  const auto& table = context.NeedsCapability<cf_cap_export>(CF_CAP_EXPORT);
  FormatNames(context, table);
  for (const Subject& subject : UsableSubjects(context)) {
    const Made made = Fit(*subject.spec, subject.train), again = Fit(*subject.spec, subject.train);
    for (std::size_t i = 0; i < table.n_formats && !context.has_failed(); ++i) {
      const std::string of = "export as '" + std::string(table.formats[i]) + "' " + subject.Where();
      const WrittenText exported = Export(*subject.spec, made.model.get(), i);
      if (!exported.reply.ok()) {
        context.Fail(of + " ended with " + exported.reply.Describe());
        continue;
      }
      if (!IsUtf8Text(exported.text)) context.Fail(of + " is not UTF-8 text");
      if (Export(*subject.spec, made.model.get(), i).text != exported.text) {
        context.Fail(of + " gave other bytes the second time");
      } else if (IsDeterministic(context.component()) &&
                 Export(*subject.spec, again.model.get(), i).text != exported.text) {
        context.Fail(of + " gave other bytes after an equal fit");
      }
    }
  }
}

// Checks of models as graphs of ONNX, of learners and transforms.

// Asks the model for its graph, with the columns of the subject and no rows.
WrittenText WriteGraph(const Subject& subject, const cf_model* model) {
  const auto* table = subject.spec->component().capability<cf_cap_onnx>(CF_CAP_ONNX);
  const RowTable rows = RowTable::ForPrediction(*subject.data, nullptr);
  cf_table columns = rows.get();
  columns.n_rows = 0;
  return WriteText(*subject.spec, [&](const cf_call* call, const cf_writer* writer) {
    return table->write_graph(call, model, &columns, writer);
  });
}

// The names in a list of the graph.
std::vector<std::string> NamesIn(const JsonValue& graph, const char* list) {
  std::vector<std::string> names;
  const auto* items = graph.FindAs<JsonList>(list);
  for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
    const auto* name = (*items)[i].FindAs<std::string>("name");
    names.push_back(name == nullptr ? "" : *name);
  }
  return names;
}

// The outputs that the graph must have.
std::vector<std::string> WantedOutputs(const Subject& subject, const cf_model* model) {
  if (subject.spec->component().kind == Kind::kLearner) {
    return {subject.data->task() == Task::kRegression ? "value" : "label"};
  }
  std::vector<std::string> names;
  const Answer answer = Ask(*subject.spec, model, subject.all);
  for (const Applied::Column& column : answer.applied.columns) names.push_back(column.name);
  return names;
}

// What is wrong with the graph; "" = nothing.
std::string FindProblem(const Subject& subject, const cf_model* model, const std::string& text) {
  std::string problem;
  const std::optional<JsonValue> graph = ParseJson(text, &problem);
  if (!graph) return problem;
  const std::size_t n_inputs = NamesIn(*graph, "input").size();
  const std::size_t n_columns = subject.data->features().size();
  if (n_inputs != n_columns) {
    return "has " + std::to_string(n_inputs) + " inputs for " + std::to_string(n_columns) +
           " columns";
  }
  const std::vector<std::string> outputs = NamesIn(*graph, "output");
  for (const std::string& wanted : WantedOutputs(subject, model)) {
    if (std::ranges::find(outputs, wanted) == outputs.end()) {
      return "has no output '" + wanted + "'";
    }
  }
  return "";
}

void CapOnnx(CheckContext& context) {
  context.NeedsCapability<cf_cap_onnx>(CF_CAP_ONNX);
  for (const Subject& subject : UsableSubjects(context)) {
    const Made made = Fit(*subject.spec, subject.train), again = Fit(*subject.spec, subject.train);
    const std::string of = "the graph of a model " + subject.Where();
    const WrittenText graph = WriteGraph(subject, made.model.get());
    if (graph.reply.status == CF_E_UNSUPPORTED) continue;  // ONNX cannot express this model
    if (!graph.reply.ok()) {
      context.Fail(of + " ended with " + graph.reply.Describe());
      continue;
    }
    context.FailIf(of + " ", FindProblem(subject, made.model.get(), graph.text));
    if (WriteGraph(subject, made.model.get()).text != graph.text) {
      context.Fail(of + " had other bytes the second time");
    } else if (IsDeterministic(context.component()) &&
               WriteGraph(subject, again.model.get()).text != graph.text) {
      context.Fail(of + " had other bytes after an equal fit");
    }
  }
}

constexpr const char* kLaw =
    "the graph of a model has its columns and results, and always the same bytes";

// Checks of the laws of importance and check: what components say about models and data.

// ---- importance ---------------------------------------------------------------------------------

// The training rows of a subject in which the first feature alone says something about the target:
// the entries of the others are those of other rows.
class OneTellingFeature {
 public:
  OneTellingFeature(const Subject& subject, plugin::Random random)
      : rows_(RowTable::ForTraining(*subject.data, subject.train.rows.get())), table_(rows_.get()) {
    columns_.assign(table_.features, table_.features + table_.n_features);
    for (std::size_t j = 1; j < columns_.size(); ++j) {
      RowIds order = RowRange(0, table_.n_rows_total);
      random.Shuffle(std::span<std::int64_t>(order));
      cf_column& column = columns_[j];
      if (column.dtype == CF_F64) {
        column.data = Reordered(static_cast<const double*>(column.data), order, numbers_);
      } else if (column.dtype == CF_CAT32) {
        column.data = Reordered(static_cast<const std::int32_t*>(column.data), order, codes_);
      }
    }
    table_.features = columns_.data();
  }
  OneTellingFeature(const OneTellingFeature&) = delete;

  const cf_table& table() const { return table_; }
  void Reverse() { std::reverse(columns_.begin(), columns_.end()); }

 private:
  template <class T>
  static const void* Reordered(const T* from, const RowIds& order,
                               std::deque<std::vector<T>>& kept) {
    std::vector<T>& entries = kept.emplace_back();
    for (const std::int64_t row : order) entries.push_back(from[row]);
    return entries.data();
  }

  RowTable rows_;
  cf_table table_;
  std::vector<cf_column> columns_;
  std::deque<std::vector<double>> numbers_;
  std::deque<std::vector<std::int32_t>> codes_;
};

struct Importances {
  std::vector<double> numbers;  // and one more, which must not be written
  Reply reply;
};

Importances ImportancesOf(const Spec& spec, const cf_table& train) {
  const auto* table = spec.component().capability<cf_cap_importance>(CF_CAP_IMPORTANCE);
  Importances importances;
  const Made made = Fit(spec, train);
  importances.reply = made.reply;
  if (!made.reply.ok()) return importances;
  const auto n = static_cast<std::size_t>(train.n_features);
  importances.numbers.assign(n + 1, std::nan(""));
  importances.reply = ProbeCall(spec, {}, [&](const cf_call* call) {
    return table->importance(call, made.model.get(), importances.numbers.data(), n);
  });
  return importances;
}

// The place of the number that is farthest from 0.
std::size_t Largest(const std::vector<double>& numbers, std::size_t n) {
  std::size_t largest = 0;
  for (std::size_t j = 1; j < n; ++j) {
    if (std::abs(numbers[j]) > std::abs(numbers[largest])) largest = j;
  }
  return largest;
}

// A finite number for each feature and no other. False if not.
bool AreNumbers(CheckContext& context, const Subject& subject, const Importances& importances) {
  if (!importances.reply.ok()) {
    context.Fail("importance " + subject.Where() + " ended with " + importances.reply.Describe());
    return false;
  }
  const std::size_t n = importances.numbers.size() - 1;
  if (!std::isnan(importances.numbers[n])) {
    context.Fail("importance " + subject.Where() + " wrote more numbers than the " +
                 std::to_string(n) + " features");
    return false;
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (std::isfinite(importances.numbers[j])) continue;
    context.Fail("the importance of feature " + std::to_string(j) + " " + subject.Where() + " is " +
                 FormatShortest(importances.numbers[j]));
    return false;
  }
  return true;
}

// Equal numbers in another order would be too much to ask: equal splits of a tree go to the earlier
// feature, and draws depend on its place. The one feature that says something must stay the first.
void CapImportance(CheckContext& context) {
  context.NeedsCapability<cf_cap_importance>(CF_CAP_IMPORTANCE);
  for (const Subject& subject : UsableSubjects(context)) {
    OneTellingFeature telling(subject, context.RandomOf("order"));
    const Importances as_given = ImportancesOf(*subject.spec, telling.table());
    if (!AreNumbers(context, subject, as_given)) continue;
    telling.Reverse();
    const Importances back = ImportancesOf(*subject.spec, telling.table());
    if (!AreNumbers(context, subject, back)) continue;
    const std::size_t n = as_given.numbers.size() - 1;
    const std::size_t before = Largest(as_given.numbers, n), after = Largest(back.numbers, n);
    if (as_given.numbers[before] == 0 || before == n - 1 - after) continue;
    context.Fail("one feature " + subject.Where() + " reveals the target; of " + std::to_string(n) +
                 " features number " + std::to_string(before) +
                 " is the most important one, and with the columns in reverse order number " +
                 std::to_string(after) + " instead of " + std::to_string(n - 1 - before));
  }
}

// ---- check --------------------------------------------------------------------------------------

cf_shape ShapeWith(const DataShape& data, std::int64_t n_rows) {
  cf_shape shape{};
  shape.struct_size = sizeof(cf_shape);
  shape.n_rows = n_rows;
  shape.n_numeric = data.n_numeric;
  shape.n_categorical = data.n_categorical;
  shape.n_features = NumFeatures(data);
  shape.n_classes = data.task == Task::kRegression ? 0 : data.n_classes;
  return shape;
}

Reply AskCheck(const cf_cap_check& table, const Spec& spec, const cf_shape& shape) {
  return ProbeCall(spec, {}, [&](const cf_call* call) {
    return table.check(call, spec.args().data(), spec.args().size(), &shape);
  });
}

// A status that says that the setting is not possible with this number of rows, and not that the
// numbers are bad.
bool IsAboutShape(const Reply& reply) {
  return reply.status == CF_E_INVALID_PARAM || reply.status == CF_E_INVALID_ARGUMENT ||
         reply.status == CF_E_UNSUPPORTED;
}

void CompareCheck(CheckContext& context, const cf_cap_check& table, const Subject& subject,
                  const Spec& spec, std::int64_t n_rows) {
  const Reply said = AskCheck(table, spec, ShapeWith(subject.shape, n_rows));
  // A fit that gets so far works.
  Reply done = Fit(spec, RowsOf(subject.data, RowRange(0, n_rows)), {.cancel_at = 100}).reply;
  if (done.status == CF_E_CANCELLED) done.status = CF_OK;
  const std::string of = " of " + spec.ToString() + " on " + std::to_string(n_rows) + " rows ";
  if (said.ok() && IsAboutShape(done)) {
    context.Fail("check() has nothing against a fit" + of + subject.Where() + ", which ends with " +
                 done.Describe());
  }
  if (!said.ok() && done.ok()) {
    context.Fail("check() refuses a fit" + of + subject.Where() + " (" + said.Describe() +
                 "), which works");
  }
}

// A learner that takes one feature only says so before anything is fitted.
void CompareWidth(CheckContext& context, const cf_cap_check& table, const Subject& subject) {
  if (context.component().learner == nullptr || NumFeatures(subject.shape) > 1) return;
  DataShape wider = subject.shape;
  wider.n_numeric *= 3;
  wider.n_categorical *= 3;
  const Reply done = Fit(*subject.spec, AllRows(MakeData(wider, context.SeedOf("data")))).reply;
  if (done.ok() || !AskCheck(table, *subject.spec, ShapeWith(wider, wider.n_rows)).ok()) return;
  context.Fail("check() has nothing against 3 features " + subject.Where() +
               ", with which a fit ends with " + done.Describe());
}

void CapCheck(CheckContext& context) {
  const auto& table = context.NeedsCapability<cf_cap_check>(CF_CAP_CHECK);
  for (const Subject& subject : UsableSubjects(context)) {
    CompareWidth(context, table, subject);
    std::vector<SpecPtr> specs = SpecsAtBounds(context.shared_component());
    plugin::Random random = context.RandomOf("settings");
    for (int i = 0; i < 10; ++i) specs.push_back(DrawSpec(context.shared_component(), random));
    for (const SpecPtr& spec : specs) {
      for (const std::int64_t n_rows : {1, 2, 4, 7, 40}) {
        CompareCheck(context, table, subject, *spec, n_rows);
        if (context.has_failed()) return;
      }
    }
  }
}

// Checks of the laws of memory and fit-memory: what learners say about the size of models and fits.

// ---- memory -------------------------------------------------------------------------------------

void CapMemory(CheckContext& context) {
  constexpr std::uint64_t kFewest = 16 * 1024;  // less drowns in what the allocator rounds up
  const auto& table = context.NeedsCapability<cf_cap_memory>(CF_CAP_MEMORY);
  bool has_compared = false;
  for (const Subject& subject : UsableSubjects(context, 3000)) {
    Fit(*subject.spec, subject.train);  // what is made once is made before
    const std::uint64_t before = AllocatedBytes();
    const Made made = Fit(*subject.spec, subject.train);
    const std::uint64_t held = AllocatedBytes() - before;
    if (made.model == nullptr || AllocatedBytes() < before || held < kFewest) continue;
    has_compared = true;
    const std::uint64_t reported = table.model_bytes(context.component().info(), made.model.get());
    if (reported >= held / 2 && reported <= held * 2) continue;
    context.Warn("model_bytes " + subject.Where() + " says " + std::to_string(reported) +
                 ", the allocator gave " + std::to_string(held));
  }
  if (!has_compared) context.Skip("its models are too small to be measured");
}

// ---- fit-memory ---------------------------------------------------------------------------------

struct Declared {
  std::uint64_t bytes = 0;
  Reply reply;
};

Declared AskBytes(const Subject& subject, std::int64_t n_rows,
                  decltype(&cf_cap_fit_memory::fit_bytes) function) {
  const Spec& spec = *subject.spec;
  const auto* table = spec.component().capability<cf_cap_fit_memory>(CF_CAP_FIT_MEMORY);
  const cf_shape shape = ShapeOf(subject.data->features(), n_rows, subject.data->num_classes());
  Declared declared;
  declared.reply = ProbeCall(spec, {}, [&](const cf_call* call) {
    return (table->*function)(call, spec.args().data(), spec.args().size(), &shape,
                              &declared.bytes);
  });
  return declared;
}

// Cross-predicts the first rows as the two halves of a partition.
Reply CrossPredictHalves(const Subject& subject, std::int64_t n_rows) {
  CrossProblem problem{RowsOf(subject.data, RowRange(0, n_rows)), {}, 2};
  for (std::int64_t i = 0; i < n_rows; ++i) {
    problem.fold_of_row.push_back(static_cast<std::int32_t>(i % 2));
  }
  return CrossPrediction({subject.spec}, problem, nullptr).reply();
}

// Makes a call in a copy of the process that may take `room` more memory. Returns how it ended; ""
// = it worked. `before` is what is done before the limit holds.
std::string EndWithin(std::uint64_t room, const std::function<void()>& before,
                      const std::function<Reply()>& call) {
  constexpr double kSeconds = 25;
  constexpr int kMapped = 32 * 1024;  // larger blocks never come from what malloc has kept
  const auto prepare = [&] {
    ::mallopt(M_MMAP_THRESHOLD, kMapped);
    before();
  };
  const Forked forked = RunWithin(room, call, prepare, kSeconds);
  return forked.ended.empty() ? forked.text : forked.ended;
}

void CompareBytes(CheckContext& context, const Subject& subject, std::int64_t n_rows,
                  const std::string& name, decltype(&cf_cap_fit_memory::fit_bytes) function,
                  std::uint64_t kept_per_row, const std::function<void()>& before,
                  const std::function<Reply()>& call) {
  constexpr std::uint64_t kRounding = 256 * 1024;  // of the allocator
  const std::string of = name + " " + subject.Where() + " of " + std::to_string(n_rows) + " rows ";
  const Declared declared = AskBytes(subject, n_rows, function);
  if (!declared.reply.ok()) {
    context.Fail(of + "ended with " + declared.reply.Describe());
    return;
  }
  const std::string problem =
      EndWithin(2 * declared.bytes + static_cast<std::uint64_t>(n_rows) * kept_per_row + kRounding,
                before, call);
  if (problem.empty()) return;
  context.Warn(of + "says " + std::to_string(declared.bytes) +
               ", and a call with twice that memory ended with " + problem);
}

void CapFitMemory(CheckContext& context) {
  constexpr std::int64_t kManyRows = 20000, kCrossRows = 4000, kFewRows = 60;
  constexpr std::uint64_t kKept = 64;  // bytes per row that this program holds of predictions
  const Component& component = context.component();
  const auto& table = context.NeedsCapability<cf_cap_fit_memory>(CF_CAP_FIT_MEMORY);
  if ((component.process_flags & (CF_NOT_FORK_SAFE | CF_USES_OPENMP | CF_USES_THREADS)) != 0) {
    context.Skip("it cannot be fitted in a copy of the process");
  }
  if (!MemoryLimit::Works()) context.Skip("this process cannot limit its memory");
  const Subject subject = FirstUsable(context, kManyRows);
  // What is made once is made before.
  CompareBytes(
      context, subject, kManyRows, "fit_bytes", &cf_cap_fit_memory::fit_bytes, 0,
      [&] { Fit(*subject.spec, RowsOf(subject.data, RowRange(0, kFewRows))); },
      [&] { return Fit(*subject.spec, subject.all).reply; });
  if (table.cross_bytes == nullptr ||
      component.capability<cf_cap_cross_predict>(CF_CAP_CROSS_PREDICT) == nullptr) {
    return;
  }
  CompareBytes(
      context, subject, kCrossRows, "cross_bytes", &cf_cap_fit_memory::cross_bytes, kKept,
      [&] { CrossPredictHalves(subject, kFewRows); },
      [&] { return CrossPredictHalves(subject, kCrossRows); });
}

constexpr std::string_view kLoadsAsSaved =
    "a loaded model answers as the saved one, and anything else is refused";
constexpr std::string_view kExportsTheSame =
    "an exported model is UTF-8, and always the same for the same model";
constexpr std::string_view kChecksAsFit =
    "check() predicts for settings and numbers of rows what fit does";

constexpr Check kReportChecks[] = {
    {"cap-serialize", kLearner, 4, false, "fit-smoke", kLoadsAsSaved, &CapSerialize},
    {"cap-serialize", kTransform, 4, false, "transform-smoke", kLoadsAsSaved, &CapSerialize},
    {"cap-export", kLearner, 3, false, "fit-smoke", kExportsTheSame, &CapExport},
    {"cap-export", kTransform, 3, false, "transform-smoke", kExportsTheSame, &CapExport},
    {"cap-onnx", kLearner, 3, false, "fit-smoke", kLaw, &CapOnnx},
    {"cap-onnx", kTransform, 3, false, "transform-smoke", kLaw, &CapOnnx},
    {"cap-importance", kLearner, 3, false, "fit-smoke",
     "importances are finite, one per feature, and follow the order of the columns",
     &CapImportance},
    {"cap-check", kLearner, 4, false, "params-out-of-range", kChecksAsFit, &CapCheck},
    {"cap-check", kTransform, 4, false, "params-out-of-range", kChecksAsFit, &CapCheck},
    {"cap-memory", kLearner, 4, true, "fit-smoke",
     "the size that a model reports is between half and twice of what the allocator gave",
     &CapMemory},
    {"cap-fit-memory", kLearner, 4, true, "oom",
     "a fit needs at most twice the memory that the learner declares before it starts",
     &CapFitMemory},
};

}  // namespace

std::span<const Check> ReportChecks() { return kReportChecks; }

}  // namespace crossfold::check
