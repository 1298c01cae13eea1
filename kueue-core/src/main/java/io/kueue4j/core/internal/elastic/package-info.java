/** The slices of elastic jobs: what a new one takes over, and which of several goes on. */
@Internal
@NullMarked
package io.kueue4j.core.internal.elastic;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
