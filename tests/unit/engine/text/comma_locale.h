// Makes a locale with a decimal comma the global one, for C and for C++, as long as it lives.
#pragma once

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <locale>
#include <optional>
#include <string>

#include "temporary_folder.h"

namespace crossfold {

class CommaLocale {
 public:
  CommaLocale() : c_before_(std::setlocale(LC_ALL, nullptr)) {
    has_c_locale_ = SetInstalled() || SetGenerated();
    // A locale without a name: leaves what setlocale has set alone.
    cpp_before_ = std::locale::global(std::locale(std::locale::classic(), new CommaPunctuation));
  }

  ~CommaLocale() {
    std::locale::global(cpp_before_);
    std::setlocale(LC_ALL, c_before_.c_str());
    if (generated_.has_value()) unsetenv("LOCPATH");
  }

  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;

  // "" if everything that this machine can have is in force; else what is wrong.
  std::string Problem() const {
    char text[8] = "";
    std::snprintf(text, sizeof text, "%.1f", 0.5);
    if (has_c_locale_ && std::string(text) != "0,5") return "setlocale had no effect on printf";
    if (!has_c_locale_ && std::system("command -v localedef >/dev/null") == 0) {
      return "localedef is here but cannot make de_DE.UTF-8; install the package 'locales'";
    }
    return "";
  }

 private:
  struct CommaPunctuation : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };

  static bool SetInstalled() { return std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr; }

  bool SetGenerated() {
    const std::string folder = generated_.emplace().path();
    const std::string command = "localedef -i de_DE -f UTF-8 '" + folder + "/de_DE.UTF-8'";
    if (std::system((command + " >/dev/null 2>&1").c_str()) != 0) return false;
    setenv("LOCPATH", folder.c_str(), 1);
    return SetInstalled();
  }

  std::string c_before_;
  std::locale cpp_before_;
  std::optional<test::TemporaryFolder> generated_;  // empty = nothing was generated
  bool has_c_locale_ = false;
};

}  // namespace crossfold
