package io.kueue4j.examples.sweep;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ConfigObject;
import java.util.List;

/** An amount in a configuration that takes several values. */
public sealed interface Step permits QuotaStep, NodeStep {
  /** {@return the name of its axis} */
  String name();

  /** {@return its values as text} */
  ImmutableList<String> values();

  /**
   * {@return the configuration with one of the values}
   *
   * @param configuration the configuration
   * @param value the position of the value
   * @throws io.kueue4j.examples.simulation.InputException if the configuration lacks what changes
   */
  List<ConfigObject> apply(List<ConfigObject> configuration, int value);
}
