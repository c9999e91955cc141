#include "programs/plugin/new_project.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <system_error>

#include "crossfold/error.h"
#include "crossfold/version.h"
#include "crossfold/whole_file.h"

namespace crossfold::cli {
namespace {

using Placeholders = std::map<std::string, std::string, std::less<>>;

[[noreturn]] void RefuseProject(const std::string& subject, const std::string& finding,
                                const std::string& way_out) {
  throw Error(ErrorKind::kInvalidArgument,
              "cannot make project '" + subject + "': " + finding + "; " + way_out);
}

// Whether `list`, words with '+' between them, has the word or is "any".
bool Names(std::string_view list, std::string_view word) {
  if (list == "any") return true;
  while (!list.empty()) {
    const std::size_t plus = std::min(list.find('+'), list.size());
    if (list.substr(0, plus) == word) return true;
    list.remove_prefix(std::min(plus + 1, list.size()));
  }
  return false;
}

// These strings go into string literals and comments of all languages.
void CheckText(const NewProject& project, const std::string& option, const std::string& text) {
  const bool is_clean = std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '"' || c == '\\';
  });
  if (text.empty()) RefuseProject(project.names.title, option + " is empty", "give it a value");
  if (!is_clean) {
    RefuseProject(project.names.title, option + " has a quote, a backslash or a control character",
                  "leave it out");
  }
}

void CheckLicense(const NewProject& project) {
  CheckText(project, "--license", project.license);
  const bool is_spdx = std::all_of(project.license.begin(), project.license.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(".-+ ():").find(c) != std::string_view::npos;
  });
  if (!is_spdx) {
    RefuseProject(project.names.title, "'" + project.license + "' is not an SPDX expression",
                  "use one of https://spdx.org/licenses, as in --license MIT");
  }
}

// What the script of the tests begins with.
std::string LoadingLines(const NewProject& project) {
  if (project.language != "lua") {
    return "local made = cf." + project.kind + "(\"" + project.names.id + "\")";
  }
  return "package.path = (arg[0]:match(\"^(.*)/\") or \".\") .. \"/../?.lua;\" .. package.path\n"
         "local made = require \"" +
         project.names.file + "\"";
}

// What the tests of the project need, as packages of Debian.
std::string TestPackages(const std::string& language) {
  static const std::map<std::string, std::string> kPackages = {
      {"python", "python3-numpy"}, {"r", "r-base-core"}, {"rust", "gcc libc6-dev rustc"}};
  const auto packages = kPackages.find(language);
  return packages == kPackages.end() ? "g++" : packages->second;
}

Placeholders MakePlaceholders(const NewProject& project) {
  Placeholders values;
  values["NAME"] = project.names.title;
  values["FILE"] = project.names.file;
  values["STRUCT"] = project.names.type_name;
  values["ID"] = project.names.id;
  values["KIND"] = project.kind;
  values["VENDOR"] = project.vendor;
  values["LICENSE"] = project.license;
  values["LOAD"] = LoadingLines(project);
  values["COMPILER"] = TestPackages(project.language);
  const std::string version(Version());
  values["CROSSFOLD"] = version.substr(0, version.rfind('.'));
  return values;
}

// `text` with every @NAME@ of the placeholders filled in, in one pass.
std::string Filled(std::string_view text, const Placeholders& values) {
  std::string filled;
  while (!text.empty()) {
    const std::size_t at = std::min(text.find('@'), text.size());
    filled += text.substr(0, at);
    text.remove_prefix(at);
    if (text.empty()) break;
    const std::size_t end = text.find('@', 1);
    const auto found = values.find(text.substr(1, end == std::string_view::npos ? 0 : end - 1));
    if (found != values.end())
      filled += found->second;
    else
      filled += '@';
    text.remove_prefix(found != values.end() ? end + 1 : 1);
  }
  return filled;
}

// A path in the project: placeholders filled in, "dot_x" as ".x".
std::filesystem::path PathOf(std::string_view path, const Placeholders& values) {
  std::filesystem::path made;
  for (const std::filesystem::path& part : std::filesystem::path(Filled(path, values))) {
    const std::string name = part.string();
    made /= name.starts_with("dot_") ? "." + name.substr(4) : name;
  }
  return made;
}

// Every kind has templates in the other languages.
void CheckLanguage(const NewProject& project) {
  static const std::map<std::string, std::string> kOfLearners = {
      {"python", "Python"}, {"r", "R"}, {"rust", "Rust"}};
  const auto language = kOfLearners.find(project.language);
  if (language == kOfLearners.end() || project.kind == "learner") return;
  RefuseProject(project.names.title,
                "there is no template for a " + project.kind + " in " + language->second,
                "use --kind learner, or --lang c++, c or lua");
}

bool IsChosen(const ProjectTemplate& file, const NewProject& project) {
  if (!Names(file.kinds, project.kind) || !Names(file.languages, project.language)) return false;
  if (file.path == "LICENSE.mit") return project.license == "MIT";
  if (file.path == "LICENSE.other") return project.license != "MIT";
  return true;
}

}  // namespace

std::vector<ProjectFile> MakeProjectFiles(const NewProject& project) {
  CheckText(project, "--vendor", project.vendor);
  CheckLicense(project);
  CheckLanguage(project);
  const Placeholders values = MakePlaceholders(project);
  std::vector<ProjectFile> files;
  for (const ProjectTemplate& file : ProjectTemplates()) {
    if (!IsChosen(file, project)) continue;
    const bool is_license = file.path.starts_with("LICENSE.");
    files.push_back(
        {PathOf(is_license ? "LICENSE" : file.path, values), Filled(file.text, values)});
  }
  std::sort(files.begin(), files.end(),
            [](const ProjectFile& a, const ProjectFile& b) { return a.path < b.path; });
  return files;
}

void WriteProject(const std::vector<ProjectFile>& files, const std::filesystem::path& folder) {
  std::error_code error;
  if (std::filesystem::exists(folder, error)) {
    const bool is_folder = std::filesystem::is_directory(folder, error);
    if (!is_folder || !std::filesystem::is_empty(folder, error) || error) {
      RefuseProject(folder.string(), is_folder ? "the folder has files in it" : "it is a file",
                    "name a folder that does not exist yet with --output");
    }
  }
  for (const ProjectFile& file : files) {
    const std::filesystem::path path = folder / file.path;
    std::filesystem::create_directories(path.parent_path(), error);
    WriteWholeFile(path, file.text);
  }
}

}  // namespace crossfold::cli
