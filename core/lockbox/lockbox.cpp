#include "crossfold/lockbox.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>
#include <utility>

#include "crossfold/error.h"
#include "encoding/dataset_image.h"
#include "encoding/fields.h"
#include "engine/text/utc_time.h"
#include "files/file_bytes.h"
#include "files/file_descriptor.h"
#include "lockbox/lockbox_file.h"
#include "lockbox/sealed_bytes.h"

namespace crossfold {
namespace {

constexpr std::array<std::string_view, 3> kRuleNames = {"bonferroni", "spending", "adaptive"};

std::string ReadAttempt(const std::filesystem::path& path) {
  return "cannot read lockbox '" + path.string() + "': ";
}

std::string OpenAttempt(const std::filesystem::path& path) {
  return "cannot open lockbox '" + path.string() + "'";
}

std::string FileBytes(const std::filesystem::path& path) {
  return ReadFileBytes(path, "cannot read lockbox '" + path.string() + "'");
}

// Keeps other processes from changing lockboxes in the folder, as each change replaces its file.
class FolderLock {
 public:
  FolderLock(const std::filesystem::path& path, const std::string& attempt)
      : folder_(::open(FolderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (folder_.is_open() && ::flock(folder_.get(), LOCK_EX) == 0) return;
    throw Error(ErrorKind::kIo, attempt + ": its folder cannot be locked; choose another place");
  }

  // Replaces the file, which then survives a power cut. The file stays as it is if the bytes would
  // not be a lockbox.
  void Write(const std::filesystem::path& path, std::string_view bytes,
             const std::string& attempt) const {
    LockboxFile::Parse(bytes, attempt + ": the new record is not valid: ");
    WriteFileBytes(path, bytes, attempt);
    ::fsync(folder_.get());  // some file systems cannot, and need not
  }

 private:
  static std::filesystem::path FolderOf(const std::filesystem::path& path) {
    const std::filesystem::path folder = RealPath(path).parent_path();
    return folder.empty() ? "." : folder;
  }
  FileDescriptor folder_;
};

// ---- the file of a key that is kept apart from its lockbox: a line that says what it is, a line
// of 64 hexadecimal digits, and the hash of the rows that it was made for ----

constexpr std::string_view kKeyStart = "key of a Crossfold lockbox\n";

std::string KeyEnd(const std::string& sealed_hash) { return "for rows " + sealed_hash + "\n"; }

// "" if there is no file.
std::string KeyBytes(const std::filesystem::path& path) {
  std::error_code none;
  return std::filesystem::is_regular_file(path, none) ? ReadFileBytes(path, "cannot read a key")
                                                      : "";
}

// Removes a file that was being written when the process ended, before it had a whole key.
void RemoveHalfWritten(const std::filesystem::path& path) {
  const std::string bytes = KeyBytes(path);
  if (bytes.size() >= kKeyStart.size() + 2 * LockboxKey().bytes.size()) return;
  if (kKeyStart.starts_with(bytes) || bytes.starts_with(kKeyStart)) ::unlink(path.c_str());
}

// Throws Error "<attempt><finding>".
LockboxKey ReadKeyFile(const std::filesystem::path& path, const std::string& attempt) {
  const std::string bytes = ReadFileBytes(path, attempt + "key file '" + path.string() + "'");
  LockboxKey key;
  const std::size_t n = 2 * key.bytes.size();
  const auto refuse = [&] {
    throw Error(ErrorKind::kBadData, attempt + "'" + path.string() +
                                         "' is not the key of a lockbox; name the file that "
                                         "cf.lockbox made");
  };
  if (!bytes.starts_with(kKeyStart) || bytes.size() < kKeyStart.size() + n) refuse();
  const char* digits = bytes.data() + kKeyStart.size();
  for (std::uint8_t& byte : key.bytes) {
    const auto [end, error] = std::from_chars(digits, digits + 2, byte, 16);
    if (error != std::errc() || end != digits + 2) refuse();
    digits += 2;
  }
  return key;
}

// Makes the file of a new key, which only its owner may read, and returns the key; the file is on
// the disk then. A file that was made for the same rows has the key: sealing was interrupted after
// it. Throws Error(kIo) if there is another one.
// REQUIRES: there is no lockbox of this key.
LockboxKey MakeKeyFile(const std::filesystem::path& path, const std::string& sealed_hash) {
  const std::string attempt = "cannot keep the key of a lockbox in '" + path.string() + "': ";
  RemoveHalfWritten(path);
  const LockboxKey key{RandomDigest()};
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.is_open() && errno == EEXIST) {
    if (KeyBytes(path).ends_with(KeyEnd(sealed_hash))) return ReadKeyFile(path, attempt);
    throw Error(ErrorKind::kIo, attempt + "there is a file of that name; choose another");
  }
  const std::string text = std::string(kKeyStart) + key.ToHex() + "\n" + KeyEnd(sealed_hash);
  if (!file.is_open() || !WriteAll(file.get(), text) || ::fsync(file.get()) != 0) {
    const int reason = errno;
    if (file.is_open()) ::unlink(path.c_str());
    throw Error(ErrorKind::kIo, attempt + "it cannot be written (" +
                                    std::generic_category().message(reason) +
                                    "); choose another place");
  }
  SyncFolderOf(path);
  return key;
}

// ---- sealing ----

std::vector<NewEntry> EntriesOf(const LockboxFile& file) {
  std::vector<NewEntry> entries;
  for (const LockboxEntry& entry : file.entries) {
    entries.push_back({entry.kind, std::string(entry.fields)});
  }
  return entries;
}

// Bytes on a multiple of 8, as images need them.
struct ImageBytes {
  explicit ImageBytes(std::size_t n) : words((n + 7) / 8), size(n) {}
  char* data() { return reinterpret_cast<char*>(words.data()); }
  std::string_view bytes() const { return {reinterpret_cast<const char*>(words.data()), size}; }

