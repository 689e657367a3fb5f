# mercer(y ~ ., data): the model frame becomes a matrix (model.matrix, so that factors and interactions are what R's users expect), and the
# options become the JSON of mercer_fit().

mercer <- function(x, ...) UseMethod("mercer")

mercer.formula <- function(x, data, weights, subset, na.action = na.omit, ...) {
  call <- match.call()
  frame <- call[c(1L, match(c("x", "data", "weights", "subset", "na.action"), names(call), 0L))]
  names(frame)[names(frame) == "x"] <- "formula"
  frame[[1L]] <- quote(stats::model.frame)
  if (is.null(frame$na.action)) frame$na.action <- na.action
  frame$drop.unused.levels <- TRUE
  frame <- eval(frame, parent.frame())
  form <- attr(frame, "terms")
  y <- model.response(frame)
  attr(form, "intercept") <- 1L  # the methods have an intercept of their own: its column is dropped
  columns <- model.matrix(form, frame)
  assigned <- attr(columns, "assign")
  contrasts <- attr(columns, "contrasts")
  model <- fit_matrix(columns[, assigned != 0L, drop = FALSE], y, model.weights(frame), list(...))
  model$terms <- form
  model$xlevels <- .getXlevels(form, frame)
  model$contrasts <- contrasts
  model$na.action <- attr(frame, "na.action")
  model$call <- call
  model
}

mercer.default <- function(x, y = NULL, weights = NULL, ...) {
  model <- fit_matrix(numeric_matrix(x), y, weights, list(...))
  model$call <- match.call()
  model
}

numeric_matrix <- function(x) {
  x <- as.matrix(x)
  if (!is.numeric(x) && !is.logical(x)) stop("the columns must be numbers; mercer(y ~ ., data) encodes factors and texts", call. = FALSE)
  storage.mode(x) <- "double"
  x
}

fit_matrix <- function(x, y, weights, options) {
  x <- numeric_matrix(x)
  names <- colnames(x)
  if (is.null(names)) names <- if (ncol(x)) paste0("x", seq_len(ncol(x))) else character()
  levels <- NULL
  if (is.character(y) || is.logical(y)) y <- factor(y)
  if (is.factor(y)) {
    y <- droplevels(y)
    if (anyNA(y)) stop("the target has missing values", call. = FALSE)
    levels <- levels(y)
    y <- as.integer(y)
  } else if (!is.null(y)) {
    y <- numeric_matrix(y)
  }
  if (!is.null(weights)) weights <- as.double(weights)
  handle <- .Call(mercer_r_fit, x, names, y, levels, weights, to_json(options))
  structure(list(handle = handle, bytes = .Call(mercer_r_to_bytes, handle), columns = names, levels = levels,
                 details = .Call(mercer_r_inspect, handle)), class = "mercer")
}

# The handle of this session: that of a model which readRDS() gave is made from its bytes.
handle_of <- function(model) {
  if (.Call(mercer_r_alive, model$handle)) model$handle else .Call(mercer_r_from_bytes, model$bytes)
}

to_json <- function(options) {
  if (length(options) == 0L) return("{}")
  if (is.null(names(options)) || any(names(options) == "")) stop("options have names: mercer(y ~ ., data, C = 10)", call. = FALSE)
  paste0("{", paste0(vapply(names(options), quoted, ""), ":", vapply(options, json_value, ""), collapse = ","), "}")
}

json_value <- function(value) {
  if (is.null(value)) return("null")
  if (is.list(value) || (!is.null(names(value)) && is.numeric(value))) return(to_json(as.list(value)))
  if (length(value) != 1L) return(paste0("[", paste0(vapply(value, json_value, ""), collapse = ","), "]"))
  if (is.na(value)) stop("an option is NA", call. = FALSE)
  if (is.logical(value)) return(if (value) "true" else "false")
  if (is.numeric(value)) return(if (is.infinite(value)) quoted("inf") else format(value, digits = 17L, scientific = NA))
  quoted(as.character(value))
}

