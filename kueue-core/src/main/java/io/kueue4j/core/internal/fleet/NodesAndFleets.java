package io.kueue4j.core.internal.fleet;

import io.kueue4j.core.internal.quota.Footprint;
import io.kueue4j.core.internal.quota.TrialParticipant;
import io.kueue4j.core.internal.topology.Inventories;

/**
 * What workloads use besides quota: nodes of topologies and TPU slices.
 *
 * @param nodes the nodes
 * @param fleets the TPU pools
 */
public record NodesAndFleets(Inventories nodes, Fleets fleets) implements TrialParticipant {
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
