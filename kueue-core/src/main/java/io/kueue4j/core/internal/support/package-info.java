/**
 * Helpers that every package of the engine may use: the style of the generated value types,
 * saturating time arithmetic, and the mark of packages that are not API.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.support;

import org.jspecify.annotations.NullMarked;
