package io.kueue4j.examples.docs;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A table as kubectl prints it, in which times are the same, and so are the ends of the names of
 * Workloads, which depend on uids.
 */
record KubectlTable(ImmutableList<ImmutableList<String>> rows) {
  /** A time, in tables that a program makes. */
  static final String TIME = "0s";

  /** A line for any lines, or the rest of a cell. */
  private static final String CUT = "…";

  private static final Pattern COLUMN = Pattern.compile("\\S+(?: \\S+)*");
  private static final Pattern SECONDS = Pattern.compile("\\d+s(?: \\(x\\d+ over \\d+s\\))?");
  private static final Pattern HASH = Pattern.compile("(job-[a-z]+-)[0-9a-f]{5}\\b");

  /** {@return the table that stands on a page; a line that is left out is a row of one cell} */
  static KubectlTable parse(String printed) {
    List<String> lines = printed.lines().toList();
    List<Integer> starts =
        COLUMN.matcher(lines.get(0)).results().map(column -> column.start()).toList();
    return new KubectlTable(lines.stream()
        .map(line -> line.equals(CUT) ? ImmutableList.of(CUT) : cells(line, starts))
        .collect(ImmutableList.toImmutableList()));
  }

  /** {@return rows in columns, the first of which are the names of the columns} */
  static String print(List<List<String>> rows) {
    int[] widths = IntStream.range(0, rows.get(0).size())
        .map(i -> rows.stream().mapToInt(row -> row.get(i).length()).max().orElse(0) + 3)
        .toArray();
    StringBuilder printed = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        line.append(Strings.padEnd(row.get(i), widths[i], ' '));
      }
      printed.append(line.toString().stripTrailing()).append('\n');
    }
    return printed.toString();
  }

  private static ImmutableList<String> cells(String line, List<Integer> starts) {
    return IntStream.range(0, starts.size())
        .mapToObj(i -> i + 1 < starts.size()
            ? slice(line, starts.get(i), starts.get(i + 1))
            : slice(line, starts.get(i), line.length()))
        .map(KubectlTable::plain)
        .collect(ImmutableList.toImmutableList());
  }

  private static String slice(String line, int start, int end) {
    return Strings.padEnd(line, end, ' ').substring(Math.min(start, end), end).strip();
  }

  /** {@return a text without what is different in each cluster} */
  static String plain(String text) {
    return SECONDS.matcher(text).matches()
        ? TIME
        : HASH.matcher(text).replaceAll(match -> match.group(1) + "00000");
  }

  /**
   * {@return whether this is what a page shows: the same rows, or if lines are left out there, at
   * least its rows in any order, since events of one second have none}
   *
   * @param explained the texts that may stand where a page leaves out a whole cell
   */
  boolean isShownAs(KubectlTable page, List<String> explained) {
    List<ImmutableList<String>> shown = new ArrayList<>(page.rows);
    boolean isCut = shown.removeIf(row -> row.equals(ImmutableList.of(CUT)));
    return rows.get(0).equals(shown.get(0))
        && (isCut || rows.size() == shown.size())
        && IntStream.range(0, shown.size())
            .allMatch(i -> (isCut ? rows : rows.subList(i, i + 1))
                .stream().anyMatch(row -> isShownAs(row, shown.get(i), explained)));
  }

  private static boolean isShownAs(List<String> row, List<String> shown, List<String> explained) {
    return IntStream.range(0, row.size())
        .allMatch(i -> isShownAs(row.get(i), shown.get(i), explained));
  }

  private static boolean isShownAs(String cell, String shown, List<String> explained) {
    if (shown.equals(CUT)) {
      return explained.contains(cell);
    }
    return shown.endsWith(CUT)
        ? cell.startsWith(shown.substring(0, shown.length() - CUT.length()))
        : cell.equals(shown);
  }
}
