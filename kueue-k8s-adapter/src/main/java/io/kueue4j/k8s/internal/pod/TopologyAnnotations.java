package io.kueue4j.k8s.internal.pod;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.Ints;
import com.google.common.primitives.UnsignedLongs;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.core.decision.KueueFix;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import io.kueue4j.core.model.Violation;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.k8s.internal.yaml.BooleanText;
import io.kueue4j.k8s.internal.yaml.FieldPath;
import io.kueue4j.k8s.pod.PodTemplates;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the annotations of pods that request placement close together.
 *
 * <pre>{@code
 * TopologyRequest request = TopologyAnnotations.request(template).build();
 * }</pre>
 *
 * <p>Rules: T-8, T-16, T-90, T-93.
 *
 * @since 0.1.0
 */
public final class TopologyAnnotations {
  /** All pods must be in one domain of this level, a key of node labels. */
  public static final String REQUIRED = "kueue.x-k8s.io/podset-required-topology";

  /** All pods should be in one domain of this level, a key of node labels. */
  public static final String PREFERRED = "kueue.x-k8s.io/podset-preferred-topology";

  /** Pods are placed without constraint: {@code true} or {@code false}. */
  public static final String UNCONSTRAINED = "kueue.x-k8s.io/podset-unconstrained-topology";

  /** Each slice must be in one domain of this level, a key of node labels. */
  public static final String SLICE_REQUIRED = "kueue.x-k8s.io/podset-slice-required-topology";

  /** The number of pods in a slice. */
  public static final String SLICE_SIZE = "kueue.x-k8s.io/podset-slice-size";

  /**
   * Nested slices, coarsest first: a JSON list of objects with {@code topology} and {@code size}.
   */
  public static final String SLICE_CONSTRAINTS =
      "kueue.x-k8s.io/podset-slice-required-topology-constraints";

  /** The name shared by pod sets that are placed together. */
  public static final String GROUP = "kueue.x-k8s.io/podset-group-name";

  /** The number that the indexes of the pods of a pod set start with. */
  public static final String INDEX_OFFSET = "kueue.x-k8s.io/pod-index-offset";

  /**
   * The annotations by which Kueue recognises pods to be placed; a group or a slice size alone does
   * not count.
   */
  private static final ImmutableSet<String> PLACING =
      ImmutableSet.of(REQUIRED, PREFERRED, UNCONSTRAINED, SLICE_REQUIRED, SLICE_CONSTRAINTS);

  private final Map<String, String> annotations;

  private TopologyAnnotations(@Nullable ObjectMeta metadata) {
    this.annotations = metadata == null || metadata.getAnnotations() == null
        ? ImmutableMap.of()
        : metadata.getAnnotations();
  }

  /** {@return whether admission places pods with {@code metadata}} */
  public static boolean isPlaced(@Nullable ObjectMeta metadata) {
    return new TopologyAnnotations(metadata)
        .annotations.keySet().stream().anyMatch(PLACING::contains);
  }

  /**
   * {@return the topology request of {@code template}; annotations that cannot be read, which
   * {@link #violations} reports, are skipped}
   */
  public static TopologyRequest.Builder request(PodTemplateSpec template) {
    TopologyAnnotations given = new TopologyAnnotations(template.getMetadata());
    TopologyRequest.Builder request = TopologyRequest.builder();
    given.text(REQUIRED).ifPresent(request::required);
    given.text(PREFERRED).ifPresent(request::preferred);
    given.text(UNCONSTRAINED).flatMap(BooleanText::parse).ifPresent(request::unconstrained);
    given.text(SLICE_REQUIRED).ifPresent(request::sliceTopology);
    given.sliceSize().ifPresent(request::sliceSize);
    given
        .text(SLICE_CONSTRAINTS)
        .map(SliceConstraintsText::read)
        .ifPresent(text -> request.addAllSliceConstraints(text.constraints()));
    return request;
  }

