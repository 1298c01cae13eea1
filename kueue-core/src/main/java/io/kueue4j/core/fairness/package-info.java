/**
 * Fair sharing: how large a part of its cohort a queue or cohort has taken, and who goes next by
 * that; and what LocalQueues have used over time.
 */
@Internal
@NullMarked
package io.kueue4j.core.fairness;

import io.kueue4j.core.support.Internal;
import org.jspecify.annotations.NullMarked;
