package io.kueue4j.examples.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the text format of Prometheus, and accepts nothing else. */
final class TextFormat {
  private static final Pattern COMMENT =
      Pattern.compile("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)");
  private static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\n]|\\\\[\\\\\"n])*\"";
  private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{(?:" + LABEL
      + "(?:," + LABEL + ")*,?)?\\})? (NaN|[+-]Inf|[-+0-9.eE]+)");

  final Map<String, String> types = new LinkedHashMap<>();
  final Map<String, Double> samples = new LinkedHashMap<>();

  TextFormat(String text) {
    assertThat(text).endsWith("\n");
    text.lines().forEach(this::read);
  }

  private void read(String line) {
    Matcher comment = COMMENT.matcher(line);
    if (line.startsWith("#")) {
      assertThat(comment.matches()).as(line).isTrue();
      if (comment.group(1).equals("TYPE")) {
        assertThat(types.put(comment.group(2), comment.group(3)))
            .as("one type of %s", line)
            .isNull();
      }
      return;
    }
    Matcher sample = SAMPLE.matcher(line);
    assertThat(sample.matches()).as(line).isTrue();
    String name = sample.group(1);
    boolean isHistogram = types.containsKey(name.replaceFirst("_(bucket|sum|count)$", ""));
    assertThat(types.containsKey(name) || isHistogram).as("type of %s", line).isTrue();
    String labels = sample.group(2) == null ? "" : sample.group(2);
    assertThat(samples.put(name + labels, number(sample.group(3)))).as(line).isNull();
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }
}
