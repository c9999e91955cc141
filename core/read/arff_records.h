// A reader that divides an ARFF text of splits into its attributes and the values of its data
// lines, without interpreting them. It reads the part of the format that such files need: no sparse
// lines, weights, dates, relations or escapes. plugins/text_files reads data.
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

class ArffReader {
 public:
  // Reads up to @data. `text` must live as long as the reader; `attempt` begins every message, such
  // as "cannot read 'a.arff'". Throws Error(kBadData) "<attempt>: line 3 ...".
  ArffReader(std::string_view text, std::string attempt);

  const std::vector<ArffAttribute>& attributes() const { return attributes_; }

  // Reads the next data line, with one value per attribute. Returns false at the end of the text.
  bool Next(std::vector<std::string>& values);

  // Throws Error(kBadData) "<attempt>: line <the last one read><finding>".
  [[noreturn]] void Refuse(const std::string& finding) const;

 private:
  // Reads the next line that is neither blank nor a comment, without blanks around it.
  bool NextLine(std::string_view& line);
  void ReadAttribute(std::string_view rest);
  std::string ReadToken(std::string_view& rest, std::string_view ends) const;
  bool ReadList(std::string_view& rest, char end, bool blanks_separate,
                std::vector<std::string>& values) const;

  std::string_view text_;  // the part that is not read yet
  std::string attempt_;
  std::size_t line_ = 0;  // 1-based
  std::vector<ArffAttribute> attributes_;
};

}  // namespace crossfold
