/**
 * Checks of a configuration before it is in force: what has no effect, what nobody can use, and
 * what can never be admitted.
 *
 * <p>Start with {@link io.kueue4j.core.lint.ConfigurationLint}.
 *
 * <p>The engine is its own model: each claim about what workloads get is played on a private engine
 * with the configuration before it is reported. The same input gives the same findings in every run
 * and on every JVM.
 */
@CheckReturnValue
@NullMarked
package io.kueue4j.core.lint;

import com.google.errorprone.annotations.CheckReturnValue;
import org.jspecify.annotations.NullMarked;
