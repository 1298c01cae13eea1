package io.kueue4j.core;

import java.util.function.Function;

/** Access to the state of an engine by one thread at a time. */
interface StateAccess {
  /** {@return what {@code question} finds, asked while no other thread can change the state} */
  <R> R call(Function<? super EngineState, ? extends R> question);
}
