#include "lockbox/key_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string_view>
#include <system_error>

#include "crossfold/error.h"
#include "files/file_bytes.h"
#include "files/file_descriptor.h"

namespace crossfold {
namespace {

constexpr std::string_view kFirstLine = "key of a Crossfold lockbox\n";

}  // namespace

void WriteKeyFile(const std::filesystem::path& path, const LockboxKey& key) {
  const std::string attempt = "cannot keep the key of a lockbox in '" + path.string() + "': ";
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.is_open() && errno == EEXIST) {
    throw Error(ErrorKind::kIo, attempt + "there is a file of that name; choose another");
  }
  const std::string text = std::string(kFirstLine) + key.ToHex() + "\n";
  if (!file.is_open() || !WriteAll(file.get(), text) || ::fsync(file.get()) != 0) {
    throw Error(ErrorKind::kIo, attempt + "it cannot be written (" +
                                    std::generic_category().message(errno) +
                                    "); choose another place");
  }
}

LockboxKey ReadKeyFile(const std::filesystem::path& path, const std::string& attempt) {
  const std::string bytes = ReadFileBytes(path, attempt + "key file '" + path.string() + "'");
  LockboxKey key;
  const std::size_t n = 2 * key.bytes.size();
  const auto refuse = [&] {
    throw Error(ErrorKind::kBadData, attempt + "'" + path.string() +
                                         "' is not the key of a lockbox; name the file that "
                                         "cf.lockbox made");
  };
  if (!bytes.starts_with(kFirstLine) || bytes.size() < kFirstLine.size() + n) refuse();
  const char* digits = bytes.data() + kFirstLine.size();
  for (std::uint8_t& byte : key.bytes) {
    const auto [end, error] = std::from_chars(digits, digits + 2, byte, 16);
    if (error != std::errc() || end != digits + 2) refuse();
    digits += 2;
  }
  return key;
}

}  // namespace crossfold
