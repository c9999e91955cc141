// A reader that divides an ARFF text into its attributes and the values of its data lines, without
// interpreting them. It reads a subset of the format, without weights of lines.
//   https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace crossfold {

struct ArffAttribute {
  std::string name;
  std::string type;                 // in lower case: "numeric"; empty if it is a list of values
  std::vector<std::string> values;  // of a list, as written
};

// One value of a data line.
struct ArffValue {
  std::string text = {};
  bool quoted = false;
  std::size_t attribute = 0;

  bool is_missing() const { return !quoted && text == "?"; }
};

class ArffReader {
 public:
  // Reads up to @data. `text` must live as long as the reader; `attempt` begins every message, such
  // as "cannot read 'a.arff'". Throws Error(kBadData) "<attempt>: line 3 ...".
  ArffReader(std::string_view text, std::string attempt);

  const std::vector<ArffAttribute>& attributes() const { return attributes_; }

  // Reads the next data line, with one value per attribute. Returns false at the end of the text.
  bool Next(std::vector<std::string>& values);

  // Does the same with what is known of each value. It also reads sparse lines ("{1 red, 4 2.5}"),
  // which have only the values that they name, with ascending attributes; `is_sparse` reports them.
  bool NextRow(std::vector<ArffValue>& row, bool& is_sparse);

  // The rest of the text, and a reader for a part of it that begins at a line, `lines_before` lines
  // further down.
  std::string_view rest() const { return text_; }
  ArffReader Part(std::string_view part, std::size_t lines_before) const;
  // Skips to the next line with data. Returns false at the end.
  bool SkipRow();
  std::size_t line() const { return line_; }

  // Throws Error(kBadData) "<attempt>: line <the last one read><finding>".
  [[noreturn]] void Refuse(const std::string& finding) const;

 private:
  // Reads the next line that is neither blank nor a comment, without blanks around it.
  bool NextLine(std::string_view& line);
  void ReadAttribute(std::string_view rest);
  ArffValue ReadToken(std::string_view& rest, std::string_view ends) const;
  std::vector<ArffValue> ReadList(std::string_view& rest, char end) const;
  void ReadSparse(std::string_view rest, std::vector<ArffValue>& row) const;
  void CheckSize(std::size_t n_values) const;

  std::string_view text_;  // the part that is not read yet
  std::string attempt_;
  std::size_t line_ = 0;  // 1-based
  std::vector<ArffAttribute> attributes_;
};

}  // namespace crossfold