  /** {@return the name of the group that {@code template} belongs to, absent if it has none} */
  public static Optional<String> group(PodTemplateSpec template) {
    return new TopologyAnnotations(template.getMetadata())
        .text(GROUP)
        .filter(name -> !name.isEmpty());
  }

  /**
   * {@return every rule that the annotations of {@code template} violate}
   *
   * <p>Whether levels exist, and the order of several slices, can be checked only with the topology
   * of the flavor that the pods get.
   *
   * @param podCount the number of pods that are made of the template
   * @param slicedGroups whether pod sets of a group may ask for slices, Kueue's gate
   *     TASGroupedPodSetSlicing
   */
  public static List<Violation> violations(
      PodTemplates.Located template, int podCount, boolean slicedGroups) {
    AnnotationErrors errors = new AnnotationErrors(template.object());
    TopologyAnnotations given = new TopologyAnnotations(template.template().getMetadata());
    given.check(annotationsPath(template), podCount, errors);
    if (!slicedGroups) {
      given.refuseSlicesOfGroups(annotationsPath(template), errors);
    }
    return errors.found();
  }

  /**
   * {@return the rules on a smaller last slice that the annotations of {@code template} violate}
   *
   * <p>Pods that do not fill whole slices need a single layer of slices and a fixed number of pods.
   * That holds with Kueue's gate TASPartialSlices.
   *
   * @param podCount the number of pods that are made of the template
   * @param hasMinCount whether fewer pods than that may be admitted
   */
  public static List<Violation> partialSliceViolations(
      PodTemplates.Located template, int podCount, boolean hasMinCount) {
    AnnotationErrors errors = new AnnotationErrors(template.object());
    TopologyAnnotations given = new TopologyAnnotations(template.template().getMetadata());
    ImmutableList<SliceConstraint> layers = given
        .text(SLICE_CONSTRAINTS)
        .map(text -> SliceConstraintsText.read(text).constraints())
        .orElse(ImmutableList.of());
    int size = layers.isEmpty() ? given.sliceSize().orElse(0) : layers.get(0).size();
    boolean isPartial = size > 0 && size <= podCount && podCount % size != 0;
    if (isPartial && (layers.size() > 1 || hasMinCount)) {
      errors.add(
          field(annotationsPath(template), layers.isEmpty() ? SLICE_SIZE : SLICE_CONSTRAINTS),
          size + "; expected a divisor of the number of pods, " + podCount + ", "
              + (layers.size() > 1
                  ? "with several layers of slices"
                  : "in a job that may start with fewer pods"));
    }
    return errors.found();
  }

  /**
   * {@return the rules on {@link #INDEX_OFFSET} that the annotations of {@code template} violate}
   *
   * <p>They hold with {@link KueueFix#CHECKED_INDEX_OFFSETS}.
   */
  public static List<Violation> indexOffsetViolations(PodTemplates.Located template) {
    AnnotationErrors errors = new AnnotationErrors(template.object());
    TopologyAnnotations given = new TopologyAnnotations(template.template().getMetadata());
    String field = field(annotationsPath(template), INDEX_OFFSET);
    given.text(INDEX_OFFSET).ifPresent(offset -> {
      if (given.annotations.containsKey(GROUP)) {
        errors.add(field, "not together with " + GROUP + "; remove one of the annotations");
      } else if (given.integer(INDEX_OFFSET).orElse(-1) < 0) {
        errors.add(field, "\"" + offset + "\"; expected an integer of 0 or more");
      }
    });
    return errors.found();
  }

