#include "check/sample_text.h"

#include <system_error>

namespace crossfold::check {

namespace fs = std::filesystem;

SampleText SampleText::Parse(std::string_view text) {
  std::error_code error;
  if (!text.ends_with('}') || fs::exists(text, error)) return {fs::path(text), ""};
  const std::size_t folder = text.rfind('/', text.find('='));
  const std::size_t brace = text.find('{', folder == std::string_view::npos ? 0 : folder);
  if (brace == std::string_view::npos) return {fs::path(text), ""};
  return {fs::path(text.substr(0, brace)),
          std::string(text.substr(brace + 1, text.size() - brace - 2))};
}

std::string SampleText::ToString() const {
  const std::string file = fs::absolute(path).string();
  return settings.empty() ? file : file + "{" + settings + "}";
}

std::vector<std::string> WholeTexts(std::span<const std::string> data) {
  std::vector<std::string> whole;
  for (const std::string& text : data) whole.push_back(SampleText::Parse(text).ToString());
  return whole;
}

}  // namespace crossfold::check
