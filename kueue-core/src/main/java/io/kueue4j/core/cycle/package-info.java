/**
 * The scheduling cycle: nominate every head against the same state, order them, process them one by
 * one.
 *
 * <p>Knows no API calls; it is handed the heads and returns what became of each.
 */
@Internal
@NullMarked
package io.kueue4j.core.cycle;

import io.kueue4j.core.support.Internal;
import org.jspecify.annotations.NullMarked;
