// A host's locale with a decimal comma, its rounding mode and its floating-point traps change no
// bit of a result, and are as they were afterwards.
//   same_bits PLUGIN_FOLDER FILE [LOCALE]
#include <cfenv>
#include <clocale>
#include <cstdio>
#include <cstring>

#include "experiment.h"

int main(int argc, char** argv) {
  return Report([&] {
    Demand(argc == 3 || argc == 4, "two or three arguments are needed");
    const std::string plugins = argv[1], file = argv[2];
    const std::vector<double> expected = Session(Linked(), plugins).Run(file);
    if (argc == 4) {
      Demand(std::setlocale(LC_ALL, argv[3]) != nullptr, "there is no such locale");
      char text[8] = "";
      std::snprintf(text, sizeof text, "%.1f", 0.5);
      Demand(std::strcmp(text, "0,5") == 0, "the locale has no decimal comma");
      Demand(Session(Linked(), plugins).Run(file) == expected, "the locale changes the numbers");
      std::snprintf(text, sizeof text, "%.1f", 0.5);
      Demand(std::strcmp(text, "0,5") == 0, "the locale has been changed");
    }
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      std::fesetround(mode);
      const std::vector<double> found = Session(Linked(), plugins).Run(file);
      const int after = std::fegetround();
      std::fesetround(FE_TONEAREST);
      Demand(after == mode, "the rounding mode has been changed");
      Demand(found == expected, "the rounding mode changes the numbers");
    }
    std::feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
    const std::vector<double> found = Session(Linked(), plugins).Run(file);
    const int traps = fedisableexcept(FE_ALL_EXCEPT);
    Demand(traps == (FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW), "the traps have been changed");
    Demand(found == expected, "traps change the numbers");
  });
}
