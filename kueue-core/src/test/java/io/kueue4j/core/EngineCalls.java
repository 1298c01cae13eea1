package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.core.decision.Decisions;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.WorkloadId;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** Calls of any engine, forks included, with checks of what must hold after each of them. */
final class EngineCalls {
  private EngineCalls() {}

  /**
   * Removes an object.
   *
   * @return whether the engine showed one before; it shows none afterwards
   */
  static boolean remove(AdmissionEngine engine, Class<? extends ConfigObject> kind, String name) {
    boolean known = engine.view().configuration(kind, name).isPresent();
    engine.remove(kind, name);
    assertThat(engine.view().configuration(kind, name).isPresent()).isFalse();
    return known;
  }

  /**
   * Reports the pods of a workload as stopped.
   *
   * @return whether the engine waited for that
   */
  static boolean podsStopped(AdmissionEngine engine, WorkloadId id) {
    return podsStopped(engine, id, decisions -> {});
  }

  /**
   * Reports the pods of a workload as stopped.
   *
   * @param decided receives what the engine decides then
   * @return whether the engine waited for that
   */
  static boolean podsStopped(
      AdmissionEngine engine, WorkloadId id, Consumer<? super Decisions> decided) {
    boolean evicted = engine.isStopping(id);
    decided.accept(engine.podsStopped(id));
    assertThat(engine.isStopping(id)).isFalse();
    return evicted;
  }

  /**
   * Lets an engine perform due actions.
   *
   * @return when to call it next
   */
  static Optional<Instant> tick(AdmissionEngine engine) {
    engine.tick();
    return engine.nextTick();
  }
}
