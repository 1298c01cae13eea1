package io.kueue4j.core.tpu;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.immutables.value.Value;

/**
 * The chips connected by one interconnect: a pod that is a grid, a set of cubes behind the same
 * optical switches, or a fixed torus. A slice never spans two pools.
 *
 * <p>Hosts have numbers. In a grid or torus, host {@code (x, y, z)} has number {@code x + width *
 * (y + height * z)}, counted in hosts. In pools of cubes, numbers 16c to 16c + 15 are the hosts of
 * cube c, which is two hosts wide, two high and four deep.
 *
 * <pre>{@code
 * TpuPool pod = TpuPool.grid("pod-0", TpuGeneration.V6E, SliceShape.parse("16x16"), 4);
 * TpuPool superpod = TpuPool.cubes("block-0", TpuGeneration.V7X, 144);
 * }</pre>
 *
 * <p>Rules: TPU-U-1, TPU-U-10, TPU-F-1, TPU-F-3, TPU-F-6.
 *
 * @param id unique among the pools of a fleet; the order of ids breaks ties
 * @param fabric the name of the fabric; pools of the same fabric are near each other
 *     ({@link SliceRequest.Scope#SAME_FABRIC})
 * @param generation the generation of its chips
 * @param kind how its chips are connected
 * @param chips the chips of the grid or torus, or of one cube
 * @param cubes the number of cubes; 1 if the pool does not consist of cubes
 * @param hostBox the chips of one host
 * @param alignment where boxes may begin
 * @param crossesSeams whether slices of a torus may wrap around
 * @param nodes the names of the hosts by number; empty if they have no names
 * @param partitionIds the names of aligned blocks; see {@link #withPartitionIds}
 * @since 0.1.0
 */
