/**
 * The TPU pools of flavors and the slices in use: what is free, whether several slices fit
 * together, and trials with other slices in use.
 *
 * <p>Takes part in the trials of quota trees; knows nothing else of quota.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.fleet;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