  private void check(String path, int podCount, AnnotationErrors errors) {
    ImmutableList<String> modes = ImmutableList.of(REQUIRED, PREFERRED, UNCONSTRAINED).stream()
        .filter(annotations::containsKey)
        .collect(ImmutableList.toImmutableList());
    if (modes.size() > 1) {
      errors.add(path, "both " + String.join(" and ", modes) + "; expected at most one of them");
    }
    for (String level : ImmutableList.of(REQUIRED, PREFERRED, SLICE_REQUIRED)) {
      text(level)
          .filter(value -> !ResourceNames.isQualifiedName(value))
          .ifPresent(value ->
              errors.add(field(path, level), "\"" + value + "\" is no key of node labels"));
    }
    text(UNCONSTRAINED)
        .filter(value -> BooleanText.parse(value).isEmpty())
        .ifPresent(value ->
            errors.add(field(path, UNCONSTRAINED), "\"" + value + "\"; expected true or false"));
    checkSlice(path, podCount, errors);
    text(SLICE_CONSTRAINTS)
        .map(SliceConstraintsText::read)
        .ifPresent(text -> text.check(field(path, SLICE_CONSTRAINTS), podCount, errors));
    checkGroup(path, errors);
  }

  private void checkSlice(String path, int podCount, AnnotationErrors errors) {
    boolean level = annotations.containsKey(SLICE_REQUIRED);
    boolean size = annotations.containsKey(SLICE_SIZE);
    if (level != size) {
      String missing = level ? SLICE_SIZE : SLICE_REQUIRED;
      errors.add(
          field(path, missing),
          "missing; expected together with " + (level ? SLICE_REQUIRED : SLICE_SIZE));
    }
    int pods = sliceSize().orElse(0);
    if (size && (pods < 1 || pods > podCount)) {
      errors.add(
          field(path, SLICE_SIZE),
          "\"" + text(SLICE_SIZE).orElse("") + "\"; expected an integer from 1 to the number of"
              + " pods, " + podCount);
    }
    if (annotations.containsKey(SLICE_CONSTRAINTS) && (level || size)) {
      errors.add(
          field(path, SLICE_CONSTRAINTS),
          "not together with " + (level ? SLICE_REQUIRED : SLICE_SIZE)
              + "; remove one of the annotations");
    }
  }

  private void checkGroup(String path, AnnotationErrors errors) {
    Optional<String> name = text(GROUP);
    if (name.isEmpty()) {
      return;
    }
    if (isNumber(name.get())) {
      errors.add(field(path, GROUP), "\"" + name.get() + "\" is a number; expected a name");
    }
    if (!annotations.containsKey(REQUIRED) && !annotations.containsKey(PREFERRED)) {
      errors.add(field(path, GROUP), "expected together with " + REQUIRED + " or " + PREFERRED);
    }
  }

  private void refuseSlicesOfGroups(String path, AnnotationErrors errors) {
    for (String slices : ImmutableList.of(SLICE_REQUIRED, SLICE_SIZE, SLICE_CONSTRAINTS)) {
      if (text(GROUP).isPresent() && annotations.containsKey(slices)) {
        errors.add(
            field(path, GROUP), "not together with " + slices + "; remove one of the annotations");
      }
    }
  }

  private static boolean isNumber(String text) {
    try {
      UnsignedLongs.parseUnsignedLong(text);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private Optional<Integer> sliceSize() {
    return integer(SLICE_SIZE);
  }

  private Optional<Integer> integer(String key) {
    return text(key).map(TopologyAnnotations::withoutPlus).map(Ints::tryParse);
  }

  /** Removes a plus sign, which upstream's parser of integers accepts. */
  private static String withoutPlus(String text) {
    return text.startsWith("+") && !text.startsWith("+-") ? text.substring(1) : text;
  }

  private Optional<String> text(String key) {
    return annotations.containsKey(key)
        ? Optional.of(Strings.nullToEmpty(annotations.get(key)))
        : Optional.empty();
  }

  private static String field(String path, String key) {
    return path + "[" + key + "]";
  }

  private static String annotationsPath(PodTemplates.Located template) {
    return FieldPath.join(template.path(), "metadata.annotations");
  }
}
