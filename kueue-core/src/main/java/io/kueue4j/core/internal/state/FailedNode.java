package io.kueue4j.core.internal.state;

import io.kueue4j.core.internal.lifecycle.SecondPass;

/**
 * A node of a running workload that has failed and is not replaced yet.
 *
 * @param node the host name that the topology knows the node by
 * @param search when another place is searched
 */
public record FailedNode(String node, SecondPass search) {}
