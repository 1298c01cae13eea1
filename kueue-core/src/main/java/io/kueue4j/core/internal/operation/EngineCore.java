package io.kueue4j.core.internal.operation;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.annotations.VisibleForTesting;
import io.kueue4j.core.internal.preemption.VictimSource;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.view.StateView;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The part of an engine that its lock guards: state, calls and clock. Not thread-safe. */
public final class EngineCore {
  private final InstantSource clock;
  private final EngineState state;
  private @Nullable WeakReference<StateView> view;
  private long changesBeforeView;
  private final EngineParts parts;
  private final WorkloadOperations workloads;
  private final Restorations restorations;

  public EngineCore(InstantSource clock, EngineState state) {
    this(clock, state, UnaryOperator.identity());
  }

  /** Creates the core with a wrapped source of victims, so that a test can make it fail. */
  @VisibleForTesting
  public EngineCore(InstantSource clock, EngineState state, UnaryOperator<VictimSource> wrapper) {
    this.clock = clock;
    this.state = state;
    this.parts = new EngineParts(state, wrapper);
    this.workloads = new WorkloadOperations(parts);
    this.restorations = new Restorations(parts);
  }

  /**
   * {@return the core behind its lock}
   *
   * @param asserts whether the state is checked after each call
   */
  public LockedEngine exclusive(boolean asserts) {
    return new LockedEngine(this, asserts);
  }

  /**
   * {@return a view of the current state, the same one until something changes}
   *
   * <p>There must be no undelivered events.
   */
  public StateView view() {
    StateView known = view == null ? null : view.get();
    if (known == null || state.journal().changeCount() != changesBeforeView) {
      known = new StateView(state.fork());
      view = new WeakReference<>(known);
      changesBeforeView = state.journal().changeCount();
    }
    return known;
  }

  /** Forgets the view of a call that failed. */
  void forgetView() {
    view = null;
  }

  public EngineState state() {
    return state;
  }

  /** {@return the calls that concern workloads} */
  public WorkloadOperations workloads() {
    return workloads;
  }

  /** {@return the calls that restore workloads} */
  public Restorations restorations() {
    return restorations;
  }

  /** {@return a change of the configuration} */
  public ConfigurationChange configurationChange(Instant now) {
    return new ConfigurationChange(parts, now);
  }

  public InstantSource clock() {
    return clock;
  }

  /**
   * {@return the time of a call}
   *
   * <p>Each call reads the clock once, before it changes anything: a clock is user code and may
   * throw.
   */
  public Instant now() {
    Instant now = clock.instant();
    checkState(now != null, "the clock %s returned null; expected an Instant", clock);
    return now;
  }
}
