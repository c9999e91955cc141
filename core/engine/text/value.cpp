#include "crossfold/value.h"

#include "engine/text/format_number.h"

namespace crossfold {
namespace {

struct ValueText {
  std::string operator()(Null) const { return "none"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return FormatShortest(value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const Nested& value) const { return value.json; }

  template <class T>
  std::string operator()(const std::vector<T>& values) const {
    std::string text = "{";
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) text += ", ";
      text += (*this)(values[i]);
    }
    return text + "}";
  }
};

}  // namespace

std::string ToText(const Value& value) { return std::visit(ValueText(), value); }

}  // namespace crossfold
