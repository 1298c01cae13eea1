/**
 * Shares the work of a controller among replicas: which trees of cohorts each of them decides on.
 *
 * <p>Each replica has a lease, which it renews, and in which it claims quota nodes: ClusterQueues
 * and cohorts. It decides on a node only while it holds it, and takes a node that it did not hold
 * only after it has stored its claim and has then read that no other live replica claims the node.
 * Of two replicas that claim the same node, whatever each of them knows of the cluster, at least
 * one reads the claim of the other; so no node has two holders. A replica gives up a node before it
 * withdraws its claim.
 */
@NullMarked
package io.kueue4j.examples.controller.shard;

import org.jspecify.annotations.NullMarked;
