#include "programs/cli/line_editor.h"

#include <fcntl.h>
#include <histedit.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <system_error>

#include "crossfold/error.h"
#include "crossfold/terminal_width.h"
#include "crossfold/whole_file.h"
#include "discovery/installed_plugins.h"

namespace crossfold::cli {
namespace {

constexpr std::size_t kMaxShown = 200;
constexpr char kIndent[] = "  ";  // what Tab is at the beginning of a line

// The characters of the user's locale in this thread for the time of this object: the editor counts
// columns by them. Nothing else of the program depends on a locale.
class UserCharacters {
 public:
  UserCharacters() : locale_(newlocale(LC_CTYPE_MASK, "", nullptr)) {
    if (locale_ != nullptr) previous_ = uselocale(locale_);
  }
  ~UserCharacters() {
    if (locale_ == nullptr) return;
    uselocale(previous_);
    freelocale(locale_);
  }
  UserCharacters(const UserCharacters&) = delete;
  UserCharacters& operator=(const UserCharacters&) = delete;

 private:
  locale_t locale_;
  locale_t previous_ = nullptr;
};

std::size_t ColumnsOfOutput() {
  const int known = TerminalWidth(STDOUT_FILENO);
  return known > 0 ? static_cast<std::size_t>(known) : 80;
}

// One write, so that lines of several processes do not mix.
void AppendAtOnce(const std::filesystem::path& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0600);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = write(file, text.data(), text.size());
  close(file);
}

}  // namespace

struct LineEditor::Impl {
  LineEditorOptions options;
  EditLine* editor = nullptr;
  History* history = nullptr;
  std::string prompt;
  bool interrupted = false;

  static Impl& Of(EditLine* editor) {
    void* data = nullptr;
    el_get(editor, EL_CLIENTDATA, &data);
    return *static_cast<Impl*>(data);
  }

  static char* Prompt(EditLine* editor) { return Of(editor).prompt.data(); }

  static unsigned char OnInterrupt(EditLine* editor, int) {
    Of(editor).interrupted = true;
    return CC_NEWLINE;
  }

  // The editor's handler of the signal restores the terminal before the program stops, and sets it
  // up again afterwards.
  static unsigned char OnSuspend(EditLine*, int) {
    raise(SIGTSTP);
    return CC_REDISPLAY;
  }

  static unsigned char OnTab(EditLine* editor, int) {
    const Impl& impl = Of(editor);
    if (!impl.options.complete) return CC_ERROR;
    const LineInfo* line = el_line(editor);
    const std::string before(line->buffer, static_cast<std::size_t>(line->cursor - line->buffer));
    if (before.find_first_not_of(" \t") == std::string::npos) {  // as text that is pasted has it
      el_insertstr(editor, kIndent);
      return CC_REFRESH;
    }
    const Completion found = impl.options.complete(before);
    if (found.candidates.empty()) return CC_ERROR;
    const std::string typed = before.substr(std::min(found.from, before.size()));
    std::string common = CommonPrefix(found.candidates);
    const bool is_whole = found.candidates.size() == 1;
    if (is_whole) common += found.suffix;
    if (common.size() > typed.size()) {
      el_insertstr(editor, common.c_str() + typed.size());
      return CC_REFRESH;
    }
    if (is_whole) return CC_NORM;
    const std::string shown = "\n" + InColumns(found.candidates, ColumnsOfOutput(), kMaxShown);
    std::fwrite(shown.data(), 1, shown.size(), stdout);
    std::fflush(stdout);
    return CC_REDISPLAY;
  }

