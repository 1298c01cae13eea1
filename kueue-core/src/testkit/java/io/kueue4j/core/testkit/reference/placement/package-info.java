/**
 * A second implementation of the rules of placement in the slowest and simplest way: a new tree of
 * domains for each pod set, complete sorting at each step, usage in maps by the names of domains.
 */
@Internal
@NullMarked
package io.kueue4j.core.testkit.reference.placement;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