quoted <- function(text) {
  text <- gsub("\\", "\\\\", enc2utf8(text), fixed = TRUE)
  text <- gsub("\"", "\\\"", text, fixed = TRUE)
  paste0("\"", gsub("\n", "\\n", text, fixed = TRUE), "\"")
}

new_rows <- function(object, newdata, na.action) {
  if (is.null(object$terms)) return(numeric_matrix(newdata))
  form <- delete.response(object$terms)
  frame <- model.frame(form, newdata, na.action = na.action, xlev = object$xlevels)
  if (!is.null(classes <- attr(form, "dataClasses"))) .checkMFClasses(classes, frame)
  columns <- model.matrix(form, frame, contrasts.arg = object$contrasts)
  columns[, attr(columns, "assign") != 0L, drop = FALSE]
}

predict.mercer <- function(object, newdata, type = c("response", "score", "probability", "variance"), na.action = stats::na.fail, ...) {
  type <- match.arg(type)
  if (missing(newdata)) stop("give newdata: a model does not keep the data that it was fitted to", call. = FALSE)
  x <- new_rows(object, newdata, na.action)
  handle <- handle_of(object)
  outputs <- c(response = 0L, score = 1L, probability = 2L, variance = 3L)
  values <- .Call(mercer_r_predict, handle, outputs[[type]], numeric_matrix(x))
  labels <- .Call(mercer_r_labels, handle)
  rownames(values) <- rownames(x)
  if (type == "probability" && length(labels) == ncol(values)) colnames(values) <- labels
  if (type == "response" && length(labels) > 0L)
    return(stats::setNames(factor(labels[values[, 1L] + 1], levels = labels), rownames(x)))
  if (ncol(values) == 1L) stats::setNames(values[, 1L], rownames(x)) else values
}

# One field of the JSON that mercer_model_inspect() gives: texts, numbers, true, false and null at the top of the object.
field <- function(details, name) {
  found <- regmatches(details, regexpr(paste0("\"", name, "\":(\"(\\\\.|[^\"\\\\])*\"|[-+.eE0-9]+|true|false|null)"), details))
  if (length(found) == 0L) return(NA_character_)
  gsub("\\\\(.)", "\\1", gsub("^\"|\"$", "", sub("^\"[^\"]*\":", "", found)))
}

print.mercer <- function(x, ...) {
  cat("Mercer model: ", field(x$details, "method"), ", kernel ", field(x$details, "kernel"), "\n", sep = "")
  if (!is.null(x$call)) cat("Call: ", paste(deparse(x$call), collapse = " "), "\n", sep = "")
  if (!is.null(x$levels)) cat("Classes: ", paste(x$levels, collapse = ", "), "\n", sep = "")
  invisible(x)
}

summary.mercer <- function(object, ...) {
  wanted <- c("method", "kernel", "rows", "columns", "points", "support_vectors", "converged", "certificate", "violation", "objective", "solver")
  structure(list(model = object, values = vapply(wanted, function(name) field(object$details, name), ""), json = object$details),
            class = "summary.mercer")
}

print.summary.mercer <- function(x, ...) {
  print(x$model)
  for (name in setdiff(names(x$values), c("method", "kernel")))
    if (!is.na(x$values[[name]]) && !x$values[[name]] %in% c("null", "")) cat(format(gsub("_", " ", name), width = 16L), x$values[[name]], "\n")
  invisible(x)
}

mercer_save <- function(model, path) invisible(.Call(mercer_r_save, handle_of(model), path.expand(path)))

mercer_load <- function(path) {
  handle <- .Call(mercer_r_load, path.expand(path))
  labels <- .Call(mercer_r_labels, handle)
  structure(list(handle = handle, bytes = .Call(mercer_r_to_bytes, handle), columns = NULL, levels = if (length(labels)) labels,
                 details = .Call(mercer_r_inspect, handle)), class = "mercer")
}

kernel_matrix <- function(kernel, x, z = x) .Call(mercer_r_kernel_matrix, kernel, numeric_matrix(x), numeric_matrix(z))
