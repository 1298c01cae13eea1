/**
 * An example of a controller: admits the jobs of a cluster with an engine, and writes the decisions
 * to the jobs.
 *
 * <p>{@link io.kueue4j.examples.controller.ControllerLoop} decides, in one thread, from the events
 * of the cluster; it does not depend on a client. It writes through
 * {@link io.kueue4j.examples.controller.write.ClusterWrites}.
 *
 * <p>Each of these packages uses only those before it: {@code object}, {@code write},
 * {@code configuration}, {@code state}, {@code record}, {@code job}, and this package, which starts
 * and connects all. The others are small parts of their own, which use only {@code object}.
 */
@NullMarked
package io.kueue4j.examples.controller;

import org.jspecify.annotations.NullMarked;
