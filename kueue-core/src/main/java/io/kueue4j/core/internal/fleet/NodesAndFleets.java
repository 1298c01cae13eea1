package io.kueue4j.core.internal.fleet;

import static com.google.common.collect.ImmutableSet.toImmutableSet;

import io.kueue4j.core.internal.quota.Footprint;
import io.kueue4j.core.internal.quota.TrialParticipant;
import io.kueue4j.core.internal.topology.Inventories;
import io.kueue4j.core.model.Node;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What workloads use besides quota: nodes of topologies and TPU slices.
 *
 * @param nodes the nodes
 * @param fleets the TPU pools
 */
public record NodesAndFleets(Inventories nodes, Fleets fleets) implements TrialParticipant {
  /** {@return the result of {@code action}, a trial that is rolled back} */
  public <T> T inTrial(Supplier<T> action) {
    checkpoint();
    try {
      return action.get();
    } finally {
      rollback();
    }
  }

  /** In a trial, closes the nodes with these labels, if any are given, or opens them again. */
  public void setClosed(Map<String, String> labels, boolean isClosed) {
    if (labels.isEmpty()) {
      return;
    }
    List<Node> matching = nodes.withLabels(labels);
    matching.forEach(node -> nodes.setClosed(node, isClosed));
    fleets.setClosed(matching.stream().map(Node::name).collect(toImmutableSet()), isClosed);
  }

  @Override
  public void checkpoint() {
    nodes.checkpoint();
    fleets.checkpoint();
  }

  @Override
  public void rollback() {
    nodes.rollback();
    fleets.rollback();
  }

  @Override
  public void charge(Footprint footprint) {
    nodes.charge(footprint);
    fleets.put(footprint.slices());
  }

  @Override
  public void uncharge(Footprint footprint) {
    nodes.uncharge(footprint);
    fleets.remove(footprint.slices());
  }

  @Override
  public void commit(Footprint footprint) {
    nodes.commit(footprint);
    fleets.put(footprint.slices());
  }

  @Override
  public void withdraw(Footprint footprint) {
    nodes.withdraw(footprint);
    fleets.remove(footprint.slices());
  }
}
