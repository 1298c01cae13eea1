package io.kueue4j.k8s.internal.tpu;

import com.google.common.base.Strings;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.core.tpu.HostHealth;
import io.kueue4j.core.tpu.SliceShape;
import io.kueue4j.core.tpu.TpuGeneration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node with TPU chips, as described by its labels.
 *
 * <p>Rules: TPU-U-1, TPU-U-20, TPU-U-25.
 *
 * @param node the node
 * @param generation the generation of its chips
 * @param shape the shape of the slice that its node pool forms; 4x4x4 for a node of a cube
 * @param chips the number of its own chips
 */
record TpuNode(Node node, TpuGeneration generation, SliceShape shape, int chips) {
  /** A cube: the partition that slices of all sizes are built from. */
  static final String CUBE = "4x4x4";

  /** {@return the node, null if its labels are wrong, which is added to the violations} */
  static @Nullable TpuNode read(Node node, List<Violation> violations) {
    try {
      TpuGeneration generation = generation(node);
      int chips = chips(node, generation);
      return new TpuNode(node, generation, shape(node, generation, chips), chips);
    } catch (LabelProblem problem) {
      violations.add(violation(node, problem.label, Strings.nullToEmpty(problem.getMessage())));
      return null;
    }
  }

  /** Thrown when a label is invalid. */
  private static final class LabelProblem extends Exception {
    private static final long serialVersionUID = 1;

    private final String label;

    LabelProblem(String label, String problem) {
      super(problem);
      this.label = label;
    }
  }

  private static String label(Node node, String key, String expected) throws LabelProblem {
    String value = node.labels().getOrDefault(key, "");
    if (value.isEmpty()) {
      throw new LabelProblem(key, "missing; expected " + expected);
    }
    return value;
  }

  private static TpuGeneration generation(Node node) throws LabelProblem {
    String accelerator = label(node, TpuLabels.ACCELERATOR, "for example tpu-v6e-slice");
    Optional<TpuGeneration> known = TpuGeneration.ofAccelerator(accelerator);
    if (known.isEmpty()) {
      throw new LabelProblem(
          TpuLabels.ACCELERATOR,
          "\"" + accelerator + "\" is not known; expected one of "
              + TpuGeneration.ALL.stream().map(TpuGeneration::accelerator).toList());
    }
    return known.get();
  }

  private static int chips(Node node, TpuGeneration generation) throws LabelProblem {
    long chips = node.allocatable().getOrDefault(ResourceNames.TPU, 0L);
    String count = node.labels().getOrDefault(TpuLabels.ACCELERATOR_COUNT, "");
    if (!count.isEmpty() && chips > 0 && !count.equals(Long.toString(chips))) {
      throw new LabelProblem(
          TpuLabels.ACCELERATOR_COUNT,
          "\"%s\", but %d of %s are allocatable; expected the same"
              .formatted(count, chips, ResourceNames.TPU));
    }
    String text = chips > 0 ? Long.toString(chips) : count;
    Optional<SliceShape> box = generation.hostBoxes().stream()
        .filter(each -> Integer.toString(each.chips()).equals(text))
        .findFirst();
    if (box.isEmpty()) {
      throw new LabelProblem(
          TpuLabels.ACCELERATOR_COUNT,
          "a node with \"%s\" of %s; expected %s, as hosts of %s have"
              .formatted(
                  text,
                  ResourceNames.TPU,
                  generation.hostBoxes().stream().map(SliceShape::chips).toList(),
                  generation.name()));
    }
    return box.get().chips();
  }

  /**
   * {@return the shape} A free node of a cube has no topology label: it gets one with the slice
   * that it becomes part of.
   */
  private static SliceShape shape(Node node, TpuGeneration generation, int chips)
      throws LabelProblem {
    if (isInCube(node)) {
      return SliceShape.parse(CUBE);
    }
    String text = label(
        node,
        TpuLabels.TOPOLOGY,
        "for example " + generation.shapes().get(2) + ", or the label "
            + TpuLabels.partitionId(CUBE));
    SliceShape shape;
    try {
      shape = SliceShape.parse(text);
    } catch (IllegalArgumentException e) {
      throw new LabelProblem(TpuLabels.TOPOLOGY, Strings.nullToEmpty(e.getMessage()));
    }
    Optional<String> problem = generation.problem(shape);
    if (problem.isPresent()) {
      throw new LabelProblem(TpuLabels.TOPOLOGY, problem.get());
    }
    SliceShape box = generation.hostBox(chips);
    if (chips == 1 && shape.chips() != 1) {
      throw new LabelProblem(
          TpuLabels.TOPOLOGY,
          "%s with a host of 1 chip; expected %s, as such a host is a slice by itself"
              .formatted(shape, box));
    }
    for (int axis = 0; axis < 3; axis++) {
      if (shape.extent(axis) % box.extent(axis) != 0) {
        throw new LabelProblem(
            TpuLabels.TOPOLOGY,
            "%s cannot be made of hosts of %s, which %d chips are".formatted(shape, box, chips));
      }
    }
    return shape;
  }

  private static Violation violation(Node node, String label, String problem) {
    return new Violation(node.key(), "labels[" + label + "]", problem);
  }

  Violation violation(String label, String problem) {
    return violation(node, label, problem);
  }

  String name() {
    return node.name();
  }

  String label(String key) {
    return node.labels().getOrDefault(key, "");
  }

  /** {@return whether it is part of a cube that slices of all sizes can be built from} */
  boolean isInCube() {
    return isInCube(node);
  }

  private static boolean isInCube(Node node) {
    return !node.labels().getOrDefault(TpuLabels.partitionId(CUBE), "").isEmpty();
  }

  /** {@return the name of its pool: the block of a cube, otherwise the node pool} */
  String group() {
    String key = isInCube() ? TpuLabels.BLOCK : TpuLabels.NODE_POOL;
    return node.labels().getOrDefault(key, isInCube() ? "cubes" : node.name());
  }

  int hostsPerSlice() {
    return shape.chips() / chips;
  }

  boolean isLike(TpuNode other) {
    return generation.equals(other.generation) && shape.equals(other.shape) && chips == other.chips;
  }

  /** {@return the health of the host itself} */
  HostHealth health() {
    if (!node.ready()) {
      return HostHealth.DOWN;
    }
    return node.unschedulable() ? HostHealth.CORDONED : HostHealth.HEALTHY;
  }

  /** {@return the state of its partition of a shape, healthy unless a label says otherwise} */
  HostHealth partitionHealth(String shape) {
    return switch (node.labels().getOrDefault(TpuLabels.partitionState(shape), "HEALTHY")) {
      case "HEALTHY" -> HostHealth.HEALTHY;
      case "DEGRADED" -> HostHealth.DEGRADED;
      default -> HostHealth.DOWN;
    };
  }
}
