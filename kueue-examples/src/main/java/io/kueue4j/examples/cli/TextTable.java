package io.kueue4j.examples.cli;

import com.google.common.base.CharMatcher;
import com.google.common.base.Strings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** A table in kubectl's layout: columns as wide as their widest cell, three spaces between them. */
final class TextTable {
  private static final int GAP = 3;

  private final List<List<String>> rows = new ArrayList<>();

  TextTable(List<String> header) {
    rows.add(List.copyOf(header));
  }

  /** Adds a row. Removes control characters of names, which a terminal would obey. */
  void add(List<String> cells) {
    rows.add(cells.stream()
        .map(cell -> CharMatcher.javaIsoControl().replaceFrom(cell, '?'))
        .toList());
  }

  void print(PrintWriter out) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < widths.length; column++) {
        line.append(Strings.padEnd(row.get(column), widths[column] + GAP, ' '));
      }
      out.println(CharMatcher.whitespace().trimTrailingFrom(line));
    }
  }
}
