/**
 * Random lives of a cluster in which everything goes wrong that can:
 * {@link io.kueue4j.examples.controller.fault.FaultRun}. What must hold then is counted from the
 * objects of the cluster alone ({@link io.kueue4j.examples.controller.fault.ClusterChecker}).
 */
@NullMarked
package io.kueue4j.examples.controller.fault;

import org.jspecify.annotations.NullMarked;
