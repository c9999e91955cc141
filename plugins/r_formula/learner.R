# Serves functions of R that are named by a parameter. See README.md.
source("crossfold_learner.R")

# What is known of functions: their interface, the `type` of predict() for classes, probabilities and numbers
# (NA = none), and arguments that are better than the defaults here.
known_function <- function(interface, labels = NA, probabilities = NA, values = NA, settings = list()) {
  list(interface = interface, labels = labels, probabilities = probabilities, values = values,
       settings = settings)
}
quiet <- list(trace = FALSE)
known_functions <- list(
  "rpart::rpart" = known_function("formula", "class", "prob"),
  "nnet::nnet" = known_function("formula", "class", "raw", settings = quiet),
  "nnet::multinom" = known_function("formula", "class", "probs", settings = quiet),
  "randomForest::randomForest" = known_function("formula", "response", "prob"),
  "e1071::svm" = known_function("formula"),
  "e1071::naiveBayes" = known_function("formula", "class", "raw"),
  "glmnet::glmnet" = known_function("xy", "class", "response", "response"),
  "glmnet::cv.glmnet" = known_function("xy", "class", "response", "response"),
  "MASS::lda" = known_function("formula"),
  "MASS::qda" = known_function("formula"),
  "stats::lm" = known_function("formula"),
  "stats::glm" = known_function("formula", "response", "response", "response")
)
has_family <- c("stats::glm", "glmnet::glmnet", "glmnet::cv.glmnet")

# Whether a package is installed, without loading it.
is_installed <- function(package) nzchar(system.file(package = package))
package_of <- function(fun) strsplit(fun, "::", fixed = TRUE)[[1L]][[1L]]

# The function with its name, after its package has been loaded.
find_function <- function(fun, package_version) {
  parts <- strsplit(fun, "::", fixed = TRUE)[[1L]]
  if (length(parts) != 2L) {
    crossfold_error("invalid_param", paste0("fun is '", fun, "'; write it as 'package::function'"))
  }
  package <- parts[[1L]]
  if (!is_installed(package)) {
    crossfold_error("invalid_param", paste0("fun is '", fun, "', but the package '", package, "' is not installed; ",
                                            "in R, install.packages(\"", package, "\") installs it"))
  }
  version <- as.character(utils::packageVersion(package))
  if (!is.null(package_version) && version != package_version) {
    crossfold_error("invalid_param", paste0("package_version is '", package_version, "', but version ", version,
                                            " of the package '", package, "' is installed"))
  }
  if (!parts[[2L]] %in% getNamespaceExports(package)) {
    crossfold_error("invalid_param", paste0("fun is '", fun, "', but the package '", package,
                                            "' has no such function"))
  }
  getExportedValue(package, parts[[2L]])
}

# The names of the arguments of a function and of its methods for formulas and matrices.
arguments_of <- function(fun) {
  name <- sub(".*::", "", fun)
  methods <- lapply(c("formula", "default"), function(class) {
    utils::getS3method(name, class, optional = TRUE, envir = asNamespace(package_of(fun)))
  })
  unlist(lapply(c(getExportedValue(package_of(fun), name), methods), function(f) names(formals(f))))
}

family_of <- function(y) {
  if (!is.factor(y)) return("gaussian")
  if (nlevels(y) == 2L) "binomial" else "multinomial"
}

# Refuses data and parameters that the function would misunderstand.
check_request <- function(fun, y, weights, predict_settings) {
  if (fun == "stats::glm" && is.factor(y) && nlevels(y) > 2L) {
    crossfold_error("unsupported_data", "stats::glm takes two classes at most; nnet::multinom takes more")
  }
  if (fun == "stats::lm" && is.factor(y)) {
    crossfold_error("unsupported_data", "stats::lm predicts numbers, not classes; use stats::glm or MASS::lda")
  }
  if (fun == "glmnet::glmnet" && is.null(predict_settings[["s"]])) {
    crossfold_error("invalid_param", paste("glmnet::glmnet fits many penalties; predict_settings = { s = 0.01 }",
                                           "chooses the one that predicts"))
  }
  if (!is.null(weights) && !"weights" %in% arguments_of(fun)) {
    crossfold_error("unsupported_data", paste(fun, "takes no weights"))
  }
}

