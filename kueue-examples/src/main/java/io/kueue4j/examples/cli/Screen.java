package io.kueue4j.examples.cli;

import com.google.common.base.Splitter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import picocli.CommandLine.Help.Ansi.Style;

/** Standard output with its width and colors. */
final class Screen {
  private static final int HANGING_INDENT = 4;

  private final PrintWriter out;
  private final boolean colored;
  private final OptionalInt width;

  /**
   * Creates a screen.
   *
   * @param out receives the text
   * @param colored whether to color it
   * @param width the number of columns to wrap lines at; empty to wrap none
   */
  Screen(PrintWriter out, boolean colored, OptionalInt width) {
    this.out = out;
    this.colored = colored;
    this.width = width;
  }

  /** {@return a screen without colors, on which lines may be of any length} */
  static Screen plain(PrintWriter out) {
    return new Screen(out, false, OptionalInt.empty());
  }

  OptionalInt width() {
    return width;
  }

  void println(String line) {
    out.println(line);
  }

  void println() {
    out.println();
  }

  /** Prints a line, wrapped at the width if there is one; further lines are indented by more. */
  void printWrapped(String line) {
    if (width.isEmpty()) {
      out.println(line);
    } else {
      wrap(line, width.getAsInt()).forEach(out::println);
    }
  }

  /**
   * {@return the text between spaces, in lines; a word that is longer than the width is kept whole}
   */
  static List<String> wrap(String text, int width) {
    int indent = indentOf(text);
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(" ".repeat(indent));
    boolean empty = true;
    for (String word : Splitter.on(' ').omitEmptyStrings().split(text)) {
      if (!empty && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line = new StringBuilder(" ".repeat(indent + HANGING_INDENT));
        empty = true;
      }
      line.append(empty ? "" : " ").append(word);
      empty = false;
    }
    lines.add(line.toString());
    return lines;
  }

  private static int indentOf(String text) {
    int indent = 0;
    while (indent < text.length() && text.charAt(indent) == ' ') {
      indent++;
    }
    return indent;
  }

  /** {@return a heading in bold} */
  String heading(String text) {
    return styled(text, Style.bold);
  }

  /** {@return the status of a job in its color; of a change, the status that it changes to} */
  String status(String text) {
    String status = text.strip();
    if (status.endsWith("Admitted")) {
      return styled(text, Style.fg_green);
    }
    if (status.endsWith("Pending")) {
      return styled(text, Style.fg_yellow);
    }
    return status.endsWith("Rejected") ? styled(text, Style.fg_red) : text;
  }

  private String styled(String text, Style style) {
    return colored && !text.isBlank() ? style.on() + text + Style.reset.on() : text;
  }
}
