# Writes data sets of the packages mlbench and kernlab as FOLDER/NAME.csv: numbers, then the class.
# usage: Rscript data.R FOLDER
folder <- commandArgs(trailingOnly = TRUE)[1]
write_set <- function(name, package, object, target) {
  if (!requireNamespace(package, quietly = TRUE)) return(invisible())
  data(list = object, package = package, envir = environment())
  d <- get(object)
  class <- gsub("[^A-Za-z0-9]", "_", paste0("c_", d[[target]]))
  d[[target]] <- NULL
  for (column in names(d)) d[[column]] <- as.numeric(as.character(d[[column]]))
  d <- d[vapply(d, function(values) length(unique(values)) > 1, TRUE)]
  write.csv(cbind(d, class), file.path(folder, paste0(name, ".csv")), row.names = FALSE, quote = FALSE)
}
write_set("glass", "mlbench", "Glass", "Type")
write_set("ionosphere", "mlbench", "Ionosphere", "Class")
write_set("pima", "mlbench", "PimaIndiansDiabetes", "diabetes")
write_set("satellite", "mlbench", "Satellite", "classes")
write_set("sonar", "mlbench", "Sonar", "Class")
write_set("spam", "kernlab", "spam", "type")
write_set("vehicle", "mlbench", "Vehicle", "Class")
write_set("vowel", "mlbench", "Vowel", "Class")