  void Open() {
    const UserCharacters characters;
    editor = el_init("crossfold", stdin, stdout, stderr);
    history = history_init();
    if (editor == nullptr || history == nullptr) {
      throw Error(ErrorKind::kIo, "cannot use this terminal; pass lines through a pipe instead");
    }
    HistEvent event;
    ::history(history, &event, H_SETSIZE, 1000);
    ::history(history, &event, H_SETUNIQUE, 1);
    el_set(editor, EL_CLIENTDATA, this);
    el_set(editor, EL_PROMPT, &Prompt);
    el_set(editor, EL_EDITOR, "emacs");
    el_set(editor, EL_HIST, &::history, history);
    el_set(editor, EL_SIGNAL, 1);  // it puts the terminal in order when a signal ends the program
    el_set(editor, EL_SETTY, "-d", "-isig", nullptr);  // so that Ctrl-C and Ctrl-Z are keys
    el_set(editor, EL_ADDFN, "crossfold-complete", "Complete what is typed", &OnTab);
    el_set(editor, EL_ADDFN, "crossfold-interrupt", "Begin a new line", &OnInterrupt);
    el_set(editor, EL_ADDFN, "crossfold-suspend", "Stop until fg", &OnSuspend);
    el_set(editor, EL_BIND, "^I", "crossfold-complete", nullptr);
    el_set(editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    el_source(editor, nullptr);  // the user's ~/.editrc
    el_set(editor, EL_BIND, "^C", "crossfold-interrupt", nullptr);
    el_set(editor, EL_BIND, "^Z", "crossfold-suspend", nullptr);
    for (const std::string& line : options.history)
      ::history(history, &event, H_ENTER, line.c_str());
  }

  ~Impl() {
    if (history != nullptr) history_end(history);
    if (editor != nullptr) el_end(editor);
  }
};

LineEditor::LineEditor(LineEditorOptions options) : impl_(std::make_unique<Impl>()) {
  impl_->options = std::move(options);
  impl_->Open();
}

LineEditor::~LineEditor() = default;

LineEditor::End LineEditor::Read(const std::string& prompt, std::string& line) {
  const UserCharacters characters;
  impl_->prompt = prompt;
  impl_->interrupted = false;
  // Before the prompt is shown: a key that follows it at once is one of the editor's already.
  el_set(impl_->editor, EL_PREP_TERM, 1);
  int size = 0;
  errno = 0;
  const char* text = el_gets(impl_->editor, &size);
  if (impl_->interrupted ||
      (text == nullptr && errno == EINTR)) {  // the key, or a signal from outside
    std::fputs("^C\n", stdout);
    return End::kInterrupted;
  }
  if (text == nullptr || size <= 0) return End::kClosed;
  line.assign(text, static_cast<std::size_t>(size));
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
  return End::kLine;
}

void LineEditor::Remember(const std::string& line) {
  HistEvent event;
  ::history(impl_->history, &event, H_ENTER, line.c_str());
}

std::string CommonPrefix(const std::vector<std::string>& candidates) {
  std::string common = candidates.front();
  for (const std::string& one : candidates) {
    const auto [end, other] = std::mismatch(common.begin(), common.end(), one.begin(), one.end());
    common.erase(end, common.end());
  }
  return common;
}

std::string InColumns(const std::vector<std::string>& candidates, std::size_t width,
                      std::size_t most) {
  const std::size_t n = std::min(candidates.size(), most);
  std::size_t longest = 0;
  for (std::size_t i = 0; i < n; ++i) longest = std::max(longest, candidates[i].size());
  const std::size_t columns = std::max<std::size_t>(1, width / (longest + 2));
  const std::size_t rows = (n + columns - 1) / columns;
  std::string text;
  for (std::size_t r = 0; r < rows; ++r) {
    std::string line;
    for (std::size_t i = r; i < n; i += rows) {  // down, then across
      line.resize((i / rows) * (longest + 2), ' ');
      line += candidates[i];
    }
    text += line + "\n";
  }
  if (n < candidates.size()) text += "... " + std::to_string(candidates.size() - n) + " more\n";
  return text;
}

std::vector<std::string> HistoryFile::Load() const {
  std::vector<std::string> lines;
  if (path_.empty()) return lines;
  std::ifstream file(path_, std::ios::binary);
  for (std::string line; std::getline(file, line);) lines.push_back(std::move(line));
  const bool is_long = lines.size() > 2 * kMaxLines;
  if (lines.size() > kMaxLines) lines.erase(lines.begin(), lines.end() - kMaxLines);
  if (is_long) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    try {
      WriteWholeFile(path_, text);
    } catch (const Error&) {  // it stays long
    }
  }
  return lines;
}

void HistoryFile::Append(const std::string& line) const {
  if (path_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(path_.parent_path(), error);
  AppendAtOnce(path_, line + "\n");
}

std::filesystem::path HistoryPath() {
  const std::filesystem::path folder = UserFolder("XDG_STATE_HOME", ".local/state");
  return folder.empty() ? folder : folder / "history";
}

}  // namespace crossfold::cli
