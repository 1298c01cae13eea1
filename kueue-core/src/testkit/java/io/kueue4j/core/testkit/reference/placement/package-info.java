/**
 * The rules of placement, written down a second time in the slowest and plainest way: a tree of
 * domains built anew for each pod set, whole lists sorted at each step, usage in maps by the names
 * of domains.
 */
@Internal
@NullMarked
package io.kueue4j.core.testkit.reference.placement;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
