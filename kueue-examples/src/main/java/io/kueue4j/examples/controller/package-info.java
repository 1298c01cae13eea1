/**
 * An example of a controller: admits the jobs of a cluster with an engine, and writes the decisions
 * to the jobs.
 *
 * <p>{@link io.kueue4j.examples.controller.ControllerLoop} decides, in one thread, from the events
 * of the cluster; it does not depend on a client. It writes through
 * {@link io.kueue4j.examples.controller.ClusterWrites}.
 */
@NullMarked
package io.kueue4j.examples.controller;

import org.jspecify.annotations.NullMarked;
