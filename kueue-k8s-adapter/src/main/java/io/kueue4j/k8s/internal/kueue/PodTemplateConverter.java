package io.kueue4j.k8s.internal.kueue;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.core.model.PodSet;

/**
 * Converts pod templates to pod sets.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface PodTemplateConverter {
  /**
   * {@return a builder with everything that follows from the template alone: requests, node
   * selector, tolerations, affinity and shape; the caller sets name, count and group}
   *
   * @throws IllegalArgumentException if the template is invalid; the message names the reason
   */
  PodSet.Builder convert(PodTemplateSpec template);
}