# The arguments of the function next to the data.
settings_of <- function(fun, known, settings, y) {
  defaults <- known$settings
  if (fun == "e1071::svm" && is.factor(y)) defaults$probability <- TRUE
  if (fun %in% has_family) defaults$family <- family_of(y)
  utils::modifyList(defaults, settings, keep.null = TRUE)
}

# Names of features are not always names of R, which not every function can quote: they get other names.
renamed <- function(x) {
  names(x) <- make.names(names(x), unique = TRUE)
  x
}

# The right-hand side with the names of renamed().
right_hand_side <- function(formula, features) {
  parsed <- tryCatch(str2lang(formula), error = function(e) NULL)
  if (!is.call(parsed) || !identical(parsed[[1L]], as.name("~")) || length(parsed) != 2L) {
    crossfold_error("invalid_param", paste0("formula is '", formula, "', which is not a right-hand side; write it as ",
                                            "'~ a + b'"))
  }
  names <- lapply(make.names(features, unique = TRUE), as.name)
  names(names) <- features
  do.call(substitute, list(parsed[[2L]], names))
}

# A numeric matrix, with dummy variables for factors. Missing entries stay.
numeric_matrix <- function(x) {
  x[] <- lapply(x, function(column) if (is.logical(column)) as.double(column) else column)
  if (all(vapply(x, is.numeric, NA))) return(as.matrix(x))
  frame <- stats::model.frame(~ ., x, na.action = stats::na.pass)
  stats::model.matrix(~ ., frame)[, -1L, drop = FALSE]
}

# Calls the function with the values of `where` by their names: a model keeps its call, and thus not the
# data. The data are removed from `where`, which formulas of the model refer to.
call_by_names <- function(where, names) {
  call <- as.call(c(as.name(".fun"), lapply(names, as.name)))
  names(call) <- c("", sub("^[.]weights$", "weights", names))
  fitted <- eval(call, where)
  rm(list = intersect(c(".fun", "data", "x", "y", ".weights"), ls(where, all.names = TRUE)), envir = where)
  fitted
}

fit_formula <- function(fun, x, y, weights, formula, settings) {
  where <- list2env(settings, parent = globalenv())
  target <- "y"
  while (target %in% names(x)) target <- paste0(target, ".")
  where$.fun <- fun
  where$formula <- stats::as.formula(call("~", as.name(target), formula), env = where)
  where$data <- x
  where$data[[target]] <- y
  where$.weights <- weights
  call_by_names(where, c("formula", "data", names(settings), if (!is.null(weights)) ".weights"))
}

fit_matrix <- function(fun, x, y, weights, settings) {
  where <- list2env(settings, parent = globalenv())
  where$.fun <- fun
  where$x <- numeric_matrix(x)
  where$y <- y
  where$.weights <- weights
  call_by_names(where, c("x", "y", names(settings), if (!is.null(weights)) ".weights"))
}

fit <- function(x, y, weights, fun, settings, formula, interface, label_type, predict_type, predict_settings,
                package_version) {
  found <- find_function(fun, package_version)
  known <- known_functions[[fun]]
  if (is.null(known)) known <- known_function("formula")
  if (is.factor(y)) y <- droplevels(y)
  settings <- settings_of(fun, known, as.list(settings), y)
  check_request(fun, y, weights, predict_settings)
  model <- list(
    fun = fun, interface = if (interface == "auto") known$interface else interface,
    classes = levels(y), predict_settings = as.list(predict_settings),
    label_type = if (is.null(label_type)) known$labels else label_type,
    predict_type = if (!is.null(predict_type)) predict_type
                   else if (is.factor(y)) known$probabilities else known$values
  )
  # Functions need two classes.
  if (length(model$classes) == 1L) return(model)
  model$fitted <- if (model$interface == "xy") {
    fit_matrix(found, renamed(x), y, weights, settings)
  } else {
    fit_formula(found, renamed(x), y, weights, right_hand_side(formula, names(x)), settings)
  }
  model
}

