package io.kueue4j.core.property;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Multiplies the number of tries of each property of a class by the system property
 * {@code kueue4j.tries}, a whole number, 1 if absent.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@AddLifecycleHook(ScaledTries.Hook.class)
public @interface ScaledTries {
  /** Sets the number of tries before the first of them. */
  final class Hook implements AroundPropertyHook {
    private static final int DEFAULT_TRIES = 100;

    @Override
    public PropertyExecutionResult aroundProperty(
        PropertyLifecycleContext context, PropertyExecutor property) {
      int tries = context.attributes().tries().orElse(DEFAULT_TRIES);
      context
          .attributes()
          .setTries(Math.multiplyExact(tries, Integer.getInteger("kueue4j.tries", 1)));
      return property.execute();
    }
  }
}
