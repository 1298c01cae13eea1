/**
 * Searches for remedies for a waiting workload by trying changes on private copies of the engine.
 */
@Internal
@NullMarked
package io.kueue4j.core.internal.remedy;

import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
