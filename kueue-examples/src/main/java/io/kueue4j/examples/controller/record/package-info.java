/**
 * The Workload objects that record which jobs are admitted. Start with
 * {@link io.kueue4j.examples.controller.record.WorkloadRecords};
 * {@link io.kueue4j.examples.controller.record.WorkloadObjects} reads and copies one object.
 */
@NullMarked
package io.kueue4j.examples.controller.record;

import org.jspecify.annotations.NullMarked;
