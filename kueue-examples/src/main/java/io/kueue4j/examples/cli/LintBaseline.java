package io.kueue4j.examples.cli;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.collect.ImmutableSet.toImmutableSet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Streams;
import io.kueue4j.core.lint.LintRule;
import io.kueue4j.examples.simulation.InputException;
import io.kueue4j.examples.simulation.InputFile;
import io.kueue4j.examples.simulation.UnreadableFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** The findings that were accepted, in a file: texts for people by fingerprint. */
final class LintBaseline {
  private static final String ACCEPTED = "accepted";
  private static final String FINGERPRINT = "fingerprint";
  private static final String FINDING = "finding";

  private final ImmutableMap<String, String> accepted;

  private LintBaseline(ImmutableMap<String, String> accepted) {
    this.accepted = accepted;
  }

  /** {@return the baseline that accepts nothing} */
  static LintBaseline none() {
    return new LintBaseline(ImmutableMap.of());
  }

  /**
   * {@return the baseline in a file}
   *
   * @throws InputException if it cannot be read, or is not one
   */
  static LintBaseline read(InputFile file) {
    try (InputStream stream = file.open()) {
      JsonNode entries = new ObjectMapper().readTree(stream).path(ACCEPTED);
      boolean isOne = entries.isArray()
          && Streams.stream(entries).allMatch(entry -> entry.path(FINGERPRINT).isTextual());
      if (!isOne) {
        throw new InputException(
            file + ": no baseline; expected what lint --write-baseline has written");
      }
      return new LintBaseline(Streams.stream(entries)
          .collect(toImmutableMap(
              entry -> entry.path(FINGERPRINT).asText(),
              entry -> entry.path(FINDING).asText(),
              (first, second) -> second)));
    } catch (JsonProcessingException e) {
      throw new InputException(
          file + ": no baseline, since it is not JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw UnreadableFiles.failure(file, e);
    }
  }

  /** {@return the text of the baseline that accepts these findings} */
  static String write(List<PlacedFinding> findings) {
    ObjectNode root = JsonReport.newObject();
    ArrayNode entries = root.putArray(ACCEPTED);
    for (PlacedFinding finding : findings) {
      entries
          .addObject()
          .put(FINGERPRINT, finding.fingerprint())
          .put(FINDING, finding.finding().rule() + ": " + finding.text());
    }
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    JsonReport.print(root, writer);
    writer.flush();
    return text.toString();
  }

  /** {@return the findings that are not accepted} */
  ImmutableList<PlacedFinding> without(List<PlacedFinding> findings) {
    return findings.stream()
        .filter(finding -> !accepted.containsKey(finding.fingerprint()))
        .collect(toImmutableList());
  }

  /**
   * {@return the accepted findings that are not there any more, in words}
   *
   * @param withLoops whether loops were searched; otherwise nothing is said of accepted ones
   */
  ImmutableList<String> stale(List<PlacedFinding> findings, boolean withLoops) {
    ImmutableSet<String> found =
        findings.stream().map(PlacedFinding::fingerprint).collect(toImmutableSet());
    return accepted.entrySet().stream()
        .filter(entry -> !found.contains(entry.getKey()))
        .map(entry -> entry.getValue())
        .filter(text -> withLoops || !text.startsWith(LintRule.PREEMPTION_LOOP + ":"))
        .collect(toImmutableList());
  }
}
