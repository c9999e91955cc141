#include "programs/plugin/project_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/error.h"

namespace crossfold::cli {
namespace {

constexpr std::size_t kMaxLength = 64;  // ids are in tables, files and the manifest

// The letters U+00C0 to U+017F without their marks, in order, with a space after each.
constexpr std::string_view kPlainLetters =
    "A A A A A A AE C E E E E I I I I D N O O O O O - O U U U U Y Th ss a a a a a a ae c e e "
    "e e i i i i d n o o o o o - o u u u u y th y A a A a A a C c C c C c C c D d D d E e E e "
    "E e E e E e G g G g G g G g H h H h I i I i I i I i I i IJ ij J j K k k L l L l L l L l "
    "L l N n N n N n n N n O o O o O o OE oe R r R r R r S s S s S s S s T t T t T t U u U u "
    "U u U u U u U u W w Y y Y Z z Z z Z z s ";

// Targets of CMake itself, names in the projects that are made, and modules of Lua.
constexpr std::array kTakenFiles = {
    "all",       "build", "cf",     "clean",      "codegen",    "coroutine",
    "crossfold", "debug", "depend", "edit_cache", "help",       "install",
    "io",        "math",  "os",     "package",    "preinstall", "rebuild_cache",
    "string",    "table", "test",   "tests",      "use",        "utf8"};

// Members of the C++ structs, which no struct may be named after.
constexpr std::array kTakenTypes = {"Add",      "Apply", "Begin", "Check",  "Export",
                                    "Finish",   "Fit",   "Load",  "Params", "Predict",
                                    "Resample", "Save",  "Score", "Split"};

[[noreturn]] void RefuseName(std::string name, const std::string& finding,
                             const std::string& way_out) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, '?');
  throw Error(ErrorKind::kInvalidArgument,
              "cannot make plugin '" + name + "': " + finding + "; " + way_out);
}

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
char ToLower(char c) { return IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
char ToUpper(char c) { return IsLower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), ToLower);
  return text;
}

template <std::size_t N>
bool Contains(const std::array<const char*, N>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// The number of bytes of the UTF-8 character at `start`; 0 = it is not valid.
std::size_t CharacterLength(std::string_view text, std::size_t start) {
  const auto lead = static_cast<unsigned char>(text[start]);
  const std::size_t length = lead < 0x80                    ? 1
                             : lead >= 0xC2 && lead < 0xE0  ? 2
                             : lead >= 0xE0 && lead < 0xF0  ? 3
                             : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                            : 0;
  if (length == 0 || start + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[start + i]) & 0xC0) != 0x80) return 0;
  }
  return length;
}

// The replacement of a character of two bytes: letters, or "-" if there are none.
std::string_view PlainLetter(std::string_view character) {
  const auto code = static_cast<std::size_t>((character[0] & 0x1F) << 6 | (character[1] & 0x3F));
  if (code >= 0x300 && code <= 0x36F) return "";  // the mark of the letter before
  if (code < 0xC0 || code > 0x17F) return "-";
  std::size_t start = 0;
  for (std::size_t skip = code - 0xC0; skip > 0; --skip) start = kPlainLetters.find(' ', start) + 1;
  return kPlainLetters.substr(start, kPlainLetters.find(' ', start) - start);
}

// The words of a name in ASCII, with unchanged case.
std::vector<std::string> WordsOf(const std::string& name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size();) {
    const std::size_t length = CharacterLength(name, i);
    if (length == 0) RefuseName(name, "it is not UTF-8", "type it in ASCII letters and digits");
    const std::string_view character = std::string_view(name).substr(i, length);
    i += length;
    const char c = character[0];
    const std::string_view plain = length == 2 ? PlainLetter(character) : "-";
    if (length == 1 && (IsLower(c) || IsUpper(c) || IsDigit(c))) {
      words.back() += c;
    } else if (c == ' ' || c == '_' || c == '-' || c == '.') {
      if (!words.back().empty()) words.emplace_back();
    } else if (length == 2 && plain != "-") {
      words.back() += plain;
    } else {
      const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
      RefuseName(name,
                 is_control ? "a control character cannot be part of it"
                            : "'" + std::string(character) + "' cannot be part of it",
                 "use letters with or without accents, digits, spaces, '-', '_' and '.'");
    }
  }
  if (words.back().empty()) words.pop_back();
  if (words.empty()) RefuseName(name, "it has no letter and no digit", "give it a name");
  return words;
}

// "kNN" keeps its capitals, "UPPER" and "lower" become "Upper" and "Lower".
std::string Capitalised(const std::string& word) {
  std::string text = std::any_of(word.begin(), word.end(), IsLower) ? word : Lower(word);
  text[0] = ToUpper(text[0]);
  return text;
}

// Whether `text` is made of parts of [a-z0-9_-] with dots between them, the first of which is a
// word.
bool IsId(std::string_view text, std::ptrdiff_t min_parts) {
  if (text.empty() || !IsLower(text[0]) || text.back() == '.') return false;
  if (text.find("..") != std::string_view::npos) return false;
  if (std::count(text.begin(), text.end(), '.') + 1 < min_parts) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return IsLower(c) || IsDigit(c) || c == '_' || c == '-' || c == '.';
  });
}

void CheckId(const std::string& name, const std::string& id) {
  if (!IsId(id, 2)) {
    RefuseName(name, "'" + id + "' is not an id",
               "ids are made of a-z, 0-9, '_' and '-' with dots between the parts, as in "
               "org.example.my_method");
  }
  if (id.starts_with("crossfold.")) {
    RefuseName(name, "'" + id + "' begins as the ids of the bundled plugins do",
               "begin with a domain that is yours, as in org.example.my_method");
  }
  if (id.size() > 2 * kMaxLength) {
    RefuseName(name, "its id has " + std::to_string(id.size()) + " characters",
               "use at most " + std::to_string(2 * kMaxLength));
  }
}

std::string Trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

ProjectNames MakeProjectNames(const std::string& name, const std::string& kind,
                              const std::string& id) {
  ProjectNames names;
  const bool is_id = IsId(name, 3);
  names.title = is_id ? name.substr(name.rfind('.') + 1) : Trimmed(name);
  const std::vector<std::string> words = WordsOf(names.title);
  for (const std::string& word : words) {
    names.file += (names.file.empty() ? "" : "_") + Lower(word);
    names.type_name += Capitalised(word);
  }
  if (names.file.size() > kMaxLength) {
    RefuseName(name, "the name has " + std::to_string(names.file.size()) + " characters",
               "use at most " + std::to_string(kMaxLength));
  }
  const std::string own = names.file;
  if (Contains(kTakenFiles, own) || own.starts_with("crossfold_")) names.file += "_" + kind;
  if (Contains(kTakenTypes, names.type_name)) names.type_name += Capitalised(kind);
  if (IsDigit(names.type_name[0])) names.type_name = Capitalised(kind) + names.type_name;
  names.id = !id.empty() ? id : is_id ? name : "org.example." + own;
  CheckId(name, names.id);
  return names;
}

}  // namespace crossfold::cli
