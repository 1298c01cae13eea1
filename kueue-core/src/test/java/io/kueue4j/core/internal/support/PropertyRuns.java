package io.kueue4j.core.internal.support;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyAttributes;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * How often and from which seed every property runs.
 *
 * <p>By default a property runs as often as it declares, from a seed of its own that never changes.
 * With {@code -Dkueue4j.tries=N} it runs N times as often, from a new seed each time.
 */
public final class PropertyRuns implements AroundPropertyHook {
  private static final String FACTOR = "kueue4j.tries";
  private static final int DEFAULT_TRIES = 1000;

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }

  @Override
  public int aroundPropertyProximity() {
    return -100;
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    PropertyAttributes attributes = context.attributes();
    Integer factor = Integer.getInteger(FACTOR);
    if (factor != null) {
      long tries = (long) factor * attributes.tries().orElse(DEFAULT_TRIES);
      attributes.setTries((int) Math.min(Integer.MAX_VALUE, tries));
    } else if (attributes.seed().isEmpty()) {
      String name =
          context.containerClass().getName() + "." + context.targetMethod().getName();
      attributes.setSeed(Integer.toString(name.hashCode()));
    }
    return property.execute();
  }
}
