package io.kueue4j.examples.history;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Doubles;
import io.kueue4j.examples.simulation.InputException;
import java.io.IOException;
import java.util.List;

/** The rows of a file whose first line names the columns. Cells do not contain the separator. */
final class CsvLines {
  private final Splitter cells;
  private final ByteLines lines;
  private final SkippedLines skipped;
  private final ImmutableList<String> columns;
  private List<String> row = ImmutableList.of();

  /**
   * Reads the names of the columns.
   *
   * @param source the name of the file
   * @param separator what separates cells
   * @param lines the lines of the file
   * @param skipped gets the rows that do not have all columns
   * @param required the columns that are needed
   * @throws InputException if one is missing
   */
  CsvLines(String source, char separator, ByteLines lines, SkippedLines skipped, String... required)
      throws IOException {
    this.cells = Splitter.on(separator).trimResults();
    this.lines = lines;
    this.skipped = skipped;
    this.columns =
        lines.next() ? ImmutableList.copyOf(cells.split(lines.text())) : ImmutableList.of();
    for (String column : required) {
      if (!columns.contains(column)) {
        throw new InputException(source + ": there is no column " + column
            + "; expected a first line with " + String.join(String.valueOf(separator), required));
      }
    }
  }

  /**
   * Moves to the next row that has all columns.
   *
   * @return whether there is one
   */
  boolean next() throws IOException {
    while (lines.next()) {
      row = cells.splitToList(lines.text());
      if (row.size() == columns.size()) {
        return true;
      }
      if (!lines.isBlank()) {
        skipped.bad(lines.number(), row.size() + " columns instead of " + columns.size());
      }
    }
    return false;
  }

  long number() {
    return lines.number();
  }

  /** {@return whether there is a column} */
  boolean has(String column) {
    return columns.contains(column);
  }

  String text(String column) {
    return row.get(columns.indexOf(column));
  }

  /** {@return the number in a column, -1 if it is empty or none from 0 to a quadrillion} */
  double number(String column) {
    Double number = Doubles.tryParse(text(column));
    return number == null || !(number >= 0 && number <= 1e15) ? -1 : number;
  }
}
