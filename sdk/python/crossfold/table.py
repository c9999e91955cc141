"""Rows of results as text, as HTML and as DataFrames."""
import html
import math

from .error import Error


def shown(value, digits=4):
    """A value for people: numbers with `digits` decimals, "-" for what does not exist."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.{digits}f}"
    return str(value)


def text(columns, rows):
    """A table for people: `rows` are lists of values."""
    cells = [[shown(value) for value in row] for row in rows]
    is_number = [all(cell[:1] in "-<" or cell[0].isdigit() for cell in (row[c] for row in cells))
                 for c in range(len(columns))]
    widths = [max(len(column), *(len(row[c]) for row in cells)) if cells else len(column)
              for c, column in enumerate(columns)]

    def line(row):
        return "  ".join(cell.rjust(w) if right else cell.ljust(w)
                         for cell, w, right in zip(row, widths, is_number)).rstrip()
    return "\n".join([line(columns), *map(line, cells)])


def as_html(columns, rows, caption):
    """The same as an HTML table."""
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(shown(value))}</td>" for value in row) + "</tr>"
                   for row in rows)
    return (f"<table><caption>{html.escape(caption)}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>")


def frame(columns, rows):
    """A DataFrame. Raises Error without pandas."""
    try:
        import pandas
    except ImportError:
        raise Error("cannot make a DataFrame: pandas is not installed; install it, or use the rows") from None
    return pandas.DataFrame([[row[column] for column in columns] for row in rows], columns=columns)
