/**
 * The pools of TPU chips that flavors give slices of, and the slices in use: what is free, whether
 * slices fit beside each other, and trials of what would be free.
 *
 * <p>Knows nothing of quota but that its trials are those of trees of quota.
 */
@Internal
@NullMarked
package io.kueue4j.core.fleet;

import io.kueue4j.core.support.Internal;
import org.jspecify.annotations.NullMarked;
