#include "programs/cli/catalog_command.h"

#include <vector>

#include "programs/cli/command.h"
#include "programs/cli/lua_text.h"
#include "programs/cli/script_command.h"

namespace crossfold::cli {

struct CatalogCommand::Impl {
  explicit Impl(Command& command) : catalog(command) {}

  Command& Add(const char* name, const char* what) {
    Command& made = catalog.AddCommand(name, what);
    made.AddOption("--catalog", path, "File of the catalog; default crossfold.catalog").FilePath();
    return made;
  }
  // A command that prints rows.
  Command& AddRows(const char* name, const char* what) {
    Command& made = Add(name, what);
    Option& as_json = made.AddFlag("--json", json, "As JSON");
    made.AddFlag("--csv", csv, "As CSV").Excludes(as_json);
    return made;
  }

  void DeclareStores() {
    Command& add = AddRows("add", "Add stores, or read those of the catalog again");
    add.AddOption("stores", stores, "Stores or archives; default those of the catalog");
    add.AddOption("--who", who, "Who ran the experiments; default as before, or the file's owner");
    Command& remove = Add("remove", "Remove what the catalog has of a store");
    remove.AddOption("stores", stores, "Stores, which may be gone").Required();
    AddRows("list", "List the stores, and which of them have changed or are gone");
  }

  void DeclareSearch() {
    Command& best = AddRows("best", "Rank the scores of each dataset and metric");
    best.AddOption("--dataset", dataset, "Only this one: its name, or the beginning of its hash");
    best.AddOption("--metric", metric, "Only this one, as in accuracy");
    Command& find = AddRows("find", "Find where a dataset, plugin, script or cell was used");
    find.AddOption("hash", hash, "The first 4 or more digits of its SHA-256").Required();
    Command& query = AddRows("query", "Print the rows of a SELECT of SQLite");
    query.AddOption("sql", sql, "The statement; docs/catalog.md describes the tables").Required();
    Command& agree = AddRows("agree", "Compare the cells that several stores have");
    agree.AddFlag("--inner", inner, "Compare the inner cells of searches, too");
    Command& page = Add("page", "Write a leaderboard as HTML");
    page.AddOption("-o,--output", output, "Write to this file").Required().FilePath();
    page.AddOption("--title", title, "Title of the page; default the name of the catalog");
  }

  Command& catalog;
  std::string path = "crossfold.catalog";
  std::vector<std::string> stores;
  std::string who, dataset, metric, hash, sql, output, title;
  bool json = false, csv = false, inner = false;
};

CatalogCommand::CatalogCommand(Command& catalog) : impl_(std::make_unique<Impl>(catalog)) {
  catalog.RequireCommand();
  impl_->DeclareStores();
  impl_->DeclareSearch();
}

CatalogCommand::~CatalogCommand() = default;

bool CatalogCommand::was_given() const { return impl_->catalog.was_given(); }

void CatalogCommand::MakeScript(ScriptOptions& run) const {
  const Impl& options = *impl_;
  LuaTable fields;
  fields.AddString("action", options.catalog.given_command().name());
  fields.AddString("catalog", options.path);
  fields.AddString("form", options.json ? "json" : options.csv ? "csv" : "text");
  std::vector<std::string> stores;
  for (const std::string& store : options.stores) stores.push_back(LuaString(store));
  fields.Add("stores", LuaList(stores));
  fields.AddString("who", options.who);
  fields.AddString("dataset", options.dataset);
  fields.AddString("metric", options.metric);
  fields.AddString("hash", options.hash);
  fields.AddString("sql", options.sql);
  fields.Add("inner", options.inner ? "true" : "false");
  fields.AddString("output", options.output);
  fields.AddString("title", options.title);
  run.made_by = "catalog";
  run.interrupted =
      "interrupted; the catalog keeps the stores that were added; to run it again: " + run.command;
  run.text = "return require(\"crossfold.catalog.command\").run " + fields.text() + "\n";
}

}  // namespace crossfold::cli
