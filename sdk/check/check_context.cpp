#include "check/check_context.h"

#include <exception>
#include <optional>

#include "discovery/plugin_folder.h"

namespace crossfold::check {
namespace {

// A few findings are enough if every row has one.
constexpr std::size_t kMaxFindings = 4;

struct Skipped {
  std::string reason;
};

std::string Joined(const std::vector<std::string>& findings) {
  std::string text;
  for (std::size_t i = 0; i < findings.size() && i < kMaxFindings; ++i) {
    text += (i == 0 ? "" : "; ") + findings[i];
  }
  if (findings.size() > kMaxFindings) {
    text += "; and " + std::to_string(findings.size() - kMaxFindings) + " more";
  }
  return text;
}

}  // namespace

bool CheckContext::is_folder() const { return IsPluginFolder(file_); }

void CheckContext::Fail(std::string finding) { failures_.push_back(std::move(finding)); }
bool CheckContext::FailIf(const std::string& what, const std::string& problem) {
  if (!problem.empty()) Fail(what + problem);
  return !problem.empty();
}
void CheckContext::Warn(std::string finding) { warnings_.push_back(std::move(finding)); }
void CheckContext::Note(std::string fact) { notes_.push_back(std::move(fact)); }
void CheckContext::Skip(std::string reason) { throw Skipped{std::move(reason)}; }

Verdict CheckContext::Conclude(const std::string& skipped) const {
  if (!failures_.empty()) return {Verdict::Kind::kFailed, Joined(failures_)};
  if (!warnings_.empty()) return {Verdict::Kind::kWarning, Joined(warnings_)};
  if (!skipped.empty()) return {Verdict::Kind::kSkipped, skipped};
  return {Verdict::Kind::kOk, answer_.empty() ? Joined(notes_) : answer_};
}

Verdict CheckContext::Run(void (*check)(CheckContext&)) {
  std::string skipped;
  try {
    check(*this);
  } catch (const Skipped& skip) {
    skipped = skip.reason.empty() ? "without a reason" : skip.reason;
  } catch (const std::exception& e) {
    Fail(std::string("the check itself failed: ") + e.what());
  } catch (...) {
    Fail("the check itself failed with an exception of an unknown type");
  }
  Verdict verdict = Conclude(skipped);
  verdict.ends_normally = ends_normally_;
  return verdict;
}

}  // namespace crossfold::check
