/** The Workload objects that record which jobs are admitted. */
@NullMarked
package io.kueue4j.examples.controller.record;

import org.jspecify.annotations.NullMarked;