  std::vector<std::uint64_t> words;
  std::size_t size;
};

std::string ImageOf(const Dataset& data) {
  const DatasetImage image(data);
  std::string bytes(image.size(), '\0');
  image.WriteTo(bytes.data());
  return bytes;
}

// The rows with these ids as a dataset of its own.
std::shared_ptr<const Dataset> RowsOf(const Dataset& data, const std::vector<std::int64_t>& ids) {
  std::vector<Column> columns;
  for (const Column& column : data.columns()) columns.push_back(column.Selected(ids));
  return Dataset::Rebuild(data, std::move(columns), data.roles());
}

struct Division {
  std::shared_ptr<const Dataset> sealed, rest;
};

Division Divide(const DataView& data, const std::vector<std::int64_t>& positions,
                const std::string& attempt) {
  std::vector<bool> is_sealed(static_cast<std::size_t>(data.num_rows()));
  for (const std::int64_t position : positions) {
    is_sealed[static_cast<std::size_t>(position)] = true;
  }
  std::vector<std::int64_t> sealed, rest;
  for (std::int64_t i = 0; i < data.num_rows(); ++i) {
    (is_sealed[static_cast<std::size_t>(i)] ? sealed : rest).push_back(data.row_id(i));
  }
  if (sealed.empty() || rest.empty()) {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + ": there must be rows to seal and rows to work on");
  }
  return {RowsOf(*data.data, sealed), RowsOf(*data.data, rest)};
}

bool IsSame(const LockboxSeal& a, const LockboxSeal& b) {
  return a.sealed_hash == b.sealed_hash && a.rest_hash == b.rest_hash &&
         a.chosen_by == b.chosen_by && a.rule == b.rule && a.confidence == b.confidence &&
         a.is_key_apart == b.is_key_apart;
}

LockboxSeal SealOf(const DataView& data, const Division& division, const SealOptions& options) {
  LockboxSeal seal;
  seal.data = Printable(data.data->name(), true);
  seal.rows = division.sealed->num_rows();
  seal.rest_rows = division.rest->num_rows();
  seal.sealed_hash = division.sealed->content_hash();
  seal.rest_hash = division.rest->content_hash();
  seal.whole_hash = data.content_hash();
  seal.chosen_by = Printable(options.chosen_by, true);
  seal.rule = options.rule;
  seal.confidence = options.confidence;
  seal.is_key_apart = !options.key_file.empty();
  return seal;
}

std::string MakeFile(LockboxSeal seal, const Dataset& sealed, const SealOptions& options) {
  SealFields fields;
  seal.time = UtcTime();
  fields.seal = std::move(seal);
  fields.salt = RandomDigest();
  const bool apart = fields.seal.is_key_apart;
  const LockboxKey key =
      apart ? MakeKeyFile(options.key_file, fields.seal.sealed_hash) : KeyOf(fields.salt);
  fields.key_digest = DigestOf(key);
  const std::string open_fields = WriteSeal(fields);
  FieldWriter entry;
  entry.Text(open_fields);
  entry.Text(Encrypt(ImageOf(sealed), open_fields, key));
  return FormatLockbox({{kSealEntry, entry.Take()}}, key);
}

// The key would be lost under the lockbox.
void RefuseOneFile(const std::filesystem::path& lockbox, const std::filesystem::path& key,
                   const std::string& attempt) {
  std::error_code none;
  if (key.empty() || (std::filesystem::weakly_canonical(lockbox, none) !=
                          std::filesystem::weakly_canonical(key, none) &&
                      !std::filesystem::equivalent(lockbox, key, none))) {
    return;
  }
  throw Error(ErrorKind::kInvalidArgument,
              attempt + ": its key is to be in the same file; choose another file for the key");
}

// The opening that a new one continues; the end = it is new.
std::vector<LockboxOpening>::const_iterator FindInterrupted(
    const std::vector<LockboxOpening>& openings, const LockboxOpening& wanted) {
  return std::ranges::find_if(openings, [&](const LockboxOpening& one) {
    return one.model_hash == wanted.model_hash && one.metric == wanted.metric && !one.answer;
  });
}

}  // namespace

