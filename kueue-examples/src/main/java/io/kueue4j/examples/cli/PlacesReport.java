package io.kueue4j.examples.cli;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.examples.simulation.JobReport;
import io.kueue4j.examples.simulation.JobStatus;
import io.kueue4j.examples.simulation.Phase;
import io.kueue4j.examples.topology.CapacityReport;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Prints the domains or TPU slices that the pods of admitted jobs were assigned, if any. */
final class PlacesReport {
  /** The maximum number of domains that are printed by default. */
  private static final int MAX_DOMAINS = 8;

  private PlacesReport() {}

  static void print(Phase phase, boolean wide, Screen out) {
    TextTable table = new TextTable(ImmutableList.of("NAME", "POD SET", "PODS", "DOMAINS"));
    boolean any = false;
    for (JobReport job : phase.jobs()) {
      for (PodSetAssignment podSet : job.podSets()) {
        Optional<String> places = podSet.slices().isEmpty()
            ? podSet.topologyAssignment().map(assignment -> domains(assignment, wide))
            : Optional.of(slices(podSet.slices(), wide));
        if (job.status() == JobStatus.ADMITTED && places.isPresent()) {
          table.add(ImmutableList.of(
              job.job().name(), podSet.name(), String.valueOf(podSet.count()), places.get()));
          any = true;
        }
      }
    }
    if (any) {
      out.println();
      table.print(out);
    }
  }

  /** {@return the pools with their slices, such as {@code pod-0/4x8}, and all hosts if wide} */
  private static String slices(List<SliceAssignment> slices, boolean wide) {
    return slices.stream()
        .map(slice -> slice.pool() + "/" + slice.placement().shape()
            + (wide ? "=" + String.join(",", slice.hosts()) : ""))
        .collect(Collectors.joining(" "));
  }

  /** {@return the domains with their pods, such as {@code block-1/rack-2=3}} */
  static String domains(TopologyAssignment assignment, boolean all) {
    int shown = all ? assignment.domains().size() : MAX_DOMAINS;
    String named = Joiner.on(' ')
        .join(assignment.domains().stream()
            .limit(shown)
            .map(CapacityReport::domain)
            .iterator());
    int more = assignment.domains().size() - shown;
    return more > 0 ? named + " and " + more + " more" : named;
  }
}
