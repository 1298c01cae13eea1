package io.kueue4j.examples.controller.configuration;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import com.google.common.hash.Hashing;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.SliceAssignment;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.tpu.AxisOrder;
import io.kueue4j.core.tpu.SlicePlacement;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuPool;
import io.kueue4j.examples.controller.object.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

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
    corners(placement).forEach(host -> corners.add(placement.pool().nodes().get(host)));
    return json.put("nodes", digest(placement));
  }

  /** {@return the first host of each cube, or of the box, by its number} */
  private static Stream<Integer> corners(SlicePlacement placement) {
    return placement.partitions().isEmpty()
        ? Stream.of(placement.origin())
        : placement.partitions().stream().map(TpuPool.Block::firstHost);
  }

  private static String digest(SlicePlacement placement) {
    return Hashing.sha256()
        .hashString(Joiner.on('\n').join(placement.nodes()), UTF_8)
        .toString();
  }

  /** {@return an admission without slices} */
  public static Admission without(Admission admission) {
    return map(admission, assignment -> withSlices(assignment, ImmutableList.of()));
  }

  private static PodSetAssignment withSlices(
      PodSetAssignment assignment, List<SliceAssignment> slices) {
    return PodSetAssignment.builder().from(assignment).slices(slices).build();
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
          admission,
          assignment -> withSlices(
              assignment, Json.list(podSets, assignment.name(), slice -> read(slice, poolSets))));
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
    // The number of a node that is gone is -1, which no slice begins at and no cube has.
    List<Integer> corners =
        Json.list(json, "corners", corner -> pool.nodes().indexOf(corner.asText()));
    SlicePlacement placement = new SlicePlacement(
        pool,
        SliceShape.parse(Json.text(json, "shape")),
        AxisOrder.valueOf(Json.text(json, "order")),
        corners.isEmpty() ? -1 : corners.get(0),
        pool.kind() == TpuPool.Kind.CUBES_OCS
            ? Lists.transform(corners, host -> Math.floorDiv(host, pool.hosts() / pool.cubes()))
            : ImmutableList.of());
    if (!digest(placement).equals(Json.text(json, "nodes"))) {
      throw new IllegalArgumentException("other nodes than recorded: " + json);
    }
    return new SliceAssignment(poolSet, placement);
  }
}
