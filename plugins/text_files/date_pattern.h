// Dates in the form that a pattern describes, as Java's SimpleDateFormat has it: "yyyy-MM-dd
// HH:mm".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crossfold::reading {

class DatePattern {
 public:
  // What is known: y M d H m s S as numbers, and text. Throws Error with the part that is not.
  explicit DatePattern(std::string_view pattern);

  // The days since 1970-01-01, or the seconds if the pattern has a time of day, without time zones;
  // nothing for a text of another form, or a date or time that does not exist.
  std::optional<std::string> NumberOf(std::string_view text) const;
  // Whether that may have decimals.
  bool has_fractions() const { return has_fractions_; }

 private:
  // A number, or text if `letter` is '\0'.
  struct Part {
    char letter = '\0';
    std::size_t width = 0;  // digits, if the next part is a number, too; else any number of them
    std::string text = {};
  };
  void AddLetters(std::string_view letters);

  std::vector<Part> parts_;
  bool has_time_ = false, has_fractions_ = false;
};

}  // namespace crossfold::reading
