struct Unlisted {
  static constexpr Info kInfo{.component = {.id = "crossfold.unlisted"}};
};

CROSSFOLD_PLUGIN("crossfold.unlisted", "1.0.0", "The Crossfold Authors", "MIT", Unlisted)
