#include "lockbox/lockbox_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "crossfold/error.h"
#include "crossfold/version.h"
#include "encoding/fields.h"
#include "lockbox/sealed_bytes.h"

namespace crossfold {
namespace {

constexpr std::string_view kMagic = "CFXLOCKB";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeaderSize = 12, kDigestSize = 32;

std::string_view Bytes(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

Digest TakeDigest(FieldReader& fields) {
  Digest digest;
  std::memcpy(digest.data(), fields.Raw(digest.size()).data(), digest.size());
  return digest;
}

// A string for people, which reaches terminals.
std::string TakeLine(FieldReader& fields) {
  std::string text = fields.Text();
  if (Printable(text, true) != text) FieldReader::Fail();
  return text;
}

std::string TakeHash(FieldReader& fields) {
  const std::string text = fields.Text();
  const bool is_hex = text.find_first_not_of("0123456789abcdef") == text.npos;
  if (text.size() != 2 * kDigestSize || !is_hex) FieldReader::Fail();
  return text;
}

std::int64_t TakeCount(FieldReader& fields, std::int64_t least) {
  const auto count = fields.Number<std::int64_t>();
  if (count < least) FieldReader::Fail();
  return count;
}

bool TakeFlag(FieldReader& fields) {
  const auto flag = fields.Number<std::uint8_t>();
  if (flag > 1) FieldReader::Fail();
  return flag == 1;
}

double TakeNumber(FieldReader& fields) {
  const auto number = fields.Number<double>();
  if (std::isnan(number)) FieldReader::Fail();
  return number;
}

double TakeFinite(FieldReader& fields) {
  const auto number = fields.Number<double>();
  if (!std::isfinite(number)) FieldReader::Fail();
  return number;
}

std::string Header() {
  FieldWriter header;
  header.Raw(kMagic);
  header.Number(kVersion);
  return header.Take();
}

std::string Payload(std::uint8_t kind, const Digest& before, std::string_view fields) {
  FieldWriter payload;
  payload.Number(kind);
  payload.Raw(Bytes(before));
  payload.Raw(fields);
  return payload.Take();
}

// Reads entry after entry, each of which must follow the one before.
class ChainReader {
 public:
  ChainReader(std::string_view bytes, const std::string& attempt)
      : attempt_(attempt), bytes_(bytes), rest_(bytes), before_(Sha256Of(Header())) {
    if (!bytes.starts_with(kMagic)) Refuse("it is not a lockbox, which cf.lockbox makes");
    if (bytes.size() < kHeaderSize) RefuseCut();
    FieldReader header(bytes.substr(kMagic.size(), 4));
    const auto version = header.Number<std::uint32_t>();
    if (version > kVersion) {
      Refuse("it has format " + std::to_string(version) + ", Crossfold " + std::string(Version()) +
             " reads up to " + std::to_string(kVersion) + "; use a newer Crossfold");
    }
    if (version == 0) Refuse("its first bytes were changed; restore a copy");
    rest_.remove_prefix(kHeaderSize);
  }

  LockboxEntry Take() {
    ++number_;
    FieldReader fields(rest_);
    std::string_view payload;
    try {
      payload = fields.Bytes();
    } catch (const plugin::Error&) {
      RefuseCut();
    }
    if (payload.size() < 1 + kDigestSize) RefuseChange();
    if (std::memcmp(payload.data() + 1, before_.data(), kDigestSize) != 0) RefuseBefore();
    rest_ = fields.rest();
    before_ = Sha256Of(payload);
    return {static_cast<std::uint8_t>(payload[0]), payload.substr(1 + kDigestSize), before_};
  }

  // After the end: the checksum of all bytes.
  void TakeChecksum() const {
    if (rest_.size() < kDigestSize) RefuseCut();
    if (rest_.size() > kDigestSize) Refuse("bytes follow its end; restore a copy");
    const Digest digest = Sha256Of(bytes_.substr(0, bytes_.size() - kDigestSize));
    if (rest_ != Bytes(digest)) Refuse("its last bytes were changed; restore a copy");
  }

  [[noreturn]] void Refuse(const std::string& finding) const {
    throw Error(ErrorKind::kBadData, attempt_ + finding);
  }
  [[noreturn]] void RefuseChange() const {
    Refuse("entry " + std::to_string(number_) + " is not valid: it was changed; restore a copy");
  }
  int number() const { return number_; }

 private:
  [[noreturn]] void RefuseCut() const { Refuse("it is cut short; restore a copy"); }
  [[noreturn]] void RefuseBefore() const {
    if (number_ == 1) Refuse("entry 1 was changed; restore a copy");
    Refuse("entry " + std::to_string(number_) + " does not follow entry " +
           std::to_string(number_ - 1) +
           ": an entry was changed, removed or moved; restore a copy");
  }

  const std::string& attempt_;
  const std::string_view bytes_;
  std::string_view rest_;
  Digest before_;
  int number_ = 0;
};

void AddAnswer(std::string_view fields, std::vector<LockboxOpening>& openings) {
  LockboxAnswer answer;
  const std::int64_t number = ReadAnswer(fields, answer);
  if (number > static_cast<std::int64_t>(openings.size())) FieldReader::Fail();
  std::optional<LockboxAnswer>& known = openings[static_cast<std::size_t>(number - 1)].answer;
  if (known) FieldReader::Fail();  // a second answer
  known = std::move(answer);
}

// Returns whether more entries follow.
bool Interpret(const LockboxEntry& entry, LockboxFile& file) {
  if ((entry.kind == kSealEntry) != file.entries.empty()) FieldReader::Fail();
  if (entry.kind == kEndEntry) {
    FieldReader fields(entry.fields);
    if (fields.Number<std::uint64_t>() != file.entries.size()) FieldReader::Fail();
    file.mac = TakeDigest(fields);
    fields.End();
    return false;
  }
  if (entry.kind == kSealEntry) {
    FieldReader fields(entry.fields);
    file.open_fields = fields.Bytes();
    file.encrypted = fields.Bytes();
    fields.End();
    file.fields = ReadSeal(file.open_fields);
  } else if (entry.kind == kOpeningEntry) {
    file.openings.push_back(ReadOpening(entry.fields));
  } else if (entry.kind == kAnswerEntry) {
    AddAnswer(entry.fields, file.openings);
  } else {
    FieldReader::Fail();
  }
  file.entries.push_back(entry);
  return true;
}

}  // namespace

std::string WriteSeal(const SealFields& fields) {
  const LockboxSeal& seal = fields.seal;
  FieldWriter w;
  for (const std::string* text : {&seal.data, &seal.sealed_hash, &seal.rest_hash, &seal.whole_hash,
                                  &seal.chosen_by, &seal.time}) {
    w.Text(*text);
  }
  w.Text(Version());
  w.Number(seal.rows);
  w.Number(seal.rest_rows);
  w.Number(static_cast<std::uint8_t>(seal.rule));
  w.Number(seal.confidence);
  w.Number(static_cast<std::uint8_t>(seal.is_key_apart));
  w.Raw(Bytes(fields.salt));
  w.Raw(Bytes(fields.key_digest));
  return w.Take();
}

SealFields ReadSeal(std::string_view bytes) {
  FieldReader r(bytes);
  SealFields fields;
  LockboxSeal& seal = fields.seal;
  seal.data = TakeLine(r);
  seal.sealed_hash = TakeHash(r);
  seal.rest_hash = TakeHash(r);
  seal.whole_hash = TakeHash(r);
  seal.chosen_by = TakeLine(r);
  seal.time = TakeLine(r);
  TakeLine(r);  // the Crossfold version, which only people read
  seal.rows = TakeCount(r, 1);
  seal.rest_rows = TakeCount(r, 1);
  const auto rule = r.Number<std::uint8_t>();
  if (rule > static_cast<std::uint8_t>(LookRule::kAdaptive)) FieldReader::Fail();
  seal.rule = static_cast<LookRule>(rule);
  seal.confidence = TakeFinite(r);
  if (!(seal.confidence > 0 && seal.confidence < 1)) FieldReader::Fail();
  seal.is_key_apart = TakeFlag(r);
  fields.salt = TakeDigest(r);
  fields.key_digest = TakeDigest(r);
  r.End();
  return fields;
}

std::string WriteOpening(const LockboxOpening& opening) {
  FieldWriter w;
  for (const std::string* text :
       {&opening.time, &opening.reason, &opening.model, &opening.model_hash, &opening.metric}) {
    w.Text(*text);
  }
  return w.Take();
}

LockboxOpening ReadOpening(std::string_view bytes) {
  FieldReader r(bytes);
  LockboxOpening opening;
  opening.time = TakeLine(r);
  opening.reason = TakeLine(r);
  opening.model = TakeLine(r);
  opening.model_hash = TakeHash(r);
  opening.metric = TakeLine(r);
  r.End();
  return opening;
}

std::string WriteAnswer(std::int64_t number, const LockboxAnswer& answer) {
  FieldWriter w;
  w.Number(number);
  for (const std::string* text : {&answer.time, &answer.problem, &answer.method, &answer.reason}) {
    w.Text(*text);
  }
  w.Number(answer.rows);
  w.Number(answer.units);
  for (const double number_of :
       {answer.score, answer.standard_error, answer.low, answer.high, answer.least, answer.most}) {
    w.Number(number_of);
  }
  return w.Take();
}

std::int64_t ReadAnswer(std::string_view bytes, LockboxAnswer& answer) {
  FieldReader r(bytes);
  const std::int64_t number = TakeCount(r, 1);
  answer.time = TakeLine(r);
  answer.problem = TakeLine(r);
  answer.method = TakeLine(r);
  answer.reason = TakeLine(r);
  answer.rows = TakeCount(r, 0);
  answer.units = TakeCount(r, 0);
  answer.score = TakeFinite(r);
  answer.standard_error = TakeFinite(r);
  answer.low = TakeFinite(r);
  answer.high = TakeFinite(r);
  answer.least = TakeNumber(r);
  answer.most = TakeNumber(r);
  r.End();
  return number;
}

LockboxFile LockboxFile::Parse(std::string_view bytes, const std::string& attempt) {
  ChainReader chain(bytes, attempt);
  LockboxFile file;
  bool more = true;
  while (more) {
    const LockboxEntry entry = chain.Take();
    try {
      more = Interpret(entry, file);
    } catch (const plugin::Error&) {
      chain.RefuseChange();
    }
  }
  chain.TakeChecksum();
  return file;
}

Lockbox LockboxFile::Make(const std::filesystem::path& path, std::string bytes,
                          const std::string& attempt) {
  LockboxFile file = Parse(bytes, attempt);
  Lockbox lockbox;
  lockbox.path_ = path;
  lockbox.seal_ = std::move(file.fields.seal);
  lockbox.openings_ = std::move(file.openings);
  lockbox.id_ = ToHex(file.entries.front().digest);
  lockbox.bytes_ = std::move(bytes);
  return lockbox;
}

std::string FormatLockbox(const std::vector<NewEntry>& entries, const LockboxKey& key) {
  FieldWriter file;
  file.Raw(Header());
  Digest before = Sha256Of(Header());
  const auto add = [&](std::uint8_t kind, std::string_view fields) {
    const std::string payload = Payload(kind, before, fields);
    file.Text(payload);
    before = Sha256Of(payload);
  };
  for (const NewEntry& entry : entries) add(entry.kind, entry.fields);
  FieldWriter end;
  end.Length(entries.size());
  end.Raw(Bytes(Hmac(before, key)));
  add(kEndEntry, end.bytes());
  file.Raw(Bytes(Sha256Of(file.bytes())));
  return file.Take();
}

Digest DigestOf(const LockboxKey& key) {
  Sha256 hash;
  hash.AddText("crossfold-lockbox-key-digest-1");
  hash.Add(key.bytes.data(), key.bytes.size());
  return hash.Finish();
}

LockboxKey KeyOf(const Digest& salt) {
  Sha256 hash;
  hash.AddText("crossfold-lockbox-key-1");
  hash.Add(salt.data(), salt.size());
  return {hash.Finish()};
}

}  // namespace crossfold
