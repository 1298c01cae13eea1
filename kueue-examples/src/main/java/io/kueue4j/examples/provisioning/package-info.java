/**
 * The admission check that asks a cluster autoscaler for nodes: creates a ProvisioningRequest for
 * each workload with quota, follows it, and writes the state of the check to the workload.
 *
 * <p>{@link io.kueue4j.examples.provisioning.ProvisioningPlan} decides, without a cluster;
 * {@link io.kueue4j.examples.provisioning.ProvisioningChecks} reads and writes.
 */
@NullMarked
package io.kueue4j.examples.provisioning;

import org.jspecify.annotations.NullMarked;
