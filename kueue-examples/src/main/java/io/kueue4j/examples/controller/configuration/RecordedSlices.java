package io.kueue4j.examples.controller.configuration;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hashing;
import com.google.common.primitives.ImmutableIntArray;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.tpu.AxisOrder;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.examples.controller.object.Json;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The TPU slices of an admission as JSON text: of each slice the pool, the shape, the orientation,
 * its corner by the name of the node (one corner for each whole cube), and a digest of the names of
 * all its nodes. Names, because hosts may get other numbers when nodes are added to a pool.
 */
public final class RecordedSlices {
  private RecordedSlices() {}

  public static boolean hasSlices(Admission admission) {
    return admission.podSetAssignments().stream()
        .anyMatch(assignment -> !assignment.slices().isEmpty());
  }

  /** {@return the slices of an admission as text, empty if it has none} */
  public static String write(Admission admission) {
    if (!hasSlices(admission)) {
      return "";
    }
    ObjectNode podSets = Json.object();
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      ArrayNode slices = podSets.putArray(assignment.name());
      assignment.slices().forEach(slice -> slices.add(write(slice)));
    }
    return Json.text(podSets);
  }

  private static ObjectNode write(SliceAssignment slice) {
    SlicePlacement placement = slice.placement();
    ObjectNode json = Json.object()
        .put("poolSet", slice.poolSet())
        .put("pool", slice.pool())
        .put("shape", placement.shape().toString())
        .put("order", placement.order().toString());
    ArrayNode corners = json.putArray("corners");
    TpuPool pool = placement.pool();
    if (takesWholeCubes(pool, placement.shape())) {
      placement.cubes().stream()
          .map(cube -> pool.nodes().get(cube * hostsPerCube(pool)))
          .forEach(corners::add);
    } else {
      corners.add(pool.nodes().get(placement.origin()));
    }
    return json.put("nodes", digest(placement));
  }

  private static boolean takesWholeCubes(TpuPool pool, SliceShape shape) {
    return pool.kind() == TpuPool.Kind.CUBES_OCS
        && shape.chips() >= pool.chips().chips();
  }

  private static int hostsPerCube(TpuPool pool) {
    return pool.hosts() / pool.cubes();
  }

  private static String digest(SlicePlacement placement) {
    return Hashing.sha256()
        .hashString(Joiner.on('\n').join(placement.nodes()), UTF_8)
        .toString();
  }

  /** {@return an admission without slices} */
  public static Admission without(Admission admission) {
    return hasSlices(admission) ? map(admission, RecordedSlices::without) : admission;
  }

  private static PodSetAssignment without(PodSetAssignment assignment) {
    return PodSetAssignment.builder()
        .from(assignment)
        .slices(ImmutableList.of())
        .build();
  }

  /** {@return an admission with a function applied to each of its assignments} */
  public static Admission map(Admission admission, UnaryOperator<PodSetAssignment> change) {
    return Admission.builder()
        .from(admission)
        .podSetAssignments(admission.podSetAssignments().stream().map(change).toList())
        .build();
  }

  /**
   * {@return an admission with the recorded slices in the present pools; without any if one of them
   * is not there any more, or the text cannot be read}
   *
   * @param poolSets the present pools, by the name of their set
   */
  static Admission restore(Admission admission, String recorded, Map<String, TpuPoolSet> poolSets) {
    try {
      JsonNode podSets = Json.parse(recorded);
      return map(
          without(admission),
          assignment -> PodSetAssignment.builder()
              .from(assignment)
              .addAllSlices(Json.list(podSets, assignment.name(), slice -> read(slice, poolSets)))
              .build());
    } catch (IllegalArgumentException e) {
      return admission;
    }
  }

  private static SliceAssignment read(JsonNode json, Map<String, TpuPoolSet> poolSets) {
    String poolSet = Json.text(json, "poolSet");
    TpuPool pool = Optional.ofNullable(poolSets.get(poolSet)).stream()
        .flatMap(set -> set.fleet().pools().stream())
        .filter(each -> each.id().equals(json.path("pool").asText()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no such pool: " + json));
    SliceShape shape = SliceShape.parse(Json.text(json, "shape"));
    ImmutableIntArray corners =
        ImmutableIntArray.copyOf(Json.list(json, "corners", corner -> host(pool, corner.asText())));
    SlicePlacement placement = takesWholeCubes(pool, shape)
        ? SlicePlacement.ofCubes(
            pool,
            shape,
            corners.stream().map(host -> host / hostsPerCube(pool)).boxed().toList())
        : SlicePlacement.ofBox(
            pool, shape, AxisOrder.valueOf(Json.text(json, "order")), corners.get(0));
    if (!digest(placement).equals(Json.text(json, "nodes"))) {
      throw new IllegalArgumentException("other nodes than recorded: " + json);
    }
    return new SliceAssignment(poolSet, placement);
  }

  private static int host(TpuPool pool, String node) {
    int host = pool.nodes().indexOf(node);
    if (host < 0) {
      throw new IllegalArgumentException("node " + node + " is not in pool " + pool.id());
    }
    return host;
  }
}
