/**
 * What is stored in the API group {@code kueue.x-k8s.io}: its versions
 * ({@link io.kueue4j.k8s.kueue.KueueApiVersion}), and a Workload as it was read
 * ({@link io.kueue4j.k8s.kueue.ImportedWorkload}).
 */
@CheckReturnValue
@NullMarked
package io.kueue4j.k8s.kueue;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
