/**
 * The harness for jqwik: scenarios as parameters of properties, which shrink to few steps
 * ({@link io.kueue4j.core.testkit.jqwik.Scenarios}), and anything else that a generator builds,
 * which shrinks as well ({@link io.kueue4j.core.testkit.jqwik.Choices}). Requires
 * {@code net.jqwik:jqwik-api}, which the testkit does not depend on: tests that use this package
 * declare jqwik themselves.
 */
@NullMarked
package io.kueue4j.core.testkit.jqwik;

import org.jspecify.annotations.NullMarked;
