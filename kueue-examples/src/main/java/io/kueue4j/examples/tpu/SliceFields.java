package io.kueue4j.examples.tpu;

import com.google.common.primitives.Ints;
import io.kueue4j.core.tpu.AxisOrder;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.core.tpu.TpuSlice;
import io.kueue4j.k8s.internal.yaml.Fields;
import io.kueue4j.k8s.internal.yaml.YamlNode;
import io.kueue4j.k8s.internal.yaml.YamlSequence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads running slices, and allocates them in their pools. */
final class SliceFields {
  private final Set<String> permanent;

  /**
   * Creates a reader.
   *
   * @param permanent receives the owners that must not be stopped
   */
  SliceFields(Set<String> permanent) {
    this.permanent = permanent;
  }

  /** {@return the fleet with the slice; the unchanged fleet if there is a problem} */
  TpuFleet allocate(TpuFleet fleet, Fields fields) {
    String name = fields.requiredText("name");
    String owner = fields.text("owner").orElse(name);
    String poolName = fields.requiredText("pool");
    Optional<TpuPool> pool = HostLists.pool(fleet, poolName);
    if (pool.isEmpty() && !poolName.isEmpty()) {
      fields.problem("pool", HostLists.unknown(fleet, poolName));
    }
    Optional<SliceShape> shape = PoolFields.shape(fields, "shape");
    if (!fields.has("shape")) {
      fields.missing("shape", "a topology such as 4x8");
    }
    Optional<String> problem = shape.flatMap(fleet.generation()::problem);
    problem.ifPresent(message -> fields.problem("shape", message));
    AxisOrder order =
        fields.choice("axes", Arrays.asList(AxisOrder.values())).orElse(AxisOrder.XYZ);
    boolean movable = fields.flag("movable").orElse(true);
    boolean mayTurn = fields.flag("mayTurn").orElse(false);
    if (!fields.flag("evictable").orElse(true)) {
      permanent.add(owner);
    }
    fields.ignore("host", "cubes");
    if (pool.isEmpty() || shape.isEmpty() || problem.isPresent() || name.isEmpty()) {
      return fleet;
    }
    Optional<SlicePlacement> place = placement(fields, pool.get(), shape.get(), order);
    if (place.isEmpty()) {
      return fleet;
    }
    TpuSlice slice = TpuSlice.of(name, place.get()).withOwner(owner);
    slice = movable ? slice : slice.withoutMoving();
    slice = mayTurn ? slice.withTurning() : slice;
    try {
      return fleet.allocate(slice);
    } catch (IllegalArgumentException e) {
      fields.problem("name", String.valueOf(e.getMessage()));
      return fleet;
    }
  }

  private static Optional<SlicePlacement> placement(
      Fields fields, TpuPool pool, SliceShape shape, AxisOrder order) {
    String field = fields.has("cubes") ? "cubes" : "host";
    Optional<YamlNode> value = fields.value(field);
    if (value.isEmpty()) {
      fields.missing("host", "the lowest host of the slice, or cubes: [0, 1] for whole cubes");
      return Optional.empty();
    }
    try {
      return Optional.of(
          field.equals("cubes")
              ? SlicePlacement.ofCubes(pool, shape, cubes(value.get()))
              : SlicePlacement.ofBox(
                  pool,
                  shape,
                  order,
                  HostRanges.parse(pool, HostLists.text(value.get())).get(0)));
    } catch (IllegalArgumentException e) {
      fields.problem(field, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private static List<Integer> cubes(YamlNode value) {
    List<Integer> cubes = new ArrayList<>();
    if (!(value instanceof YamlSequence list) || list.items().isEmpty()) {
      throw new IllegalArgumentException(value.describe() + "; expected a list such as [0, 1]");
    }
    for (YamlNode item : list.items()) {
      Integer cube = Ints.tryParse(HostLists.text(item));
      if (cube == null) {
        throw new IllegalArgumentException(item.describe() + "; expected the numbers of cubes");
      }
      cubes.add(cube);
    }
    return cubes;
  }
}
