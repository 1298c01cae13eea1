/**
 * A test harness for admission engines: random {@linkplain io.kueue4j.core.testkit.Scenario
 * scenarios}, the {@linkplain io.kueue4j.core.testkit.Invariant invariants} that must hold after
 * every step, and a naive reference model to compare with. For tests of controllers and schedulers;
 * the engine does not use it.
 *
 * <p>Implement an {@link io.kueue4j.core.testkit.EngineUnderTest} around your engine, and call
 * {@link io.kueue4j.core.testkit.HarnessRun}, or with jqwik
 * {@link io.kueue4j.core.testkit.jqwik.HarnessAssert}. All random choices depend on a seed, and a
 * failure is reported as one line that reproduces it.
 */
@NullMarked
@ValueStyle
package io.kueue4j.core.testkit;

import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
