package io.kueue4j.examples.tpu;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuGeneration;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.k8s.internal.yaml.Fields;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Reads the description of a pool, or of several equal ones. */
final class PoolFields {
  private static final ImmutableMap<String, TpuPool.Alignment> ALIGNMENTS = ImmutableMap.of(
      "Aligned", TpuPool.Alignment.ALIGNED_IDS, "AnyHost", TpuPool.Alignment.HOST_ALIGNED);
  private static final int MOST_PODS = 256;

  private PoolFields() {}

  /** Adds the pools that fields describe; errors become problems of the fields. */
  static void add(List<TpuPool> pools, Fields fields, TpuGeneration generation) {
    String name = fields.requiredText("name");
    Optional<SliceShape> grid = shape(fields, "grid");
    Optional<SliceShape> torus = shape(fields, "torus");
    OptionalInt cubes = fields.integer("cubes");
    int chipsPerHost = fields.integer("chipsPerHost").orElse(4);
    Optional<TpuPool.Alignment> alignment = fields.choice("alignment", ALIGNMENTS);
    Optional<String> fabric = fields.text("fabric");
    boolean crosses = fields.flag("crossesSeams").orElse(false);
    List<String> nodes = fields.texts("nodes");
    int count = fields.integer("count").orElse(1);
    if (count < 1 || count > MOST_PODS) {
      fields.problem("count", count + "; expected 1 to " + MOST_PODS);
      return;
    }
    if (name.isEmpty() || isWrongKind(fields)) {
      return;
    }
    for (int number = 0; number < count; number++) {
      String id = fields.has("count") ? name + "-" + number : name;
      try {
        TpuPool pool = cubes.isPresent()
            ? TpuPool.cubes(id, generation, cubes.getAsInt())
            : torus.isPresent()
                ? TpuPool.torus(id, generation, torus.get())
                : grid.isPresent() ? TpuPool.grid(id, generation, grid.get(), chipsPerHost) : null;
        if (pool == null) {
          return; // The shape was wrong, which has been said.
        }
        pool = pool.withNodes(nodes).withFabric(fabric.orElse(id));
        pool = alignment.isPresent() ? pool.withAlignment(alignment.get()) : pool;
        pool = crosses ? pool.withSeamCrossing() : pool;
        if (pools.stream().anyMatch(other -> other.id().equals(id))) {
          fields.problem("name", "a second pool \"" + id + "\"; expected another name");
          return;
        }
        pools.add(pool);
      } catch (IllegalArgumentException e) {
        fields.problem("name", String.valueOf(e.getMessage()));
        return;
      }
    }
  }

  private static boolean isWrongKind(Fields fields) {
    ImmutableList<String> given = Stream.of("grid", "cubes", "torus")
        .filter(fields::has)
        .collect(ImmutableList.toImmutableList());
    if (given.size() != 1) {
      fields.problem(
          given.isEmpty() ? "name" : given.get(1),
          (given.isEmpty() ? "neither grid, cubes nor torus" : String.join(" and ", given))
              + "; expected one of them, such as grid: 16x16 or cubes: 64");
    }
    return given.size() != 1;
  }

  /** {@return the shape in a field; empty after adding a problem if it is invalid} */
  static Optional<SliceShape> shape(Fields fields, String name) {
    return fields.text(name).flatMap(text -> {
      try {
        return Optional.of(SliceShape.parse(text));
      } catch (IllegalArgumentException e) {
        fields.problem(name, String.valueOf(e.getMessage()));
        return Optional.empty();
      }
    });
  }
}
