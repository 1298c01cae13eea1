package io.kueue4j.core.internal.operation;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.internal.state.ConfigKind;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.model.ConfigObject;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** The calls of an engine that change its configuration. Not thread-safe. */
public final class ConfigurationOperations {
  private final EngineParts parts;
  private final EngineState state;

  ConfigurationOperations(EngineParts parts) {
    this.parts = parts;
    this.state = parts.state;
  }

  /**
   * {@return the objects as a list}
   *
   * @throws NullPointerException if one of them is null; it says which one
   */
  public static ImmutableList<ConfigObject> copyOf(Iterable<? extends ConfigObject> objects) {
    ImmutableList.Builder<ConfigObject> batch = ImmutableList.builder();
    int index = 0;
    for (ConfigObject object : objects) {
      batch.add(checkNotNull(
          object, "the object at index %s is null; expected a configuration object", index));
      index++;
    }
    return batch.build();
  }

  /**
   * Adds or replaces objects, all or none of them.
   *
   * @throws io.kueue4j.core.model.InvalidConfigurationException if one of them is invalid or
   *     contradicts another one
   */
  public Decisions apply(List<ConfigObject> objects, Instant now) {
    ImmutableList<ConfigObject> valid = new ConfigurationChecker(state).validate(objects);
    new ConfigurationChange(parts, now).commit(valid);
    return state.decisions().takeAll();
  }

  /**
   * Removes objects, all or none of them.
   *
   * @throws IllegalStateException if a remaining object or workload needs one of them
   */
  public Decisions remove(Collection<ConfigKind.Key> keys, Instant now) {
    ImmutableList<ConfigKind.Key> inOrder = new ConfigurationChecker(state).validateRemoval(keys);
    new ConfigurationChange(parts, now).commitRemoval(inOrder);
    return state.decisions().takeAll();
  }
}
