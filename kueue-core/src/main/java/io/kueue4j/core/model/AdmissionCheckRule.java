package io.kueue4j.core.model;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * An admission check that a ClusterQueue requires.
 *
 * @param name the name of the AdmissionCheck
 * @param onFlavors the flavors for which it is required, empty for all
 * @since 0.1.0
 */
public record AdmissionCheckRule(String name, List<String> onFlavors) {
  /** Copies what it is given. */
  public AdmissionCheckRule {
    onFlavors = ImmutableList.copyOf(onFlavors);
  }
}
