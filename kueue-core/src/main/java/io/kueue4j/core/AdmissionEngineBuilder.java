package io.kueue4j.core;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.decision.EngineListener;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.EventQueue;
import io.kueue4j.core.model.PodsReadyPolicy;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * Builds {@link AdmissionEngine}s. From {@link AdmissionEngine#builder()}; reusable, not
 * thread-safe.
 *
 * <pre>{@code
 * AdmissionEngine engine = AdmissionEngine.builder()
 *     .settings(Settings.builder().fairSharing(FairSharingStrategy.LESS_THAN_INITIAL_SHARE).build())
 *     .listener(listener, failure -> log(failure))
 *     .build();
 * }</pre>
 *
 * @since 0.1.0
 */
public final class AdmissionEngineBuilder {
  /**
   * Whether an engine checks itself.
   *
   * <p>A failed check is a bug of this library, never of its caller. Switch the checks on to find
   * the call at which an engine goes wrong, and report the bug with the message of the error.
   *
   * @see AdmissionEngineBuilder#assertions
   * @since 0.1.0
   */
  public enum AssertionMode {
    /** No checks; for production. */
    NONE,

    /**
     * After each call the whole state is checked:
     *
     * <ul>
     *   <li>Every workload is in one place, and the usage of quota is the sum of what workloads
     *       hold.
     *   <li>Indexes, timers, and the usage of nodes and TPU pools equal those counted anew.
     *   <li>A call that failed has changed nothing.
     *   <li>A view of the state before the call, and studies of that view, do not see the call.
     * </ul>
     *
     * <p>An engine that a check has failed on throws an {@link AssertionError} that says what
     * differs and what to report, and takes the call back.
     *
     * <p>Each call takes time and memory proportional to the size of the engine: about a
     * millisecond for 100 workloads.
     */
    FULL
  }

  private InstantSource clock = InstantSource.system();
  private Settings settings = Settings.defaults();
  private Consumer<EventQueue> listening = announcements -> {};
  private Consumer<? super RuntimeException> onJitterFailure = failure -> {};

  private AssertionMode assertions = AssertionMode.NONE;

  AdmissionEngineBuilder() {}

  /** Sets the clock of the engine, by default the system clock. */
  @CanIgnoreReturnValue
  public AdmissionEngineBuilder clock(InstantSource clock) {
    requireNonNull(clock, "clock: clock is null");
    this.clock = clock;
    return this;
  }

  /** Sets the settings, by default Kueue's. */
  @CanIgnoreReturnValue
  public AdmissionEngineBuilder settings(Settings settings) {
    requireNonNull(settings, "settings: settings is null");
    this.settings = settings;
    return this;
  }

  /**
   * Sets the listener that receives workload events, by default none.
   *
   * @param listener receives the events
   * @param onFailure receives everything that the listener throws, {@link Error}s included, except
   *     {@link VirtualMachineError}s, which reach the caller of the engine; for example, to log it.
   *     Its own exceptions are dropped under the same rule
   */
  @CanIgnoreReturnValue
  public AdmissionEngineBuilder listener(
      EngineListener listener, Consumer<? super Throwable> onFailure) {
    requireNonNull(listener, "listener: listener is null");
    requireNonNull(onFailure, "listener: onFailure is null");
    this.listening = announcements -> announcements.setListener(listener, onFailure);
    return this;
  }

  /**
   * Sets the handler of failures of {@link PodsReadyPolicy#jitter}, by default none. The affected
   * backoffs have no jitter.
   *
   * @param onFailure receives an exception that names the workload, after the call that evicts it
   *     has completed; its own exceptions are dropped
   */
  @CanIgnoreReturnValue
  public AdmissionEngineBuilder onJitterFailure(Consumer<? super RuntimeException> onFailure) {
    requireNonNull(onFailure, "onJitterFailure: onFailure is null");
    this.onJitterFailure = onFailure;
    return this;
  }

  /**
   * Sets whether the engine, and all studies of its views, check themselves after each call, by
   * default {@link AssertionMode#NONE}.
   *
   * @param mode {@link AssertionMode#FULL} to find and report a bug, and in tests
   */
  @CanIgnoreReturnValue
  public AdmissionEngineBuilder assertions(AssertionMode mode) {
    requireNonNull(mode, "assertions: mode is null");
    this.assertions = mode;
    return this;
  }

  /** {@return an engine without configuration} */
  public AdmissionEngine build() {
    EngineState state = new EngineState(settings);
    EventQueue announcements = state.announcements();
    listening.accept(announcements);
    announcements.setJitterFailureHandler(onJitterFailure);
    return new AdmissionEngine(clock, state, assertions);
  }
}
