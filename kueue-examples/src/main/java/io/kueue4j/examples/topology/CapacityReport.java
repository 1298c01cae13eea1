package io.kueue4j.examples.topology;

import com.google.common.base.CharMatcher;
import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.AdmissionResult;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.resource.Quantity;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Writes topologies with free capacity and usage, and answers, as lines. */
public final class CapacityReport {
  private static final String INDENT = "  ";

  private CapacityReport() {}

  /** {@return the header and the rows of a table of the domains} */
  public static ImmutableList<ImmutableList<String>> rows(FlavorCapacity flavor) {
    ImmutableList.Builder<ImmutableList<String>> rows = ImmutableList.builder();
    ImmutableList.Builder<String> header = ImmutableList.builder();
    header.add("DOMAIN", "NODES");
    flavor.resources().forEach(resource -> header.add("FREE " + resource));
    rows.add(header.add("TAKEN BY").build());
    addRows(flavor, flavor.root(), rows);
    return rows.build();
  }

  private static void addRows(
      FlavorCapacity flavor,
      DomainCapacity domain,
      ImmutableList.Builder<ImmutableList<String>> rows) {
    ImmutableList.Builder<String> row = ImmutableList.builder();
    int depth = domain.path().size();
    row.add(
        depth == 0 ? "all" : INDENT.repeat(depth) + domain.name(),
        String.valueOf(domain.nodeCount()));
    flavor.resources().forEach(resource -> row.add(free(domain, resource)));
    rows.add(row.add(holders(flavor, domain)).build());
    domain.children().forEach(child -> addRows(flavor, child, rows));
  }

  static String free(DomainCapacity domain, String resource) {
    return Quantity.format(resource, domain.free(resource)) + " of "
        + Quantity.format(resource, domain.capacity(resource));
  }

  /** {@return jobs with their pods, and the usage of the flavor's resources by others} */
  static String holders(FlavorCapacity flavor, DomainCapacity domain) {
    List<String> holders = new ArrayList<>();
    domain.jobs().forEach((job, share) -> holders.add(job + "=" + share.pods()));
    String others = flavor.resources().stream()
        .filter(resource -> domain.others().getOrDefault(resource, 0L) > 0)
        .map(resource ->
            resource + " " + Quantity.format(resource, domain.others().getOrDefault(resource, 0L)))
        .collect(Collectors.joining(", "));
    if (!others.isEmpty()) {
      holders.add("others (" + others + ")");
    }
    return Joiner.on(' ').join(holders);
  }

  /** Prints where a job would be placed, or why it would not, and how large it could be. */
  public static void print(PlacementAnswer answer, PrintWriter out) {
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    lines.add("REQUEST " + answer.job().name() + ": " + asked(answer));
    answer
        .result()
        .match(
            admitted -> lines.add("  fits now"),
            reserved -> lines.add("  fits now, and waits for admission checks"),
            preempting -> lines.add("  fits when these have stopped: "
                + Joiner.on(", ")
                    .join(preempting.victims().stream()
                        .map(victim -> victim.workload())
                        .iterator())),
            pending -> addReasons(pending, lines),
            rejected -> lines.add("  breaks rules: " + Joiner.on("; ").join(rejected.reasons())));
    answer
        .admission()
        .ifPresent(admission ->
            admission.podSetAssignments().forEach(podSet -> lines.add("  " + destination(podSet))));
    lines.add("  largest number of pods of " + answer.podSet() + " that fits now: "
        + (answer.largestCount().isPresent()
            ? String.valueOf(answer.largestCount().getAsInt())
            : "none"));
    if (!answer.result().isAdmitted()) {
      answer
          .largestPod()
          .forEach(
              (resource, amount) -> lines.add("  would fit now if each pod of " + answer.podSet()
                  + " asked for " + Quantity.format(resource, amount) + " of " + resource));
    }
    // Remove control characters of names, which a terminal would obey.
    lines.build().forEach(line -> out.println(CharMatcher.javaIsoControl().replaceFrom(line, '?')));
  }

  private static ImmutableList.Builder<String> addReasons(
      AdmissionResult.Pending pending, ImmutableList.Builder<String> lines) {
    lines.add("  does not fit now");
    pending.reasons().forEach(reason -> lines.add("  because: " + reason.message()));
    return lines;
  }

  /** {@return what a job requests, in words} */
  static String asked(PlacementAnswer answer) {
    return answer.job().workload().podSets().stream()
        .map(CapacityReport::asked)
        .collect(Collectors.joining("; "));
  }

  private static String asked(PodSet podSet) {
    String requests = podSet.requests().entrySet().stream()
        .map(request ->
            request.getKey() + " " + Quantity.format(request.getKey(), request.getValue()))
        .collect(Collectors.joining(", "));
    return podSet.count() + (podSet.count() == 1 ? " pod of " : " pods of ") + podSet.name()
        + " with " + (requests.isEmpty() ? "nothing" : requests)
        + closeness(podSet.topologyRequest());
  }

  private static String closeness(TopologyRequest request) {
    StringBuilder text = new StringBuilder();
    request.required().ifPresent(level -> text.append(", required ").append(level));
    request.preferred().ifPresent(level -> text.append(", preferred ").append(level));
    request.unconstrained().ifPresent(anywhere -> text.append(", unconstrained"));
    if (request.sliceConstraints().isEmpty()) {
      request
          .sliceTopology()
          .ifPresent(level -> text.append(", slices of ")
              .append(request.sliceSize().orElse(0))
              .append(" in ")
              .append(level));
    }
    request
        .sliceConstraints()
        .forEach(slice -> text.append(", slices of ")
            .append(slice.size())
            .append(" in ")
            .append(slice.topology()));
    return text.toString();
  }

  private static String destination(PodSetAssignment podSet) {
    return podSet
        .topologyAssignment()
        .map(assignment -> podSet.name() + " goes to "
            + assignment.domains().stream()
                .map(CapacityReport::domain)
                .collect(Collectors.joining(" ")))
        .orElse(podSet.name() + " is not placed");
  }

  /** {@return a domain with its pods, such as {@code block-1/rack-2=3}} */
  public static String domain(Domain domain) {
    return Joiner.on('/').join(domain.values()) + "=" + domain.count();
  }
}
