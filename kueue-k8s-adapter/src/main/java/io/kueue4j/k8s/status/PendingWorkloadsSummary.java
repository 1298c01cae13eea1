package io.kueue4j.k8s.status;

import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pending workloads of a queue, in order of service.
 *
 * <p>Kueue: {@code PendingWorkloadsSummary} of the visibility API.
 *
 * @param items the workloads
 * @since 0.1.0
 */
public record PendingWorkloadsSummary(List<PendingWorkloadInfo> items) {
  /** Copies what it is given. */
  public PendingWorkloadsSummary {
    items = ImmutableList.copyOf(items);
  }

  static final String GROUP = "visibility.kueue.x-k8s.io";

  /**
   * {@return the summary as an object of the visibility API, for any JSON or YAML writer}
   *
   * @param version v1beta1 or v1beta2
   * @throws IllegalArgumentException if it is another version
   */
  public GenericKubernetesResource write(KueueApiVersion version) {
    GenericKubernetesResource summary = new GenericKubernetesResource();
    summary.setApiVersion(GROUP + "/" + version.requireWritable());
    summary.setKind("PendingWorkloadsSummary");
    Map<String, Object> fields = new LinkedHashMap<>();
    List<Object> written =
        items.stream().map(PendingWorkloadInfo::write).collect(ImmutableList.toImmutableList());
    fields.put("items", written);
    summary.setAdditionalProperties(fields);
    return summary;
  }
}
