/**
 * A controller to copy: it admits the jobs of a cluster by an engine, and writes what was decided
 * to the jobs themselves.
 *
 * <p>{@link io.kueue4j.examples.controller.ControllerLoop} decides, in one thread, on what it is
 * told of the cluster; it knows no client. What it writes goes through
 * {@link io.kueue4j.examples.controller.ClusterWrites}.
 */
@NullMarked
package io.kueue4j.examples.controller;

import org.jspecify.annotations.NullMarked;
