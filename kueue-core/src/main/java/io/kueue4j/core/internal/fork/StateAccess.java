package io.kueue4j.core.internal.fork;

import io.kueue4j.core.internal.state.EngineState;
import java.util.function.Function;

/** Access to the state of an engine by one thread at a time. */
public interface StateAccess {
  /** {@return the result of {@code question}, run while no other thread can change the state} */
  <R> R call(Function<? super EngineState, ? extends R> question);
}
