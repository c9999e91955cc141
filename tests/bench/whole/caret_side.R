# R's side of the whole experiment: caret's train() for every learner and data set, then paired t tests.
# usage: Rscript caret_side.R FOLDER JOBS SCORES.csv NAME=FOLDS ...
# Reads FOLDER/NAME.csv and runs the first FOLDS folds of FOLDER/NAME.folds. Writes a line a fold, with its part
# of the time that train() took (which fits all rows, too). caret has no learner of its own for naive Bayes by
# e1071, for unpruned trees by information gain, OneR and AdaBoost with the packages here: its custom models are used.
suppressPackageStartupMessages({
  library(caret)
  library(rpart)
})

one <- data.frame(parameter = "none", class = "character", label = "none")
model <- function(library, fit, predict) {
  list(type = "Classification", library = library, parameters = one, prob = NULL,
    grid = function(x, y, len = NULL, search = "grid") data.frame(none = "none"), loop = NULL,
    fit = function(x, y, wts, param, lev, last, classProbs, ...) fit(as.data.frame(x), y),
    predict = function(modelFit, newdata, preProc = NULL, submodels = NULL) {
      predict(modelFit, as.data.frame(newdata))
    })
}

naive_bayes <- model("e1071", function(x, y) e1071::naiveBayes(x, y),
  function(fit, x) predict(fit, x))

c45 <- model("rpart", function(x, y) {
  rpart(.y ~ ., cbind(x, .y = y), parms = list(split = "information"), control = rpart.control(
    minsplit = 4, minbucket = 2, cp = 0, xval = 0, maxcompete = 0, maxsurrogate = 0, maxdepth = 30))
}, function(fit, x) predict(fit, x, type = "class"))

# The most frequent class of each of ten bins with about as many rows, of the feature with the fewest errors.
one_r <- model(character(0), function(x, y) {
  best <- NULL
  for (j in seq_along(x)) {
    cuts <- unique(quantile(x[[j]], 1:9 / 10, names = FALSE))
    counts <- table(factor(findInterval(x[[j]], cuts), 0:length(cuts)), y)
    right <- sum(apply(counts, 1, max))
    if (is.null(best) || right > best$right) {
      best <- list(right = right, j = j, cuts = cuts, rule = apply(counts, 1, which.max), levels = levels(y))
    }
  }
  best
}, function(fit, x) {
  factor(fit$levels[fit$rule[findInterval(x[[fit$j]], fit$cuts) + 1]], fit$levels)
})

# SAMME with stumps.
adaboost <- model("rpart", function(x, y) {
  rows <- cbind(x, .y = y)
  k <- nlevels(y)
  .w <- rep(1 / nrow(x), nrow(x))
  members <- list()
  alphas <- c()
  control <- rpart.control(maxdepth = 1, minsplit = 2, minbucket = 1, cp = -1, xval = 0, maxcompete = 0,
    maxsurrogate = 0)
  for (round in 1:50) {
    member <- rpart(.y ~ ., rows, weights = .w, control = control)
    member$where <- member$y <- member$call <- NULL
    wrong <- predict(member, x, type = "class") != y
    e <- sum(.w[wrong]) / sum(.w)
    if (e >= 1 - 1 / k) break
    members <- c(members, list(member))
    alphas <- c(alphas, if (e > 0) log((1 - e) / e) + log(k - 1) else 1)
    if (e <= 0) break
    .w <- .w * exp(alphas[length(alphas)] * wrong)
    .w <- .w / sum(.w)
  }
  list(members = members, alphas = alphas, levels = levels(y))
}, function(fit, x) {
  votes <- matrix(0, nrow(x), length(fit$levels))
  for (i in seq_along(fit$members)) {
    chosen <- as.integer(predict(fit$members[[i]], x, type = "class"))
    at <- cbind(seq_len(nrow(x)), chosen)
    votes[at] <- votes[at] + fit$alphas[i]
  }
  factor(fit$levels[max.col(votes, "first")], fit$levels)
})

