/**
 * What decisions are made on: names interned to dense ids, workloads and queues compiled to arrays.
 *
 * <p>Compiled once, at the border, so that no map is looked up and nothing is boxed on the decision
 * path.
 */
@Internal
@NullMarked
package io.kueue4j.core.compiled;

import io.kueue4j.core.support.Internal;
import org.jspecify.annotations.NullMarked;
