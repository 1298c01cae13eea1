package io.kueue4j.k8s.kueue;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.core.model.PodSet;

/** Turns pods into what admission needs to know of them. */
@FunctionalInterface
public interface PodTemplateConverter {
  /**
   * {@return a pod set with what comes from the pods alone: requests, node selector, tolerations,
   * affinity and shape; name, count and group are set by the caller}
   *
   * @throws IllegalArgumentException if the template cannot be understood; the message says why
   */
  PodSet.Builder convert(PodTemplateSpec template);
}
