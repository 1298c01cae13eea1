/** The annotations by which pods request placement in a topology. */
@CheckReturnValue
@Internal
@NullMarked
package io.kueue4j.k8s.internal.pod;

import com.google.errorprone.annotations.CheckReturnValue;
import io.kueue4j.core.internal.support.Internal;
import org.jspecify.annotations.NullMarked;
