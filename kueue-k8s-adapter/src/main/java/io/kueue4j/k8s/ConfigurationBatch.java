package io.kueue4j.k8s;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.Multimaps;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.InvalidConfigurationException;
import io.kueue4j.core.model.Violation;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Applies configuration to an engine as far as it is valid.
 *
 * <p>{@link AdmissionEngine#apply(Iterable)} applies all objects or none. A cluster has its objects
 * whether they are valid or not, and one that is not should keep no other from having effect.
 *
 * @since 0.1.0
 */
public final class ConfigurationBatch {
  private ConfigurationBatch() {}

  /**
   * Applies all objects in one step. If some break rules, applies the others without them; of those
   * the engine keeps what it had. The order of the objects does not matter, but of several with the
   * same {@linkplain ConfigObject#key() key} the last counts.
   *
   * @param decided receives the decisions that follow, such as evictions
   * @return the rules that objects break, by the key of the object; empty if all were applied
   */
  public static Map<String, List<Violation>> apply(
      AdmissionEngine engine,
      Iterable<? extends ConfigObject> objects,
      Consumer<? super Decisions> decided) {
    return apply(engine, objects, given -> given, decided);
  }

  /** Applies what {@code prepare} makes of the objects, which may find violations of them, too. */
  static Map<String, List<Violation>> apply(
      AdmissionEngine engine,
      Iterable<? extends ConfigObject> objects,
      Function<Collection<ConfigObject>, ? extends Iterable<ConfigObject>> prepare,
      Consumer<? super Decisions> decided) {
    Map<String, ConfigObject> remaining = new LinkedHashMap<>();
    objects.forEach(object -> remaining.put(object.key(), object));
    ListMultimap<String, Violation> refused = LinkedListMultimap.create();
    while (!remaining.isEmpty()) {
      try {
        decided.accept(engine.apply(prepare.apply(ImmutableList.copyOf(remaining.values()))));
        break;
      } catch (InvalidConfigurationException e) {
        refuse(e.violations(), remaining, refused);
      }
    }
    return Multimaps.asMap(ImmutableListMultimap.copyOf(refused));
  }

  /** Moves the objects that break rules from {@code remaining} to {@code refused}. */
  private static void refuse(
      List<Violation> violations,
      Map<String, ConfigObject> remaining,
      ListMultimap<String, Violation> refused) {
    List<Violation> ofBatch = violations.stream()
        .filter(violation -> remaining.containsKey(violation.object()))
        .collect(ImmutableList.toImmutableList());
    if (ofBatch.isEmpty()) {
      // They make an object wrong that was applied before: it cannot be said which of them.
      remaining.keySet().forEach(key -> refused.putAll(key, violations));
      remaining.clear();
    }
    for (Violation violation : ofBatch) {
      refused.put(violation.object(), violation);
      remaining.remove(violation.object());
    }
  }
}