std::string_view LookRuleName(LookRule rule) { return kRuleNames[static_cast<std::size_t>(rule)]; }

std::optional<LookRule> FindLookRule(std::string_view name) {
  const auto found = std::ranges::find(kRuleNames, name);
  if (found == kRuleNames.end()) return std::nullopt;
  return static_cast<LookRule>(found - kRuleNames.begin());
}

std::string LockboxKey::ToHex() const { return crossfold::ToHex(bytes); }

Lockbox Lockbox::Read(const std::filesystem::path& path) {
  return LockboxFile::Make(path, FileBytes(path), ReadAttempt(path));
}

Lockbox Lockbox::ReadAgain() const {
  Lockbox now = Read(path_);
  if (now.id_ == id_) return now;
  throw Error(ErrorKind::kIo, OpenAttempt(path_) + ": another lockbox has taken its place");
}

LockboxKey Lockbox::FindKey(const std::filesystem::path& key_file) const {
  const LockboxFile file = LockboxFile::Parse(bytes_, ReadAttempt(path_));
  const std::string attempt = OpenAttempt(path_) + ": ";
  if (seal_.is_key_apart && key_file.empty()) {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + "its key is kept apart; name the key file (key)");
  }
  const LockboxKey key =
      seal_.is_key_apart ? ReadKeyFile(key_file, attempt) : KeyOf(file.fields.salt);
  if (DigestOf(key) != file.fields.key_digest) {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + "'" + key_file.string() + "' is the key of another lockbox");
  }
  if (Hmac(file.entries.back().digest, key) != file.mac) {
    throw Error(ErrorKind::kBadData,
                attempt + "its entries were written without its key; restore a copy");
  }
  return key;
}

