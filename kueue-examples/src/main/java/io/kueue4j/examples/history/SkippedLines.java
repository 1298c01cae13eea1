package io.kueue4j.examples.history;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.simulation.InputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The lines of a history that are left out, by reason. A bad line cannot be used; others are left
 * out on purpose. Not thread-safe.
 */
public final class SkippedLines {
  private static final int MAX_NUMBERS = 5;

  private final String noun;
  private final Map<String, Reason> bad = new LinkedHashMap<>();
  private final Map<String, Reason> warned = new LinkedHashMap<>();
  private final Map<String, Reason> leftOut = new LinkedHashMap<>();
  private final List<String> jobsLeftOut = new ArrayList<>();

  /** Creates an empty list of lines. */
  SkippedLines() {
    this("line");
  }

  /** Creates an empty list of what is called so instead of lines. */
  SkippedLines(String noun) {
    this.noun = noun;
  }

  /** Adds a line that cannot be used. */
  void bad(long line, String reason) {
    bad.computeIfAbsent(reason, unused -> new Reason()).add(line);
  }

  /** Adds a line that is left out on purpose. */
  void leftOut(long line, String reason) {
    leftOut.computeIfAbsent(reason, unused -> new Reason()).add(line);
  }

  /** Adds why jobs are left out on purpose that were read. */
  void jobsLeftOut(String reason) {
    jobsLeftOut.add(reason);
  }

  /**
   * Adds a line that is used, but not as it says.
   *
   * @param reason what it says, and what is done instead
   */
  void warn(long line, String reason) {
    warned.computeIfAbsent(reason, unused -> new Reason()).add(line);
  }

  /** {@return a message for each reason why lines cannot be used} */
  public ImmutableList<String> badMessages() {
    return messages(bad);
  }

  /** {@return a message for each reason why lines are left out on purpose} */
  public ImmutableList<String> leftOutMessages() {
    return ImmutableList.<String>builder()
        .addAll(messages(leftOut))
        .addAll(jobsLeftOut)
        .build();
  }

  /** {@return a message for each reason why lines are not used as they say} */
  public ImmutableList<String> warnings() {
    return messages(warned);
  }

  /** Throws an InputException if there are bad lines. */
  static void throwBad(String source, SkippedLines lines) {
    if (!lines.bad.isEmpty()) {
      throw new InputException(source + ": " + String.join("; ", lines.badMessages()));
    }
  }

  private ImmutableList<String> messages(Map<String, Reason> reasons) {
    return reasons.entrySet().stream()
        .map(reason -> reason.getValue().message(noun, reason.getKey()))
        .collect(toImmutableList());
  }

  private static final class Reason {
    private final List<Long> first = new ArrayList<>();
    private long count;

    void add(long line) {
      count++;
      if (first.size() < MAX_NUMBERS) {
        first.add(line);
      }
    }

    String message(String noun, String reason) {
      StringBuilder text = new StringBuilder(count == 1 ? noun + " " : count + " " + noun + "s, ");
      for (int i = 0; i < first.size(); i++) {
        text.append(i == 0 ? "" : ", ").append(first.get(i));
      }
      return text.append(count > first.size() ? " and so on: " : ": ")
          .append(reason)
          .toString();
    }
  }
}
