/** The elastic slices of jobs: what a new one takes over, and which of several continues. */
@Internal
@NullMarked
package io.kueue4j.core.internal.elastic;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
