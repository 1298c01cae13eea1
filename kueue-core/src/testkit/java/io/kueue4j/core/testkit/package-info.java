/**
 * A harness that tries an admission engine out: random {@linkplain io.kueue4j.core.testkit.Scenario
 * scenarios}, the {@linkplain io.kueue4j.core.testkit.Invariant invariants} that must hold after
 * every step, and a naive reference model to compare with. For tests of controllers and schedulers;
 * the engine does not use it.
 *
 * <p>What to write: an {@link io.kueue4j.core.testkit.EngineUnderTest} around one's own engine.
 * What to call: {@link io.kueue4j.core.testkit.HarnessRun}, or with jqwik
 * {@link io.kueue4j.core.testkit.jqwik.HarnessAssert}. Everything random comes from a seed, and
 * whatever fails is shown as one line that plays it again.
 */
@NullMarked
@ValueStyle
package io.kueue4j.core.testkit;

import io.kueue4j.core.internal.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
