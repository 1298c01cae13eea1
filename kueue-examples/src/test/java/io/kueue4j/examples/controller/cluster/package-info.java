/**
 * The API server's side of the controller's tests: what a real API server does with a write
 * ({@link io.kueue4j.examples.controller.cluster.ApiRules}), a cluster in memory that keeps to it
 * ({@link io.kueue4j.examples.controller.cluster.StrictCluster}), and fabric8's mock server that
 * does ({@link io.kueue4j.examples.controller.cluster.StrictMockServer}).
 */
@NullMarked
package io.kueue4j.examples.controller.cluster;

import org.jspecify.annotations.NullMarked;
