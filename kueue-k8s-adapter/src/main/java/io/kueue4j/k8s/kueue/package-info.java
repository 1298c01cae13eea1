/**
 * What Kueue stores: the versions of its API ({@link io.kueue4j.k8s.kueue.KueueApiVersion}), its
 * Configuration ({@link io.kueue4j.k8s.kueue.KueueConfiguration}), and a Workload as it was read
 * ({@link io.kueue4j.k8s.kueue.ImportedWorkload}).
 */
@CheckReturnValue
@NullMarked
package io.kueue4j.k8s.kueue;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
