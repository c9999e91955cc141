# Learners for Crossfold in R: one file of base R (4.0 or later). Copy it next to the program that
# sources it; docs/languages.md describes the folder around them and the messages.
#
#   source("crossfold_learner.R")
#   crossfold_learner(
#     fit = function(x, y, cp) rpart::rpart(y ~ ., data.frame(x, y = y), cp = cp),
#     predict = function(model, x) predict(model, x, type = "class"),
#     proba = function(model, x) predict(model, x, type = "prob"),
#     packages = "rpart"
#   )

# Ends a call of the learner with a status of the protocol, such as "invalid_param" or
# "not_converged". An error of stop() has the status "unsupported_data".
crossfold_error <- function(status, message) {
  stop(structure(class = c("crossfold_error", "error", "condition"),
                 list(message = message, call = NULL, status = status)))
}

# crossfold_learner(fit, predict, proba, importance, packages, environment) serves the learner until
# Crossfold closes standard input, which the functions must not read. What they print goes to the
# standard error; messages and warnings become log lines.
#
# fit(x, y, ...) returns a model, any value that serialize() can save. `x` is a data.frame with one
#   column for each feature: double, integer, logical, or factor (ordered or not) with all levels of the
#   dataset; missing entries are NA. `y` is a factor with all classes of the dataset, or double. The
#   parameters of crossfold.json are further arguments. If fit has arguments of these names, it
#   also gets
#     weights     one double for each row, or NULL
#     validation  list(x, y, weights) of rows for early stopping, or NULL
#     context     list(seed, threads, log, progress): set.seed(seed) has been called; log(level, message)
#                 with a level of "debug", "info", "warn", "error"; progress(share) with 0 to 1
# predict(model, x) returns the classes as a factor or as strings, or the numbers of a regression.
# proba(model, x) returns the probabilities: a matrix or data.frame with the classes as column names (a
#   class that is left out has 0), or for two classes a vector with those of the second class.
# importance(model) returns one number for each feature, in their order or with their names.
# packages are attached first; that their versions change the results is part of a cell's key.
# environment: more of that kind, as named strings.
#
# If only `proba` is given, the class with the largest probability is predicted.
crossfold_learner <- local({
  # ---- JSON ------------------------------------------------------------------------------------

  json_token <- '"(?:[^"\\\\]++|\\\\.)*+"|[][{}]|[-+.0-9eE]+|true|false|null'
  json_escapes <- c('\\"' = '"', "\\\\" = "\\", "\\/" = "/", "\\b" = "\b", "\\f" = "\f",
                    "\\n" = "\n", "\\r" = "\r", "\\t" = "\t")

  # The character of one escape, such as "\\n" or a surrogate pair "\\ud83d\\ude00".
  unescaped <- function(escape) {
    if (nchar(escape) == 2L) return(json_escapes[[escape]])
    units <- strtoi(substring(escape, seq(3L, nchar(escape), 6L), seq(6L, nchar(escape), 6L)), 16L)
    if (length(units) == 2L) {
      units <- 0x10000 + (units[[1L]] - 0xD800) * 0x400 + units[[2L]] - 0xDC00
    }
    intToUtf8(units)
  }

  # The strings of the tokens "...", without their quotes.
  json_strings <- function(tokens) {
    strings <- substr(tokens, 2L, nchar(tokens) - 1L)
    escaped <- grep("\\", strings, fixed = TRUE)
    if (length(escaped) > 0L) {
      pattern <- "\\\\u[dD][89abAB]..\\\\u[dD][c-fC-F]..|\\\\u....|\\\\."
      found <- gregexpr(pattern, strings[escaped], perl = TRUE)
      regmatches(strings[escaped], found) <-
        lapply(regmatches(strings[escaped], found), vapply, unescaped, "", USE.NAMES = FALSE)
    }
    strings
  }

  # Objects become named lists, arrays of strings, numbers or booleans vectors, other arrays lists. The
  # text is valid JSON, so commas and colons say nothing more.
  parse_json <- function(text) {
    tokens <- regmatches(text, gregexpr(json_token, text, perl = TRUE))[[1L]]
    is_string <- startsWith(tokens, '"')
    strings <- tokens
    strings[is_string] <- json_strings(tokens[is_string])
    numbers <- rep(NA_real_, length(tokens))
    is_number <- grepl("^[-0-9]", tokens)
    numbers[is_number] <- as.double(tokens[is_number])
    brackets <- which(tokens %in% c("{", "}", "[", "]"))
    at <- 0L

    # The entries between `at` and `end` as a vector; NULL if they have different types.
    vector_until <- function(end) {
      entries <- seq_len(end - at - 1L) + at
      if (length(entries) == 0L) return(logical())
      if (all(is_string[entries])) return(strings[entries])
      if (!anyNA(numbers[entries])) return(numbers[entries])
      if (all(tokens[entries] %in% c("true", "false"))) tokens[entries] == "true"
    }
    array <- function() {
      end <- brackets[[findInterval(at, brackets) + 1L]]
      entries <- if (tokens[[end]] == "]") vector_until(end)
      if (is.null(entries)) return(values_until("]"))
      at <<- end
      entries
    }
    values_until <- function(end, has_keys = FALSE) {
      keys <- character()
      values <- list()
      while (tokens[[at + 1L]] != end) {
        if (has_keys) {
          at <<- at + 1L
          keys[[length(keys) + 1L]] <- strings[[at]]
        }
        values[length(values) + 1L] <- list(value())
      }
      at <<- at + 1L
      if (has_keys) names(values) <- keys
      values
    }
    value <- function() {
      at <<- at + 1L
      if (is_string[[at]]) return(strings[[at]])
      if (!is.na(numbers[[at]])) return(numbers[[at]])
      switch(tokens[[at]], "{" = values_until("}", TRUE), "[" = array(), "true" = TRUE,
             "false" = FALSE)
    }
    value()
  }

  json_string <- function(text) {
    text <- iconv(enc2utf8(text), "UTF-8", "UTF-8", sub = "byte")
    text <- gsub('(["\\\\])', "\\\\\\1", text)
    for (escape in c("\\n", "\\r", "\\t")) {
      text <- gsub(json_escapes[[escape]], escape, text, fixed = TRUE)
    }
    paste0('"', gsub("[\x01-\x1f]", " ", text), '"')
  }

  # Of a string, a number, or a named list or vector of these.
  write_json <- function(value) {
    if (!is.null(names(value)) || length(value) == 0L) {
      members <- vapply(names(value), function(key) {
        paste0(json_string(key), ":", write_json(value[[key]]))
      }, "")
      return(paste0("{", paste(members, collapse = ","), "}"))
    }
    if (is.character(value)) json_string(value) else sprintf("%.17g", value)
  }

  # ---- Messages --------------------------------------------------------------------------------

  # The message and its `blob`; NULL at the end of the input.
  receive <- function(input) {
    n <- readBin(input, "integer", 1L, size = 4L, endian = "little")
    if (length(n) == 0L) return(NULL)
    text <- rawToChar(readBin(input, "raw", n))
    Encoding(text) <- "UTF-8"
    request <- parse_json(text)
    if (!is.null(request[["blob"]])) request[["blob"]] <- readBin(input, "raw", request[["blob"]])
    request
  }

  # A cancel waits until the message is complete.
  send <- function(output, message, blob = raw()) {
    bytes <- charToRaw(enc2utf8(write_json(message)))
    suspendInterrupts({
      writeBin(c(writeBin(length(bytes), raw(), endian = "little"), bytes, blob), output)
      flush(output)
    })
  }

  # ---- Memory files ----------------------------------------------------------------------------

  read_numbers <- function(file, at, what, n, size = NA_integer_) {
    seek(file, at, rw = "read")
    readBin(file, what, n, size, endian = "little")
  }

  read_buffer <- function(file, buffer, what) {
    if (is.null(buffer)) return(NULL)
    read_numbers(file, buffer[["at"]], what, buffer[["n"]])
  }

  write_buffer <- function(file, buffer, numbers) {
    seek(file, buffer[["at"]], rw = "write")
    writeBin(numbers, file, endian = "little")
  }

  # The entries, with anything where one is missing.
  read_entries <- function(file, column, n) {
    at <- column[["at"]]
    switch(column[["type"]],
      f64 = read_numbers(file, at, "double", n),
      f32 = read_numbers(file, at, "double", n, 4L),
      i32 = read_numbers(file, at, "integer", n),
      i64 = {
        halves <- matrix(read_numbers(file, at, "integer", 2 * n), nrow = 2L)
        ifelse(is.na(halves[2L, ]), -2^31, halves[2L, ]) * 2^32 +
          ifelse(is.na(halves[1L, ]), 2^31, halves[1L, ] %% 2^32)
      },
      bool = read_numbers(file, at, "integer", n, 1L) != 0L,
      category = read_numbers(file, at, "integer", n) + 1L,
      stop("cannot read column '", column[["name"]], "': unknown type '", column[["type"]], "'")
    )
  }

  read_column <- function(file, column, n) {
    entries <- read_entries(file, column, n)
    present <- rep(TRUE, n)
    if (!is.null(column[["validity"]])) {
      bits <- rawToBits(read_numbers(file, column[["validity"]], "raw", ceiling(n / 8)))
      present <- bits[seq_len(n)] == 1L
    }
    # The smallest int32 is NA in R.
    if (column[["type"]] == "i32" && anyNA(entries[present])) {
      entries <- ifelse(is.na(entries), -2^31, entries)
    }
    entries[!present] <- NA
    if (column[["type"]] != "category") return(entries)
    entries[entries == 0L] <- NA
    is_ordered <- isTRUE(column[["ordered"]])
    structure(entries, levels = as.character(column[["levels"]]),
              class = c(if (is_ordered) "ordered", "factor"))
  }

  read_table <- function(description) {
    n <- description[["rows"]]
    file <- file(description[["path"]], "rb", raw = TRUE)
    on.exit(close(file))
    columns <- lapply(description[["columns"]], function(column) read_column(file, column, n))
    names(columns) <- vapply(description[["columns"]], `[[`, "", "name")
    list(n = n, columns = columns)
  }

  # The rows (from 0, NULL = all) as a data.frame. Repeated rows get no names of their own.
  rows_of <- function(table, rows) {
    columns <- table$columns
    n <- table$n
    if (!is.null(rows)) {
      columns <- lapply(columns, `[`, rows + 1L)
      n <- length(rows)
    }
    structure(columns, names = as.character(names(columns)), row.names = .set_row_names(n),
              class = "data.frame")
  }

  # ---- Requests --------------------------------------------------------------------------------

  # A table or model that an earlier request made.
  kept <- function(what, all, number) {
    found <- all[[as.character(number)]]
    if (is.null(found)) crossfold_error("internal", paste0("there is no ", what, " ", number))
    found
  }

  # The table of a request or of its validation rows, which is a number or a description.
  table_of <- function(server, table) {
    if (is.list(table)) read_table(table) else kept("table", server$tables, table)
  }

  model_of <- function(server, request) kept("model", server$models, request[["model"]])

  with_arena <- function(server, use) {
    if (is.null(server$arena)) return(use(NULL))
    arena <- file(server$arena, "r+b", raw = TRUE)
    on.exit(close(arena))
    use(arena)
  }

  # x, y and weights of rows to learn from.
  examples <- function(server, arena, request, classes) {
    x <- rows_of(table_of(server, request[["table"]]), read_buffer(arena, request[["rows"]], "integer"))
    target <- request[["target"]]
    y <- if (is.null(classes)) {
      read_buffer(arena, target, "double")
    } else {
      structure(read_buffer(arena, target, "integer") + 1L, levels = classes, class = "factor")
    }
    list(x = x, y = y, weights = read_buffer(arena, request[["weights"]], "double"))
  }

  # The classes of a request that has a task; NULL = regression.
  classes_of <- function(request) {
    if (request[["task"]] != "regression") as.character(request[["classes"]])
  }

  statuses <- c("invalid_param", "unsupported_data", "not_converged", "numeric", "out_of_memory",
                "cancelled", "bad_blob", "unsupported", "internal")

  log_line <- function(server, level, message) {
    send(server$output, list(log = level, message = message))
  }

  # What the functions of a context write to. They do not hold it themselves, because a model that keeps
  # the environment of its fit is saved with all that it reaches.
  current <- NULL

  context_log <- function(level, message) {
    log_line(current, match.arg(level, c("debug", "info", "warn", "error")), message)
  }

  context_progress <- function(share) {
    if (is.finite(share)) send(current$output, list(progress = as.double(share)))
  }

  context_of <- function(server, request) {
    current <<- server
    log <- function(level, message) environment(crossfold_learner)$context_log(level, message)
    progress <- function(share) environment(crossfold_learner)$context_progress(share)
    environment(log) <- environment(progress) <- globalenv()
    list(seed = request[["seed"]], threads = request[["threads"]], log = log, progress = progress)
  }

  # The message of a condition, after the call that raised it.
  described <- function(condition) {
    call <- conditionCall(condition)
    said <- conditionMessage(condition)
    if (is.null(call)) return(said)
    lines <- deparse(call, width.cutoff = 60L, nlines = 2L)
    is_long <- length(lines) > 1L || nchar(lines[[1L]]) > 60L
    paste0(substr(lines[[1L]], 1L, 60L), if (is_long) " ...", ": ", said)
  }

  # Calls a function of the learner with named arguments. The call has names instead of values, so that
  # errors, and models that keep their call, are small.
  call_learner <- function(server, name, arguments) {
    functions <- list2env(server$learner[name], parent = globalenv())
    values <- list2env(arguments, parent = functions)
    call <- as.call(lapply(c(name, structure(names(arguments), names = names(arguments))), as.name))
    before <- options()  # later calls do not see what this one sets
    on.exit({
      options(before)
      added <- setdiff(names(options()), names(before))
      options(structure(vector("list", length(added)), names = added))
    })
    withCallingHandlers(
      allowInterrupts(eval(call, values)),
      warning = function(w) {
        log_line(server, "warn", described(w))
        tryInvokeRestart("muffleWarning")
      },
      message = function(m) {
        log_line(server, "info", sub("\n$", "", conditionMessage(m)))
        tryInvokeRestart("muffleMessage")
      }
    )
  }

  # The arguments of `fit`.
  fit_arguments <- function(server, request, data, validation) {
    known <- names(formals(server$learner$fit))
    extra <- list(weights = data$weights, validation = validation,
                  context = context_of(server, request))
    params <- as.list(request[["params"]])
    clash <- intersect(names(params), c("x", "y", names(extra)))
    unknown <- if (!"..." %in% known) setdiff(names(params), known)
    if (length(clash) > 0L) {
      crossfold_error("invalid_param", paste0("fit has another argument '", clash[[1L]],
                                              "': rename the parameter"))
    }
    if (length(unknown) > 0L) {
      crossfold_error("invalid_param", paste0("fit has no argument '", unknown[[1L]], "'"))
    }
    if (!is.null(data$weights) && !"weights" %in% known) {
      crossfold_error("unsupported_data", "there are weights, but fit has no argument 'weights'")
    }
    c(data[c("x", "y")], params, extra[intersect(names(extra), known)])
  }

  seed_kinds <- c("Mersenne-Twister", "Inversion", "Rejection")

  fit_model <- function(server, request) {
    classes <- classes_of(request)
    with_arena(server, function(arena) {
      data <- examples(server, arena, request, classes)
      validation <- request[["validation"]]
      if (!is.null(validation)) validation <- examples(server, arena, validation, classes)
      arguments <- fit_arguments(server, request, data, validation)
      options(mc.cores = request[["threads"]])
      do.call(set.seed, c(request[["seed"]], as.list(seed_kinds)))
      fitted <- call_learner(server, "fit", arguments)
      model <- list(fitted = fitted, classes = classes, features = names(data$x),
                    random = get(".Random.seed", globalenv()))
      server$models[[as.character(request[["model"]])]] <- model
    })
    list()
  }

  # Calls predict, proba or importance, which draw the numbers that follow those of the fit.
  ask <- function(server, name, model, ...) {
    if (is.null(server$learner[[name]])) {
      crossfold_error("unsupported", paste0("the learner has no function '", name, "'"))
    }
    assign(".Random.seed", model$random, globalenv())
    call_learner(server, name, list(model = model$fitted, ...))
  }

  check_length <- function(name, n_found, n) {
    if (n_found == n) return(invisible())
    crossfold_error("internal", paste0(name, " returned ", n_found, " entries, not ", n))
  }

  # Class numbers, from 0, of classes as a factor or a vector.
  class_numbers <- function(labels, classes, n) {
    if (is.matrix(labels) || is.array(labels)) labels <- as.vector(labels)
    check_length("predict", length(labels), n)
    numbers <- match(as.character(labels), classes)
    if (anyNA(numbers)) {
      row <- which(is.na(numbers))[[1L]]
      crossfold_error("numeric", paste0("predict returned '", as.character(labels[[row]]),
                                        "' for row ", row, ", which is not a class"))
    }
    numbers - 1L
  }

  # A matrix of rows x all classes.
  all_probabilities <- function(found, classes, n) {
    if (is.data.frame(found)) found <- as.matrix(found)
    if (NCOL(found) == 1L && length(classes) == 2L && is.null(colnames(found))) {
      found <- as.vector(found)
      found <- matrix(c(1 - found, found), ncol = 2L)
    }
    check_length("proba", NROW(found), n)
    if (is.null(colnames(found))) {
      check_length("proba", NCOL(found), length(classes))
      colnames(found) <- classes
    }
    at <- match(colnames(found), classes)
    if (anyNA(at)) {
      crossfold_error("internal", paste0("proba returned a column '", colnames(found)[is.na(at)][[1L]],
                                         "', which is not a class"))
    }
    all <- matrix(0, n, length(classes))
    all[, at] <- found
    if (anyNA(all)) {
      crossfold_error("numeric", paste("proba returned NA for row", which(is.na(rowSums(all)))[[1L]]))
    }
    all
  }

  predicted_values <- function(found, n) {
    found <- as.double(found)
    check_length("predict", length(found), n)
    if (anyNA(found)) {
      crossfold_error("numeric", paste("predict returned NA for row", which(is.na(found))[[1L]]))
    }
    found
  }

  predict_rows <- function(server, request) {
    model <- model_of(server, request)
    classes <- model$classes
    with_arena(server, function(arena) {
      x <- rows_of(table_of(server, request[["table"]]),
                   read_buffer(arena, request[["rows"]], "integer"))
      n <- nrow(x)
      if (n == 0L) return(list())
      write <- function(name, numbers) {
        if (!is.null(request[[name]])) write_buffer(arena, request[[name]], numbers)
      }
      if (is.null(classes)) {
        write("values", predicted_values(ask(server, "predict", model, x = x), n))
        return(list())
      }
      predicts <- !is.null(server$learner$predict)
      if (!predicts || !is.null(request[["probabilities"]])) {
        probabilities <- all_probabilities(ask(server, "proba", model, x = x), classes, n)
        write("probabilities", as.vector(t(probabilities)))
        if (!predicts) write("labels", max.col(probabilities, "first") - 1L)
      }
      if (predicts && !is.null(request[["labels"]])) {
        write("labels", class_numbers(ask(server, "predict", model, x = x), classes, n))
      }
      list()
    })
  }

  write_importance <- function(server, request) {
    model <- model_of(server, request)
    found <- ask(server, "importance", model)
    if (!is.null(names(found))) {
      found <- found[model$features]
      found[is.na(found)] <- 0
    }
    check_length("importance", length(found), length(model$features))
    with_arena(server, function(arena) {
      write_buffer(arena, request[["importance"]], as.double(found))
    })
    list()
  }

  # ---- Saved models ----------------------------------------------------------------------------

  blob_mark <- charToRaw("crossfold R model 1\n")

  # MD5, which base R computes of files only, as 32 digits.
  check_sum <- function(bytes) {
    path <- tempfile()
    on.exit(unlink(path))
    writeBin(bytes, path)
    charToRaw(unname(tools::md5sum(path)))
  }

  # Version 2 has the same bytes for 1:3 and c(1L, 2L, 3L).
  save_model <- function(server, request) {
    model <- model_of(server, request)
    bytes <- serialize(model, NULL, version = 2L)
    blob <- c(blob_mark, check_sum(bytes), bytes)
    structure(list(blob = length(blob)), bytes = blob)
  }

  refuse_blob <- function(finding) crossfold_error("bad_blob", finding)

  load_model <- function(server, request) {
    blob <- request[["blob"]]
    head <- length(blob_mark)
    if (length(blob) <= head + 32L || !identical(blob[seq_len(head)], blob_mark)) {
      refuse_blob("the bytes are not a model of R")
    }
    bytes <- blob[-seq_len(head + 32L)]
    if (!identical(check_sum(bytes), blob[head + 1:32])) {
      refuse_blob("the bytes of the model are damaged")
    }
    model <- tryCatch(unserialize(bytes), error = function(e) refuse_blob(conditionMessage(e)))
    if (!identical(model$classes, classes_of(request)) || !setequal(model$features, request[["columns"]])) {
      refuse_blob("the model has other classes or features")
    }
    server$models[[as.character(request[["model"]])]] <- model
    list()
  }

  # ---- The server ------------------------------------------------------------------------------

  hello <- function(server, request) {
    if (request[["protocol"]] != 1) {
      crossfold_error("unsupported", "the module crossfold_learner.R only knows protocol 1")
    }
    for (package in server$learner$packages) {
      tryCatch(suppressPackageStartupMessages(library(package, character.only = TRUE)),
               error = function(e) {
                 crossfold_error("unsupported", paste0(conditionMessage(e), "; in R, install.packages(\"",
                                                       package, "\") installs packages"))
               })
    }
    versions <- vapply(server$learner$packages, function(p) as.character(utils::packageVersion(p)), "")
    list(protocol = 1,
         environment = as.list(c(R = as.character(getRversion()),
                                 blas = basename(extSoftVersion()[["BLAS"]]), versions,
                                 server$learner$environment)))
  }

  keep_table <- function(server, request) {
    server$tables[[as.character(request[["table"]])]] <- read_table(request)
    list()
  }

  operations <- list(hello = hello, table = keep_table, fit = fit_model, predict = predict_rows,
                     importance = write_importance, save = save_model, load = load_model)

  # Some of them may not be there, as a fit that was cancelled leaves no model.
  forget <- function(numbers, all) rm(list = intersect(as.character(numbers), ls(all)), envir = all)

  answer <- function(server, request) {
    dropped <- request[["drop"]]
    forget(dropped[["tables"]], server$tables)
    forget(dropped[["models"]], server$models)
    if (!is.null(request[["arena"]])) server$arena <- request[["arena"]][["path"]]
    operation <- operations[[request[["op"]]]]
    if (is.null(operation)) {
      crossfold_error("unsupported", paste0("the module crossfold_learner.R does not know the request '",
                                            request[["op"]], "'"))
    }
    operation(server, request)
  }

  status_of <- function(error) {
    said <- conditionMessage(error)
    if (inherits(error, "crossfold_error")) {
      return(if (isTRUE(error$status %in% statuses)) error$status else "internal")
    }
    if (startsWith(said, "cannot allocate")) return("out_of_memory")
    "unsupported_data"
  }

  # A cancel that came after the reply to its request is forgotten.
  forget_cancel <- function() tryCatch(allowInterrupts(Sys.sleep(0)), interrupt = function(i) NULL)

  serve <- function(server) {
    repeat {
      request <- receive(server$input)
      if (is.null(request)) break
      forget_cancel()
      reply <- tryCatch(
        answer(server, request),
        interrupt = function(i) list(error = "cancelled", message = "cancelled"),
        error = function(e) list(error = status_of(e), message = described(e))
      )
      send(server$output, c(reply), attr(reply, "bytes"))
    }
  }

  # Names and levels are UTF-8 and sorted by bytes; messages are in English.
  use_plain_locale <- function() {
    for (name in c("C.UTF-8", "en_US.UTF-8")) {
      if (nzchar(suppressWarnings(Sys.setlocale("LC_CTYPE", name)))) break
    }
    Sys.setlocale("LC_COLLATE", "C")
    Sys.setenv(LANGUAGE = "en")
  }

  function(fit, predict = NULL, proba = NULL, importance = NULL, packages = character(),
           environment = character()) {
    use_plain_locale()
    server <- new.env()
    server$learner <- list(fit = fit, predict = predict, proba = proba, importance = importance,
                           packages = packages, environment = environment)
    server$tables <- new.env()
    server$models <- new.env()
    server$input <- file("stdin", "rb")
    server$output <- file("/dev/fd/3", "wb", raw = TRUE)
    suspendInterrupts(serve(server))
  }
})
