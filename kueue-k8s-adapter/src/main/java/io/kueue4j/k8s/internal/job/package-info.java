/** The jobs among manifests. */
@CheckReturnValue
@Internal
@NullMarked
package io.kueue4j.k8s.internal.job;

import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
