// What a new plugin project calls its things, from the name that its author typed.
#pragma once

#include <string>

namespace crossfold::cli {

struct ProjectNames {
  std::string title;      // as typed, without spaces around it: for people, and for string literals
  std::string file;       // [a-z0-9_]+: source file, library, CMake target, Lua module
  std::string type_name;  // [A-Za-z][A-Za-z0-9]*: the C++ struct
  std::string id;         // "org.example.k_nearest"
};

// Letters with accents lose them, words are joined by '_' (file) or capitals (type_name). A name
// that CMake, Lua or the SDK use for something else gets the kind as a suffix: "test" becomes
// "test_learner". A name such as "org.acme.knn" (three parts and more) is an id; other names get
// "org.example.". `kind` is "learner", "transform", "splitter" or "metric"; `id` is "" or the id
// that was asked for. Throws Error where nothing usable would come out.
ProjectNames MakeProjectNames(const std::string& name, const std::string& kind,
                              const std::string& id);

}  // namespace crossfold::cli
