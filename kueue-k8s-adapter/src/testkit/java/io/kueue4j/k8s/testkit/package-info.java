/**
 * Kueue in a JUnit test: fabric8's mock API server with Kueue's kinds, and an admission loop in the
 * same process that decides with the engine and writes status as Kueue does. For tests of operators
 * that write Workloads.
 *
 * <p>Annotate a test class with {@link io.kueue4j.k8s.testkit.KueueTest}, or start a
 * {@link io.kueue4j.k8s.testkit.KueueCluster} without JUnit.
 */
@CheckReturnValue
@NullMarked
package io.kueue4j.k8s.testkit;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
