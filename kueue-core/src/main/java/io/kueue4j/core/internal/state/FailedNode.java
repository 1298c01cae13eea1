package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.lifecycle.SecondPass;

/**
 * A failed node of a running workload that has not been replaced yet.
 *
 * @param node the host name of the node in the topology
 * @param search the schedule of the search for another place
 */
public record FailedNode(String node, SecondPass search) {}