scale_first <- c("center", "scale")
outer_control <- function(pairs) {
  trainControl(method = "cv", index = pairs$train, indexOut = pairs$test, returnData = FALSE)
}
plain <- function(method, pre = NULL, grid = NULL, ...) {
  function(x, y, pairs) {
    train(x, y, method = method, preProcess = pre, trControl = outer_control(pairs),
      tuneGrid = grid, metric = "Accuracy", ...)$resample$Accuracy
  }
}
tuned_knn <- function(x, y, pairs) {
  mapply(function(rows, test) {
    inner <- trainControl(method = "cv", index = createFolds(y[rows], 5, returnTrain = TRUE), returnData = FALSE)
    fit <- train(x[rows, ], y[rows], method = "knn", preProcess = scale_first, trControl = inner,
      tuneGrid = data.frame(k = c(1, 3, 5, 7, 9)), metric = "Accuracy")
    mean(predict(fit, x[test, ]) == y[test])
  }, pairs$train, pairs$test)
}
learners <- list(
  adaboost = plain(adaboost),
  c45 = plain(c45),
  forest = function(x, y, pairs) {
    plain("rf", grid = data.frame(mtry = floor(sqrt(ncol(x)))), ntree = 100)(x, y, pairs)
  },
  knn = plain("knn", scale_first, data.frame(k = 5)),
  logistic = plain("multinom", scale_first, data.frame(decay = 0.5), trace = FALSE, maxit = 1000, MaxNWts = 1e5),
  naive_bayes = plain(naive_bayes),
  one_r = plain(one_r),
  tuned_knn = tuned_knn)

# p of the corrected resampled t test of every pair on every data set, and mean ranks.
compare <- function(scores, share) {
  for (pair in combn(names(learners), 2, simplify = FALSE)) {
    p <- sapply(scores, function(s) {
      d <- s[[pair[1]]] - s[[pair[2]]]
      n <- length(d)
      if (n < 2 || var(d) == 0) NA else 2 * pt(-abs(mean(d)) / sqrt((1 / n + share) * var(d)), n - 1)
    })
    cat(pair, formatC(p, digits = 4, format = "f"), "\n")
  }
  ranks <- sapply(scores, function(s) rank(-sapply(s, mean)))
  cat("mean ranks\n")
  print(round(rowMeans(ranks), 2))
}

main <- function(folder, jobs, output, wanted) {
  if (jobs > 1) doMC::registerDoMC(jobs)
  set.seed(1)
  scores <- list()
  lines <- list()
  for (text in strsplit(wanted, "=")) {
    name <- text[1]
    data <- read.csv(file.path(folder, paste0(name, ".csv")))
    x <- data[-ncol(data)]
    y <- factor(data[[ncol(data)]])
    fold <- scan(file.path(folder, paste0(name, ".folds")), nlines = 1, quiet = TRUE)
    folds <- seq_len(as.integer(text[2])) - 1
    pairs <- list(train = lapply(folds, function(f) which(fold != f)),
      test = lapply(folds, function(f) which(fold == f)))
    names(pairs$train) <- names(pairs$test) <- sprintf("Fold%02d", folds + 1)
    for (learner in names(learners)) {
      seconds <- system.time(found <- learners[[learner]](x, y, pairs))[["elapsed"]] / length(folds)
      scores[[name]][[learner]] <- found
      lines[[length(lines) + 1]] <- data.frame(learner, name, folds + 1, found, seconds)
    }
  }
  compare(scores, 1 / 9)
  write.table(do.call(rbind, lines), output, sep = ",", row.names = FALSE, col.names = FALSE, quote = FALSE)
}

arguments <- commandArgs(trailingOnly = TRUE)
main(arguments[1], as.integer(arguments[2]), arguments[3], arguments[-(1:3)])
