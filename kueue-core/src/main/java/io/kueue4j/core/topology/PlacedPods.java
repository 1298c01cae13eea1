package io.kueue4j.core.topology;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.compiled.PodRequest;
import io.kueue4j.core.quota.Footprint;
import java.util.OptionalInt;

/**
 * The pods of an admitted workload on the leaves of topologies. Those on leaves that do not exist
 * any more take nothing until they exist again.
 *
 * <p>Rules: T-9, T-11, T-12.
 */
public final class PlacedPods implements Footprint {
  private final Inventories inventories;
  private final ImmutableList<Part> parts;

  /**
   * Equal pods on one leaf.
   *
   * @param flavor the flavor whose nodes they are on
   * @param values what tells the leaf from others
   * @param request what one pod takes
   * @param count the number of pods
   */
  public record Part(int flavor, ImmutableList<String> values, PodRequest request, int count) {}

  /** Creates the footprint of pods that are not charged yet. */
  public PlacedPods(Inventories inventories, ImmutableList<Part> parts) {
    this.inventories = inventories;
    this.parts = parts;
  }

  /** {@return the pods} */
  public ImmutableList<Part> parts() {
    return parts;
  }

  @Override
  public void charge() {
    change(1);
  }

  @Override
  public void uncharge() {
    change(-1);
  }

  private void change(int sign) {
    for (Part part : parts) {
      Inventory inventory = inventories.of(part.flavor);
      if (inventory != null) {
        OptionalInt leaf = inventory.leaf(part.values);
        if (leaf.isPresent()) {
          inventory.charge(leaf.getAsInt(), part.request, sign * part.count);
        }
      }
    }
  }

  @Override
  public void commit() {
    settle(1);
  }

  @Override
  public void withdraw() {
    settle(-1);
  }

  private void settle(int sign) {
    for (Part part : parts) {
      Inventory inventory = inventories.of(part.flavor);
      if (inventory != null) {
        inventories.commit(inventory, part.values, part.request, sign * part.count);
      }
    }
  }
}
