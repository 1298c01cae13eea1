package io.kueue4j.k8s.internal.kueue;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TopologyAssignment;
import io.kueue4j.core.model.TopologyAssignment.Domain;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.YamlNode;
import io.kueue4j.k8s.internal.yaml.YamlScalar;
import io.kueue4j.k8s.internal.yaml.YamlSequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads {@code topologyAssignment} in both formats: a list of domains (v1beta1), or slices whose
 * common parts of names are written once (v1beta2).
 *
 * <p>Rules: T-50, T-51, T-52.
 */
final class TopologyAssignmentReader {
  private final Fields assignment;
  private final List<String> levels;
  private final ImmutableList.Builder<Domain> domains = ImmutableList.builder();

  private TopologyAssignmentReader(Fields assignment) {
    this.assignment = assignment;
    this.levels = assignment.texts("levels");
  }

  static Optional<TopologyAssignment> read(Fields assignment) {
    return assignment.isPresent()
        ? Optional.of(new TopologyAssignmentReader(assignment).read())
        : Optional.empty();
  }

  private TopologyAssignment read() {
    if (levels.isEmpty()) {
      assignment.missing("levels", "the levels that domains are named by");
    }
    for (Fields domain : assignment.objects("domains")) {
      add(domain, domain.texts("values"), domain.integer("count").orElse(0));
    }
    assignment.objects("slices").forEach(this::readSlice);
    return hostsOnly(new TopologyAssignment(levels, domains.build()));
  }

  private void readSlice(Fields slice) {
    int domainCount = slice.integer("domainCount").orElse(0);
    List<Fields> valuesPerLevel = slice.objects("valuesPerLevel");
    if (domainCount < 1) {
      slice.problem("domainCount", "missing or below 1; expected the number of domains");
      return;
    }
    List<List<String>> byLevel = new ArrayList<>();
    for (Fields values : valuesPerLevel) {
      byLevel.add(values(values, domainCount));
    }
    ImmutableList<Integer> counts = counts(slice.object("podCounts"), domainCount);
    if (byLevel.stream().anyMatch(values -> values.size() != domainCount)
        || counts.size() != domainCount) {
      slice.problem(
          "valuesPerLevel",
          "not one value for each of " + domainCount + " domains; expected as many");
      return;
    }
    for (int i = 0; i < domainCount; i++) {
      int at = i;
      List<String> values =
          byLevel.stream().map(level -> level.get(at)).collect(ImmutableList.toImmutableList());
      add(slice, values, counts.get(i));
    }
  }

  private static List<String> values(Fields values, int domainCount) {
    Optional<String> universal = values.text("universal");
    if (universal.isPresent()) {
      return repeat(universal.get(), domainCount);
    }
    Fields individual = values.object("individual");
    String prefix = individual.text("prefix").orElse("");
    String suffix = individual.text("suffix").orElse("");
    return individual.texts("roots").stream()
        .map(root -> prefix + root + suffix)
        .collect(ImmutableList.toImmutableList());
  }

  private static ImmutableList<Integer> counts(Fields counts, int domainCount) {
    if (counts.has("universal")) {
      return repeat(counts.integer("universal").orElse(0), domainCount);
    }
    ImmutableList.Builder<Integer> individual = ImmutableList.builder();
    Optional<YamlNode> list = counts.value("individual");
    if (list.isPresent() && list.get() instanceof YamlSequence sequence) {
      for (YamlNode item : sequence.items()) {
        individual.add(item instanceof YamlScalar scalar ? count(scalar, counts) : 0);
      }
    }
    return individual.build();
  }

  private static int count(YamlScalar scalar, Fields counts) {
    if (scalar.type() == YamlScalar.Type.INTEGER) {
      Integer count = com.google.common.primitives.Ints.tryParse(scalar.text());
      if (count != null) {
        return count;
      }
    }
    counts.problem("individual", scalar.describe() + "; expected a 32-bit integer");
    return 0;
  }

  private static <T> ImmutableList<T> repeat(T value, int count) {
    return ImmutableList.copyOf(java.util.Collections.nCopies(count, value));
  }

  private void add(Fields place, List<String> values, int count) {
    if (values.size() != levels.size()) {
      place.problem("values", values + "; expected one value for each of the levels " + levels);
    } else if (count < 1) {
      place.problem("count", count + " pods; expected 1 or more");
    } else {
      domains.add(new Domain(values, count));
    }
  }

  /**
   * {@return the assignment with the host level alone if the lowest level is the host: host names
   * are unique}
   */
  private static TopologyAssignment hostsOnly(TopologyAssignment given) {
    int last = given.levels().size() - 1;
    if (last < 1 || !given.levels().get(last).equals(Topology.HOSTNAME)) {
      return given;
    }
    return new TopologyAssignment(
        given.levels().subList(last, last + 1),
        given.domains().stream()
            .map(domain -> new Domain(domain.values().subList(last, last + 1), domain.count()))
            .collect(ImmutableList.toImmutableList()));
  }
}
