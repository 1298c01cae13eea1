/**
 * The API: an {@link io.kueue4j.core.AdmissionEngine} that is told about queues and workloads and
 * says which workload may start, on what, and why another may not.
 */
@NullMarked
@ValueStyle
package io.kueue4j.core;

import io.kueue4j.core.support.ValueStyle;
import org.jspecify.annotations.NullMarked;
