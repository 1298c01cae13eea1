package io.kueue4j.k8s.metrics;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A label of series whose value is a label or annotation of the object of the series: a queue, a
 * cohort, or a workload.
 *
 * <p>Kueue: an entry of {@code Configuration.metrics.customLabels} (feature gate
 * {@code CustomMetricLabels}).
 *
 * <pre>{@code
 * CustomLabel team = CustomLabel.ofLabel("team", CustomLabel.Source.CLUSTER_QUEUE, "example.com/team");
 * // kueue_pending_workloads{cluster_queue="research",…,custom_team="physics"}
 * }</pre>
 *
 * @param name the name of the label without the prefix {@code custom_}
 * @param source the kind of objects whose metadata is read
 * @param isAnnotation whether an annotation is read; otherwise a label
 * @param key the key of the label or annotation
 * @param trackedValues the values that are reported, empty for all; other values are reported as
 *     {@link #UNTRACKED}
 * @since 0.1.0
 */
public record CustomLabel(
    String name, Source source, boolean isAnnotation, String key, Set<String> trackedValues) {
  /** The reported value for values that are not tracked. */
  public static final String UNTRACKED = "kueue.x-k8s.io/_UNTRACKED_VALUE_";

  private static final String PREFIX = "custom_";
  private static final CharMatcher LETTERS =
      CharMatcher.inRange('a', 'z').or(CharMatcher.inRange('A', 'Z'));
  private static final CharMatcher ALLOWED =
      LETTERS.or(CharMatcher.inRange('0', '9')).or(CharMatcher.is('_'));

  /** The kinds of objects whose metadata can be read. */
  public enum Source {
    /** For series with a ClusterQueue. */
    CLUSTER_QUEUE,
    /** For series of LocalQueues. */
    LOCAL_QUEUE,
    /** For series of cohorts. */
    COHORT,
    /**
     * For series that count workloads with the same value: {@code pending_workloads},
     * {@code admitted_active_workloads} and its counterpart for LocalQueues,
     * {@code local_queue_admitted_workloads_total} and
     * {@code local_queue_admission_wait_time_seconds}. Such a label must list the values that it
     * tracks.
     */
    WORKLOAD
  }

  /**
   * Finds the metadata of objects in the caller's cache.
   *
   * <p>Must not block and must not call the metrics: called while a lock is held.
   */
  @FunctionalInterface
  public interface Metadata {
    /**
     * {@return the metadata of an object, empty if the object is unknown}
     *
     * @param source the kind
     * @param namespace the namespace, empty for kinds without one
     * @param name the name; for a workload, its name in the engine
     */
    Optional<ObjectMeta> find(Source source, String namespace, String name);
  }

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException unless the name consists of letters, digits and underscores
   *     and starts with a letter
   */
  public CustomLabel {
    trackedValues = ImmutableSet.copyOf(trackedValues);
    checkArgument(
        !name.isEmpty() && LETTERS.matches(name.charAt(0)) && ALLOWED.matchesAllOf(name),
        "the custom label is called \"%s\", expected letters, digits and underscores after a letter",
        name);
  }

  /**
   * {@return a label with the value of a label of objects; all values are tracked}
   *
   * @throws IllegalArgumentException unless the name consists of letters, digits and underscores
   *     and starts with a letter
   */
  public static CustomLabel ofLabel(String name, Source source, String key) {
    return new CustomLabel(name, source, false, key, ImmutableSet.of());
  }

  /**
   * {@return a label with the value of an annotation of objects; all values are tracked}
   *
   * @throws IllegalArgumentException unless the name consists of letters, digits and underscores
   *     and starts with a letter
   */
  public static CustomLabel ofAnnotation(String name, Source source, String key) {
    return new CustomLabel(name, source, true, key, ImmutableSet.of());
  }

  /** {@return this label, restricted to the given values} */
  public CustomLabel withTrackedValues(String... values) {
    return new CustomLabel(name, source, isAnnotation, key, ImmutableSet.copyOf(values));
  }

  /** {@return the name of the label of series, such as {@code custom_team}} */
  public String labelName() {
    return PREFIX + name;
  }

  /** {@return the value for an object with that metadata; empty if the object is unknown} */
  String value(Optional<ObjectMeta> metadata) {
    if (metadata.isEmpty()) {
      return "";
    }
    @Nullable
    Map<String, String> from =
        isAnnotation ? metadata.get().getAnnotations() : metadata.get().getLabels();
    String value = from == null ? "" : from.getOrDefault(key, "");
    return trackedValues.isEmpty() || trackedValues.contains(value) ? value : UNTRACKED;
  }
}
