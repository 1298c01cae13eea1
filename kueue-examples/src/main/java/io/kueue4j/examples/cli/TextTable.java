package io.kueue4j.examples.cli;

import com.google.common.base.CharMatcher;
import com.google.common.base.Strings;
import java.util.ArrayList;
import java.util.List;

/**
 * A table in kubectl's layout: columns as wide as their widest cell, three spaces between them.
 *
 * <p>On a screen with a width, the last column is wrapped; if there is little space left for it,
 * its text stands below the row.
 */
final class TextTable {
  private static final int GAP = 3;
  private static final int INDENT_BELOW = 4;
  private static final int MIN_LAST_COLUMN = 40;
  private static final String STATUS = "STATUS";

  private final List<List<String>> rows = new ArrayList<>();

  TextTable(List<String> header) {
    rows.add(List.copyOf(header));
  }

  /** {@return the table with these rows, of which the first is the header} */
  static TextTable of(List<? extends List<String>> rows) {
    TextTable table = new TextTable(rows.get(0));
    rows.stream().skip(1).forEach(table::add);
    return table;
  }

  /** Adds a row. Removes control characters of names, which a terminal would obey. */
  void add(List<String> cells) {
    rows.add(cells.stream()
        .map(cell -> CharMatcher.javaIsoControl().replaceFrom(cell, '?'))
        .toList());
  }

  void print(Screen screen) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    for (int row = 0; row < rows.size(); row++) {
      print(row, widths, screen);
    }
  }

  private void print(int row, int[] widths, Screen screen) {
    int last = widths.length - 1;
    StringBuilder line = new StringBuilder();
    int start = 0;
    for (int column = 0; column < last; column++) {
      line.append(styled(
          row,
          column,
          Strings.padEnd(rows.get(row).get(column), widths[column] + GAP, ' '),
          screen));
      start += widths[column] + GAP;
    }
    String text = rows.get(row).get(last);
    int available = screen.width().orElse(Integer.MAX_VALUE) - start;
    if (text.length() <= available) {
      screen.println(trimmed(line + styled(row, last, text, screen)));
    } else if (available >= MIN_LAST_COLUMN) {
      List<String> lines = Screen.wrap(text, available);
      screen.println(trimmed(line + lines.get(0)));
      String indent = " ".repeat(start);
      lines.stream().skip(1).forEach(more -> screen.println(indent + more));
    } else {
      screen.println(trimmed(line.toString()));
      screen.printWrapped(" ".repeat(INDENT_BELOW) + text);
    }
  }

  private String styled(int row, int column, String cell, Screen screen) {
    if (row == 0) {
      return screen.heading(cell);
    }
    return rows.get(0).get(column).equals(STATUS) ? screen.status(cell) : cell;
  }

  private static String trimmed(String line) {
    return CharMatcher.whitespace().trimTrailingFrom(line);
  }
}
