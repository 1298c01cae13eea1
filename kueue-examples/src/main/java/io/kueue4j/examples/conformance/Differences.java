package io.kueue4j.examples.conformance;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Describes how two outcomes of a step differ. */
final class Differences {
  private static final StepOutcome.Cycle EMPTY =
      new StepOutcome.Cycle(ImmutableList.of(), ImmutableList.of());

  private Differences() {}

  /** {@return the first difference, as a block of lines; there must be one} */
  static String describe(String scenario, int step, StepOutcome expected, StepOutcome actual) {
    String place = scenario + " differs in step " + step + ", ";
    if (!expected.finished().equals(actual.finished())) {
      return block(place + "finished", expected.finished(), actual.finished());
    }
    int cycles = Math.max(expected.cycles().size(), actual.cycles().size());
    for (int i = 0; i < cycles; i++) {
      StepOutcome.Cycle wanted = cycle(expected, i);
      StepOutcome.Cycle got = cycle(actual, i);
      if (!wanted.equals(got)) {
        return block(place + "cycle " + i, lines(wanted), lines(got));
      }
    }
    return expected.pending().equals(actual.pending())
        ? block(
            place + "inadmissible", lines(expected.inadmissible()), lines(actual.inadmissible()))
        : block(place + "pending", lines(expected.pending()), lines(actual.pending()));
  }

  private static StepOutcome.Cycle cycle(StepOutcome outcome, int index) {
    return index < outcome.cycles().size() ? outcome.cycles().get(index) : EMPTY;
  }

  /** {@return a title, and the lines that only one side has; the order if nothing else differs} */
  static String block(String title, List<String> expected, List<String> actual) {
    Multiset<String> wanted = HashMultiset.create(expected);
    Multiset<String> got = HashMultiset.create(actual);
    boolean onlyOrderDiffers = wanted.equals(got);
    StringBuilder block = new StringBuilder(title).append(":\n");
    (onlyOrderDiffers ? expected : sorted(Multisets.difference(wanted, got)))
        .forEach(line -> block.append("  expected  ").append(line).append('\n'));
    (onlyOrderDiffers ? actual : sorted(Multisets.difference(got, wanted)))
        .forEach(line -> block.append("  engine    ").append(line).append('\n'));
    return block.toString();
  }

  private static ImmutableList<String> sorted(Multiset<String> lines) {
    return ImmutableList.sortedCopyOf(lines);
  }

  private static ImmutableList<String> lines(StepOutcome.Cycle cycle) {
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    cycle
        .admitted()
        .forEach(admitted -> lines.add("admitted " + admitted.workload() + " by "
            + admitted.clusterQueue() + ": "
            + admitted.podSets().stream()
                .map(Differences::text)
                .collect(Collectors.joining(", "))));
    cycle
        .preempted()
        .forEach(preempted -> lines.add("preempted " + preempted.workload() + " for "
            + preempted.by() + " (" + preempted.reason() + ")"));
    return lines.build();
  }

  private static String text(StepOutcome.AdmittedPodSet podSet) {
    return podSet.name() + " x " + podSet.count() + " " + podSet.flavors()
        + (podSet.topology().isEmpty() ? "" : " " + podSet.levels() + " " + podSet.topology());
  }

  private static ImmutableList<String> lines(Map<String, List<String>> queues) {
    return queues.entrySet().stream()
        .flatMap(
            queue -> queue.getValue().stream().map(workload -> workload + " in " + queue.getKey()))
        .collect(toImmutableList());
  }
}