@Value.Builder
public record TpuPool(
    String id,
    String fabric,
    TpuGeneration generation,
    Kind kind,
    SliceShape chips,
    int cubes,
    SliceShape hostBox,
    Alignment alignment,
    boolean crossesSeams,
    @Value.PlainAttribute List<String> nodes,
    @Value.PlainAttribute Map<Block, String> partitionIds) {

  /** How the chips of a pool are connected. */
  public enum Kind {
    /** A grid of two dimensions. */
    GRID_2D,
    /** Cubes, any of which can be joined. */
    CUBES_OCS,
    /** A torus of three dimensions in which slices are boxes of neighboring chips. */
    GRID_3D_FIXED
  }

  /** Where slices that are boxes may begin. */
  public enum Alignment {
    /**
     * At multiples of their own extents, and not turned, like the blocks that have partition ids.
     */
    ALIGNED_IDS,
    /** At any host. */
    HOST_ALIGNED
  }

  /**
   * An aligned block of hosts.
   *
   * @param shape its extents
   * @param firstHost the number of its lowest host
   */
  public record Block(SliceShape shape, int firstHost) {}

  private static final int HOSTS_PER_CUBE = 16;
  private static final int MAX_CUBES = 16_384;

  /**
   * Creates the pool.
   *
   * @throws IllegalArgumentException if the values contradict each other or the generation
   */
  public TpuPool {
    nodes = ImmutableList.copyOf(nodes);
    partitionIds = ImmutableMap.copyOf(partitionIds);
    checkArgument(!id.isEmpty(), "a pool without id, expected for example pod-0");
    checkArgument(
        chips.dimensions() == generation.dimensions(),
        "pool %s of %s chips, expected %s dimensions as generation %s has",
        id,
        chips,
        generation.dimensions(),
        generation.name());
    checkArgument(
        generation.hostBoxes().contains(hostBox),
        "pool %s with hosts of %s chips, expected one of %s",
        id,
        hostBox,
        generation.hostBoxes());
    for (int axis = 0; axis < 3; axis++) {
      checkArgument(
          chips.extent(axis) % hostBox.extent(axis) == 0,
          "pool %s of %s chips, expected multiples of its hosts' %s",
          id,
          chips,
          hostBox);
    }
    checkArgument(
        kind == Kind.CUBES_OCS || chips.chips() <= generation.podChips(),
        "pool %s of %s chips, expected at most the %s of a pod of %s",
        id,
        chips,
        generation.podChips(),
        generation.name());
    checkArgument(
        kind != Kind.CUBES_OCS || chips.chips() / hostBox.chips() == HOSTS_PER_CUBE,
        "pool %s with cubes of %s chips and hosts of %s, expected %s hosts in a cube of 4x4x4",
        id,
        chips,
        hostBox,
        HOSTS_PER_CUBE);
    checkArgument(
        cubes >= 1 && cubes <= (kind == Kind.CUBES_OCS ? MAX_CUBES : 1),
        "pool %s of %s cubes, expected 1 to %s",
        id,
        cubes,
        kind == Kind.CUBES_OCS ? MAX_CUBES : 1);
    checkArgument(
        !crossesSeams || kind == Kind.GRID_3D_FIXED,
        "pool %s crosses seams, expected only of a fixed torus",
        id);
    int hosts = chips.chips() / hostBox.chips() * cubes;
    checkArgument(
        nodes.isEmpty() || nodes.size() == hosts,
        "pool %s names %s nodes, expected none or %s",
        id,
        nodes.size(),
        hosts);
  }

  /**
   * {@return a pod that is a grid, with {@code chipsPerHost} chips per host}
   *
   * @throws IllegalArgumentException if the generation has no such hosts or is not a grid, if
   *     {@code id} is empty, or if {@code chips} are not multiples of the hosts' or exceed a pod
   */
  public static TpuPool grid(
      String id, TpuGeneration generation, SliceShape chips, int chipsPerHost) {
    return of(id, generation, Kind.GRID_2D, chips, 1, generation.hostBox(chipsPerHost));
  }

  /**
   * {@return a pool of cubes of 4x4x4 chips behind the same optical switches}
   *
   * @throws IllegalArgumentException if the generation has no cubes, if {@code id} is empty, or if
   *     {@code cubes} is not 1 to 16,384
   */
  public static TpuPool cubes(String id, TpuGeneration generation, int cubes) {
    SliceShape cube = SliceShape.of(4, 4, 4);
    return of(id, generation, Kind.CUBES_OCS, cube, cubes, generation.hostBox(4));
  }

  /**
   * {@return a fixed torus, which closes a ring along each full edge}
   *
   * @throws IllegalArgumentException if the generation has other dimensions or no hosts of 4 chips,
   *     if {@code id} is empty, or if {@code chips} are not multiples of the hosts' or exceed a pod
   */
  public static TpuPool torus(String id, TpuGeneration generation, SliceShape chips) {
    return torus(id, generation, chips, 4);
  }

  /**
   * {@return a fixed torus with {@code chipsPerHost} chips per host}
   *
   * @throws IllegalArgumentException if the generation has no such hosts or has other dimensions,
   *     if {@code id} is empty, or if {@code chips} are not multiples of the hosts' or exceed a pod
   */
  public static TpuPool torus(
      String id, TpuGeneration generation, SliceShape chips, int chipsPerHost) {
    return of(id, generation, Kind.GRID_3D_FIXED, chips, 1, generation.hostBox(chipsPerHost));
  }

  private static TpuPool of(
      String id, TpuGeneration generation, Kind kind, SliceShape chips, int cubes, SliceShape box) {
    return new TpuPool(
        id,
        id,
        generation,
        kind,
        chips,
        cubes,
        box,
        Alignment.ALIGNED_IDS,
        false,
        ImmutableList.of(),
        ImmutableMap.of());
  }

  /** {@return this pool in a named fabric; by default a pool is its own fabric} */
  public TpuPool withFabric(String name) {
    return copy().fabric(name).build();
  }

  /** {@return this pool with another alignment of boxes; by default they are aligned} */
  public TpuPool withAlignment(Alignment rule) {
    return copy().alignment(rule).build();
  }

  /**
   * {@return this torus with slices that may wrap around}
   *
   * @throws IllegalArgumentException if the pool is not a fixed torus
   */
  public TpuPool withSeamCrossing() {
    return copy().crossesSeams(true).build();
  }

  /**
   * {@return this pool with names for its hosts, by number}
   *
   * @throws IllegalArgumentException if there are names, but not one for each host
   */
  public TpuPool withNodes(Collection<String> names) {
    return copy().nodes(ImmutableList.copyOf(names)).build();
  }

  /** {@return this pool with names for aligned blocks, such as GKE's partition ids} */
  public TpuPool withPartitionIds(Map<Block, String> ids) {
    return copy().partitionIds(ImmutableMap.copyOf(ids)).build();
  }

  private TpuPoolBuilder copy() {
    return new TpuPoolBuilder().from(this);
  }

  /** {@return the number of hosts} */
  public int hosts() {
    return hostsPerMesh() * cubes;
  }

  /** {@return the number of hosts along an axis of the grid, the torus, or one cube; 0 for x} */
  public int hostExtent(int axis) {
    return chips.extent(axis) / hostBox.extent(axis);
  }

  /** {@return the number of hosts of the grid, the torus, or one cube} */
  int hostsPerMesh() {
    return chips.chips() / hostBox.chips();
  }

  /** {@return whether a slice of the shape takes whole cubes here} */
  boolean takesWholeCubes(SliceShape shape) {
    return kind == Kind.CUBES_OCS
        && shape.dimensions() == 3
        && Math.min(shape.x(), Math.min(shape.y(), shape.z())) >= TpuGeneration.CUBE_EDGE;
  }

  /**
   * {@return whether a slice in this orientation closes a ring along one of its axes}. On a fixed
   * torus it does if it spans the torus; otherwise the generation decides
   */
  boolean isRing(SliceShape shape, AxisOrder order, int sliceAxis) {
    return kind == Kind.GRID_3D_FIXED
        ? shape.extent(sliceAxis) == chips.extent(order.poolAxis(sliceAxis))
        : generation.isRing(shape, sliceAxis);
  }
}
