package io.kueue4j.core;

import io.kueue4j.core.lifecycle.SecondPass;

/**
 * A node of a running workload that has failed and is not replaced yet.
 *
 * @param node the host name that the topology knows the node by
 * @param search when another place is searched
 */
record FailedNode(String node, SecondPass search) {}
