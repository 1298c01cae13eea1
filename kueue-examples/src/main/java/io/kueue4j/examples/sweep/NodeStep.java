package io.kueue4j.examples.sweep;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableIntArray;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.Topology;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The number of nodes of a kind. Of more nodes than that, those remain that come first by name; the
 * ones that lack are copies of the first.
 *
 * @param name the name of the axis
 * @param place the place in the file
 * @param labels the labels of the nodes of this kind
 * @param counts the values
 * @param owner whose nominal quotas change by what the nodes have
 */
record NodeStep(
    String name,
    GridPlace place,
    Map<String, String> labels,
    ImmutableIntArray counts,
    Optional<QuotaOwner> owner)
    implements Step {
  @Override
  public ImmutableList<String> values() {
    return counts.asList().stream().map(String::valueOf).collect(toImmutableList());
  }

  @Override
  public List<ConfigObject> apply(List<ConfigObject> configuration, int value) {
    List<Node> nodes = configuration.stream()
        .filter(Node.class::isInstance)
        .map(Node.class::cast)
        .filter(node -> node.labels().entrySet().containsAll(labels.entrySet()))
        .sorted(Comparator.comparing(Node::name))
        .toList();
    if (nodes.isEmpty()) {
      throw place.problem("there is no node with the labels " + labels
          + "; expected one, which is copied to have more");
    }
    int count = counts.get(value);
    Set<Node> removed =
        ImmutableSet.copyOf(nodes.subList(Math.min(count, nodes.size()), nodes.size()));
    ImmutableList.Builder<ConfigObject> changed = ImmutableList.builder();
    configuration.stream()
        .filter(object -> !(object instanceof Node node && removed.contains(node)))
        .forEach(changed::add);
    Map<String, Long> difference = new HashMap<>();
    removed.forEach(node -> add(difference, node, -1));
    for (int i = nodes.size(); i < count; i++) {
      changed.add(copy(nodes.get(0), i - nodes.size() + 1));
      add(difference, nodes.get(0), 1);
    }
    return owner.isEmpty()
        ? changed.build()
        : owner
            .get()
            .change(
                changed.build(),
                ImmutableList.of(),
                quota -> Math.max(
                    0, quota.nominalQuota() + difference.getOrDefault(quota.resource(), 0L)));
  }

  private static void add(Map<String, Long> sums, Node node, int sign) {
    node.allocatable()
        .forEach((resource, amount) -> sums.merge(resource, sign * amount, Long::sum));
  }

  private static Node copy(Node node, int number) {
    String name = node.name() + "-copy-" + number;
    Map<String, String> labels = new HashMap<>(node.labels());
    labels.replace(Topology.HOSTNAME, name);
    // No pods of others run on it.
    return Node.builder()
        .from(node)
        .name(name)
        .labels(labels)
        .usedByOthers(ImmutableMap.of())
        .build();
  }
}
