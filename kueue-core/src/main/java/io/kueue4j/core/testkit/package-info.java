/**
 * A harness that tries an admission engine out: random scenarios, the invariants that must hold
 * after every step, and a naive reference model to compare with. For tests of controllers and
 * schedulers; the engine does not use it.
 */
@NullMarked
@ValueStyle
package io.kueue4j.core.testkit;

import io.kueue4j.core.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
