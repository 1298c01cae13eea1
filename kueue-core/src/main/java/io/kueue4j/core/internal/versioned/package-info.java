/**
 * Values and collections that know what they were: the cells, sets and maps that hold the state of
 * an engine record what they contained before each change in a
 * {@link io.kueue4j.core.internal.versioned.Journal}, so that a call that fails is rolled back
 * without the help of the code that made the changes.
 *
 * <p>Start with {@link io.kueue4j.core.internal.versioned.Cell}.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.versioned;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