# What predict() of the model returns. `type`: NA = without this argument.
predicted <- function(model, x, type, ...) {
  loadNamespace(package_of(model$fun))
  x <- renamed(x)
  if (model$interface == "xy") x <- numeric_matrix(x)
  more <- c(if (!is.na(type)) list(type = type), model$predict_settings, list(...))
  # Called by names, as errors quote the call.
  where <- list2env(more, parent = globalenv())
  where$model <- model$fitted
  where$newdata <- x
  call <- as.call(c(quote(stats::predict), quote(model), quote(newdata), lapply(names(more), as.name)))
  names(call) <- c("", "", "", names(more))
  found <- eval(call, where)
  n_found <- if (is.list(found)) length(found$class) else NROW(found)
  if (anyNA(x) && n_found < nrow(x) && nrow(x) > 1L) {
    crossfold_error("unsupported_data", paste(model$fun, "does not predict rows with missing entries"))
  }
  found
}

# A number for each row is the probability of the second class.
probability_matrix <- function(found, classes) {
  if (length(dim(found)) == 3L) found <- found[, , 1L]
  if (is.null(dim(found)) && length(classes) > 2L && length(found) == length(classes)) {
    found <- matrix(found, nrow = 1L, dimnames = list(NULL, names(found)))
  }
  if (NCOL(found) == 1L && length(classes) == 2L) {
    found <- cbind(1 - as.vector(found), as.vector(found))
    colnames(found) <- classes
  }
  found
}

predict_classes <- function(model, x) {
  if (length(model$classes) == 1L) return(rep(model$classes, nrow(x)))
  found <- predicted(model, x, model$label_type)
  if (is.list(found) && !is.null(found$class)) return(found$class)
  if (!is.numeric(found)) return(found)
  probabilities <- probability_matrix(found, model$classes)
  if (!all(model$classes %in% colnames(probabilities))) {
    crossfold_error("invalid_param", paste0("predict() of ", model$fun, " returns numbers; the parameter ",
                                            "label_type is the 'type' with which it returns classes"))
  }
  model$classes[max.col(probabilities[, model$classes, drop = FALSE], "first")]
}

# Shares of votes are not probabilities, and ties would rank most rows: an svm has to be fitted with them.
svm_probabilities <- function(model, x) {
  if (!model$fitted$compprob) {
    crossfold_error("unsupported", paste("e1071::svm was fitted without probabilities, which are needed here;",
                                         "leave out the setting probability = false"))
  }
  attr(predicted(model, x, NA, probability = TRUE), "probabilities")
}

predict_probabilities <- function(model, x) {
  if (length(model$classes) == 1L) {
    return(matrix(1, nrow(x), 1L, dimnames = list(NULL, model$classes)))
  }
  if (model$fun == "e1071::svm") return(svm_probabilities(model, x))
  found <- predicted(model, x, model$predict_type)
  if (is.list(found) && !is.null(found$posterior)) return(found$posterior)
  if (is.numeric(found)) return(probability_matrix(found, model$classes))
  if (!is.na(model$predict_type)) {
    crossfold_error("invalid_param", paste0("predict_type is '", model$predict_type, "', for which predict() of ",
                                            model$fun, " returns no probabilities"))
  }
  # A class for each row is all that the function has.
  labels <- predict_classes(model, x)
  matrix(as.double(outer(as.character(labels), model$classes, "==")), nrow(x), dimnames = list(NULL, model$classes))
}

crossfold_learner(
  fit = fit,
  predict = function(model, x) {
    if (is.null(model$classes)) predicted(model, x, model$predict_type) else predict_classes(model, x)
  },
  proba = predict_probabilities,
  environment = {
    packages <- setdiff(vapply(names(known_functions), package_of, ""), "stats")
    packages <- Filter(is_installed, packages)
    vapply(packages, function(p) as.character(utils::packageVersion(p)), "", USE.NAMES = TRUE)
  }
)
