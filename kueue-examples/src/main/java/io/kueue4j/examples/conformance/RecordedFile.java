package io.kueue4j.examples.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import io.kueue4j.examples.simulation.InputException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Recorded cycles of Kueue's scheduler: a file of scenarios {@link #SCENARIOS}, and beside it one
 * {@link #OUTCOMES} of the same suite with Kueue's decisions. Both have one JSON object per line
 * and are gzipped if their names end in {@code .gz}.
 *
 * @param path the file of scenarios; the part of its name before {@code .in} is the name of the
 *     suite
 * @param withPreemption whether to play also the scenarios in which Kueue preempted workloads
 */
public record RecordedFile(Path path, boolean withPreemption) implements VectorFile {
  static final String SCENARIOS = "SUITE.in[.jsonl][.gz]";
  static final String OUTCOMES = "SUITE.up.jsonl[.gz]";

  private static final Pattern NAME = Pattern.compile("(.+)\\.in(?:\\.jsonl)?(\\.gz)?");

  /** {@return whether a line has a scenario} */
  static boolean hasScenarios(JsonNode line) {
    return line.has("now") && line.has("cycles");
  }

  /** {@return whether a line has an outcome} */
  static boolean hasOutcomes(JsonNode line) {
    return line.has("test") && (line.has("post") || line.has("panic"));
  }

  @Override
  public void play(Consumer<ScenarioResult> listener) {
    Matcher name = NAME.matcher(String.valueOf(path.getFileName()));
    if (!name.matches()) {
      throw new InputException(path + ": holds scenarios without outcomes; expected a name such as "
          + SCENARIOS + ", so that " + OUTCOMES + " beside it can be found");
    }
    String suite = name.group(1);
    String ending = name.group(2) == null ? "" : name.group(2);
    ListMultimap<String, RecordedCycle> recorded =
        outcomes(path.resolveSibling(suite + ".up.jsonl" + ending));
    VectorLines.readAll(path, line -> {
      RecordedScenario scenario = VectorJson.read(RecordedScenario.class, "a scenario", line);
      List<RecordedCycle> cycles = recorded.get(scenario.name());
      if (withPreemption || cycles.stream().noneMatch(RecordedCycle::hasPreemption)) {
        listener.accept(RecordedPlayer.play(suite, scenario, cycles));
      }
    });
  }

  private static ListMultimap<String, RecordedCycle> outcomes(Path path) {
    ListMultimap<String, RecordedCycle> outcomes = ArrayListMultimap.create();
    VectorLines.readAll(path, line -> {
      RecordedCycle cycle = VectorJson.read(RecordedCycle.class, "a recorded cycle", line);
      outcomes.put(cycle.test(), cycle);
    });
    return outcomes;
  }
}
