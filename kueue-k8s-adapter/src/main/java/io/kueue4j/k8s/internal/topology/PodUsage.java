package io.kueue4j.k8s.internal.topology;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.core.resource.Amount;
import io.kueue4j.core.resource.ResourceNames;
import io.kueue4j.k8s.internal.pod.TopologyAnnotations;
import io.kueue4j.k8s.pod.PodTemplates;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The usage of a pod on its node, unless admission placed the pod.
 *
 * <p>Rules: T-8.
 *
 * @param node the node that it is bound to, empty if it is not bound
 * @param finished whether it has finished, so that it uses nothing
 * @param amounts its usage by resource, including 1 of {@code pods}; empty if admission placed it
 */
public record PodUsage(String node, boolean finished, ImmutableSortedMap<String, Long> amounts) {
  private static final ImmutableSet<String> FINISHED = ImmutableSet.of("Succeeded", "Failed");

  /**
   * {@return the usage of {@code pod}}
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if a quantity is invalid
   */
  public static PodUsage of(Pod pod) {
    PodSpec spec = Objects.requireNonNullElseGet(pod.getSpec(), PodSpec::new);
    boolean finished = isFinished(pod);
    String node = Strings.nullToEmpty(spec.getNodeName());
    ObjectMeta metadata = pod.getMetadata();
    return new PodUsage(
        node,
        finished,
        finished || node.isEmpty() || TopologyAnnotations.isPlaced(metadata)
            ? ImmutableSortedMap.of()
            : amounts(metadata, spec));
  }

  /** {@return whether {@code pod} has finished, successfully or not} */
  public static boolean isFinished(Pod pod) {
    return pod.getStatus() != null
        && FINISHED.contains(Strings.nullToEmpty(pod.getStatus().getPhase()));
  }

  /** {@return whether this usage is an older state of the pod than {@code other}} */
  public boolean isBefore(PodUsage other) {
    return (other.finished && !finished) || (!other.node.isEmpty() && node.isEmpty());
  }

  private static ImmutableSortedMap<String, Long> amounts(ObjectMeta metadata, PodSpec spec) {
    Map<String, Long> amounts = new TreeMap<>(PodTemplates.plain()
        .requests(new PodTemplates.Located(
            "Pod " + key(metadata), "", "", new PodTemplateSpec(metadata, spec))));
    amounts.merge(ResourceNames.PODS, 1L, Amount::add);
    return ImmutableSortedMap.copyOf(amounts);
  }

  /** {@return namespace and name} */
  public static String key(ObjectMeta metadata) {
    return Strings.nullToEmpty(metadata.getNamespace()) + "/"
        + Strings.nullToEmpty(metadata.getName());
  }
}
