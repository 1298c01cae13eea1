/** Nodes and the usage of pods on them, and how the scheduler of Kubernetes would score nodes. */
@CheckReturnValue
@Internal
@NullMarked
package io.kueue4j.k8s.internal.topology;

import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
