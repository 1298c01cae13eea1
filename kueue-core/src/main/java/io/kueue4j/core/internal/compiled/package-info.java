/**
 * The input of decisions: names interned to objects, workloads and queues compiled to arrays, and
 * which pods may use a flavor.
 *
 * <p>Compiled once, so that decisions need no map look-ups and no boxing.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.compiled;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
