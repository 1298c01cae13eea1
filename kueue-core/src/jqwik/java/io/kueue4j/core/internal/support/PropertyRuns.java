package io.kueue4j.core.internal.support;

import java.time.Duration;
import java.util.Arrays;
import java.util.Timer;
import java.util.TimerTask;
import java.util.stream.Collectors;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyAttributes;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * How often, from which seed and for how long every property runs.
 *
 * <p>By default a property runs as often as it declares, from a seed of its own that never changes.
 * With {@code -Dkueue4j.tries=N} it runs N times as often, from a new seed each time.
 *
 * <p>A property that takes longer than ten minutes, times N, is taken to hang: the JVM ends, and
 * standard error names the property and where it is. jqwik keeps its context by thread, so the
 * property cannot run in a thread that is given up.
 */
public final class PropertyRuns implements AroundPropertyHook {
  private static final String FACTOR = "kueue4j.tries";
  private static final int DEFAULT_TRIES = 1000;
  private static final Duration LIMIT = Duration.ofMinutes(10);

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
    String name =
        context.containerClass().getName() + "." + context.targetMethod().getName();
    if (factor != null) {
      long tries = (long) factor * attributes.tries().orElse(DEFAULT_TRIES);
      attributes.setTries((int) Math.min(Integer.MAX_VALUE, tries));
    } else if (attributes.seed().isEmpty()) {
      attributes.setSeed(Integer.toString(name.hashCode()));
    }
    Timer timer = new Timer("limit of " + name, true);
    long limit = LIMIT.multipliedBy(factor == null ? 1 : factor).toMillis();
    timer.schedule(end(name, Thread.currentThread()), limit);
    try {
      return property.execute();
    } finally {
      timer.cancel();
    }
  }

  private static TimerTask end(String name, Thread running) {
    return new TimerTask() {
      @Override
      public void run() {
        System.err.println(name + " hangs:"
            + Arrays.stream(running.getStackTrace())
                .map(frame -> "\n\tat " + frame)
                .collect(Collectors.joining()));
        System.err.flush();
        Runtime.getRuntime().halt(1);
      }
    };
  }
}