std::shared_ptr<const Dataset> Lockbox::Unseal(const LockboxKey& key) const {
  const LockboxFile file = LockboxFile::Parse(bytes_, ReadAttempt(path_));
  const std::optional<std::string> plain = Decrypt(file.encrypted, file.open_fields, key);
  const std::string attempt = OpenAttempt(path_) + ": ";
  if (!plain) throw Error(ErrorKind::kBadData, attempt + "its rows do not fit its key");
  auto image = std::make_shared<ImageBytes>(plain->size());
  std::copy(plain->begin(), plain->end(), image->data());
  const auto data = ReadDatasetImage(image->bytes(), image);
  if (data->content_hash() != seal_.sealed_hash || data->num_rows() != seal_.rows) {
    throw Error(ErrorKind::kBadData, attempt + "its rows are not those that its seal describes");
  }
  return data;
}

std::int64_t Lockbox::Begin(LockboxOpening opening, const LockboxKey& key) {
  const std::string attempt = OpenAttempt(path_);
  const FolderLock lock(path_, attempt);
  *this = ReadAgain();
  const auto known = FindInterrupted(openings_, opening);
  if (known != openings_.end()) return known - openings_.begin() + 1;
  opening.time = UtcTime();
  for (std::string* text : {&opening.reason, &opening.model, &opening.metric}) {
    *text = Printable(*text, true);
  }
  std::vector<NewEntry> entries = EntriesOf(LockboxFile::Parse(bytes_, ReadAttempt(path_)));
  entries.push_back({kOpeningEntry, WriteOpening(opening)});
  lock.Write(path_, FormatLockbox(entries, key), attempt);
  *this = ReadAgain();
  return static_cast<std::int64_t>(openings_.size());
}

void Lockbox::End(std::int64_t number, LockboxAnswer answer, const LockboxKey& key) {
  const std::string attempt = OpenAttempt(path_);
  const FolderLock lock(path_, attempt);
  *this = ReadAgain();
  if (number > static_cast<std::int64_t>(openings_.size())) {
    throw Error(ErrorKind::kIo, attempt + ": it has no opening " + std::to_string(number) +
                                    " any more, so an older copy has taken its place; restore "
                                    "the newest copy");
  }
  const std::optional<LockboxAnswer>& known =
      openings_[static_cast<std::size_t>(number - 1)].answer;
  if (known) return;  // of another process, which had the same model
  answer.time = UtcTime();
  for (std::string* text : {&answer.problem, &answer.method, &answer.reason}) {
    *text = Printable(*text, true);
  }
  std::vector<NewEntry> entries = EntriesOf(LockboxFile::Parse(bytes_, ReadAttempt(path_)));
  entries.push_back({kAnswerEntry, WriteAnswer(number, answer)});
  lock.Write(path_, FormatLockbox(entries, key), attempt);
  *this = ReadAgain();
}

SealedRows SealRows(const DataView& data, const std::vector<std::int64_t>& sealed,
                    const std::filesystem::path& path, const SealOptions& options) {
  const std::string attempt = "cannot seal rows in '" + path.string() + "'";
  RefuseOneFile(path, options.key_file, attempt);
  const Division division = Divide(data, sealed, attempt);
  LockboxSeal seal = SealOf(data, division, options);
  const FolderLock lock(path, attempt);
  std::error_code none;
  const bool is_new = !std::filesystem::exists(path, none);
  if (is_new) {
    lock.Write(path, MakeFile(seal, *division.sealed, options), attempt);
  }
  const Lockbox lockbox = Lockbox::Read(path);
  if (!is_new && !IsSame(lockbox.seal(), seal)) {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + ": it is a lockbox of other rows or options ('" + lockbox.seal().data +
                    "', " + lockbox.seal().chosen_by + "); choose another file");
  }
  return {Dataset::WithOrigin(*division.rest, lockbox.id()), lockbox.id(), is_new};
}

}  // namespace crossfold
