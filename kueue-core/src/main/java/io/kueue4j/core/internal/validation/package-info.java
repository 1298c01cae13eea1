/**
 * Finds what breaks the rules of Kueue in one configuration object or workload, by itself. Start
 * with {@link io.kueue4j.core.internal.validation.ConfigValidator}.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.validation;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
