/**
 * Reads and writes the Workload objects in which a controller records the admission of jobs.
 *
 * <p>This package converts objects; it does not decide, and does not call a cluster.
 */
@NullMarked
package io.kueue4j.examples.controller.workload;

import org.jspecify.annotations.NullMarked;
