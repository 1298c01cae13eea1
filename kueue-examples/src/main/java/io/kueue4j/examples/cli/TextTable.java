package io.kueue4j.examples.cli;

import com.google.common.base.CharMatcher;
import com.google.common.base.Strings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * A table as kubectl prints it: columns as wide as their widest cell, three spaces between them.
 */
final class TextTable {
  private static final int GAP = 3;

  private final List<List<String>> rows = new ArrayList<>();

  TextTable(List<String> header) {
    rows.add(List.copyOf(header));
  }

  void add(List<String> cells) {
    rows.add(List.copyOf(cells));
  }

  void print(PrintWriter out) {
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        line.append(Strings.padEnd(row.get(column), width(column) + GAP, ' '));
      }
      out.println(CharMatcher.whitespace().trimTrailingFrom(line));
    }
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
