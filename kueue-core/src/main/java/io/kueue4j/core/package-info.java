/**
 * The entry to the library: an {@link io.kueue4j.core.AdmissionEngine} that knows queues and
 * workloads, and decides which workload may start, on what, and why another may not.
 */
@CheckReturnValue
@NullMarked
package io.kueue4j.core;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
