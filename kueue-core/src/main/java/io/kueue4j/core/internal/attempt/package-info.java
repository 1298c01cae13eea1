/**
 * What an attempt to admit a workload has found: flavors, places, victims, reasons, and where the
 * next search continues. Values, which the state keeps; they decide nothing.
 *
 * <p>Start with {@link Attempt}. Its {@link Assignment} says what each pod set would get.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.attempt;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
