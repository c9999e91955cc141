// Checks of models as bytes and as text, of learners and transforms: serialize and export.
#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/forked.h"
#include "check/memory_limit.h"
#include "check/subject.h"
#include "engine/plugin/foreign_text.h"

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
  if (component.capability<cf_cap_serialize>(CF_CAP_SERIALIZE) == nullptr) {
    context.Skip("it does not offer crossfold.serialize/1");
  }
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

struct Exported {
  std::string text;
  Reply reply;
};

Exported Export(const Spec& spec, const cf_model* model, std::size_t format) {
  const auto* table = spec.component().capability<cf_cap_export>(CF_CAP_EXPORT);
  Exported exported;
  const cf_writer writer{
      &exported.text, [](void* stream, const void* bytes, std::size_t n) -> std::int64_t {
        static_cast<std::string*>(stream)->append(static_cast<const char*>(bytes), n);
        return static_cast<std::int64_t>(n);
      }};
  exported.reply = ProbeCall(spec, {}, [&](const cf_call* call) {
    return table->export_model(call, model, format, &writer);
  });
  return exported;
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
  const auto* table = context.component().capability<cf_cap_export>(CF_CAP_EXPORT);
  if (table == nullptr) context.Skip("it does not offer crossfold.export/1");
  FormatNames(context, *table);
  for (const Subject& subject : UsableSubjects(context)) {
    const Made made = Fit(*subject.spec, subject.train), again = Fit(*subject.spec, subject.train);
    for (std::size_t i = 0; i < table->n_formats && !context.has_failed(); ++i) {
      const std::string of =
          "export as '" + std::string(table->formats[i]) + "' " + subject.Where();
      const Exported exported = Export(*subject.spec, made.model.get(), i);
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

constexpr Check kSerializeChecks[] = {
    {"cap-serialize", CheckScope::kLearner, 4, false, "fit-smoke",
     "a loaded model answers as the saved one, and anything else is refused", &CapSerialize},
    {"cap-serialize", CheckScope::kTransform, 4, false, "transform-smoke",
     "a loaded model answers as the saved one, and anything else is refused", &CapSerialize},
    {"cap-export", CheckScope::kLearner, 3, false, "fit-smoke",
     "an exported model is UTF-8, and always the same for the same model", &CapExport},
    {"cap-export", CheckScope::kTransform, 3, false, "transform-smoke",
     "an exported model is UTF-8, and always the same for the same model", &CapExport},
};

}  // namespace

std::span<const Check> SerializeChecks() { return kSerializeChecks; }

}  // namespace crossfold::check
