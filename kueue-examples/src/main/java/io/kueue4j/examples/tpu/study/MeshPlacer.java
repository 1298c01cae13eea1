package io.kueue4j.examples.tpu.study;

import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuFleet;
import io.kueue4j.core.tpu.TpuPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Places slices by a rule that evaluates one place after the other. Slices of several cubes take
 * the first whole cubes.
 */
final class MeshPlacer implements StudyPlacer {
  /** Hosts of one mesh. */
  private record Part(int mesh, long hosts) {}

  private final Mesh mesh;
  private final boolean aligned;
  private final MeshRule rule;
  private final CubeChoice cubes;
  private final long[] free;
  private final Map<Integer, List<Part>> held = new HashMap<>();

  /**
   * Creates a placer for a free fleet of pods or cubes.
   *
   * @param fleet the fleet, of which only the health of hosts matters
   * @param aligned whether slices start at multiples of their extents and are not rotated
   * @param rule selects the place
   * @param cubes selects whole cubes
   */
  MeshPlacer(TpuFleet fleet, boolean aligned, MeshRule rule, CubeChoice cubes) {
    this.mesh = fleet.pools().get(0).kind() == TpuPool.Kind.CUBES_OCS ? Mesh.CUBE : Mesh.POD;
    this.aligned = aligned;
    this.rule = rule;
    this.cubes = cubes;
    List<Long> healthy = new ArrayList<>();
    for (TpuPool pool : fleet.pools()) {
      for (int first = 0; first < pool.hosts(); first += mesh.hosts()) {
        long hosts = 0;
        for (int host = 0; host < mesh.hosts(); host++) {
          hosts |= fleet.health(pool.id(), first + host) == HostHealth.HEALTHY ? 1L << host : 0;
        }
        healthy.add(hosts);
      }
    }
    this.free = healthy.stream().mapToLong(Long::longValue).toArray();
  }

  @Override
  public boolean place(StudyJob job) {
    List<Part> parts = mesh.anywhere(job.shape()).isEmpty()
        ? cubes.choose(free, job.shape()).stream()
            .map(cube -> new Part(cube, (1L << mesh.hosts()) - 1))
            .toList()
        : bestPlace(job.shape());
    for (Part part : parts) {
      free[part.mesh()] &= ~part.hosts();
    }
    if (!parts.isEmpty()) {
      held.put(job.number(), parts);
    }
    return !parts.isEmpty();
  }

  private List<Part> bestPlace(SliceShape shape) {
    List<Part> best = List.of();
    long least = Long.MAX_VALUE;
    for (int each = 0; each < free.length; each++) {
      ToLongFunction<Mesh.Place> costs = rule.costs(mesh, free[each], shape);
      for (Mesh.Place place : aligned ? mesh.aligned(shape) : mesh.anywhere(shape)) {
        if ((place.hosts() & free[each]) == place.hosts()) {
          long cost = costs.applyAsLong(place);
          if (best.isEmpty() || cost < least) {
            least = cost;
            best = List.of(new Part(each, place.hosts()));
          }
          if (rule.equals(MeshRule.FIRST)) {
            return best;
          }
        }
      }
    }
    return best;
  }

  @Override
  public void end(StudyJob job) {
    for (Part part : held.getOrDefault(job.number(), List.of())) {
      free[part.mesh()] |= part.hosts();
    }
    held.remove(job.number());
  }
}
