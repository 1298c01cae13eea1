/**
 * Finds out whether the API server itself keeps tenants from starting jobs: by the policies in
 * {@code src/main/deploy/guard}.
 */
@NullMarked
package io.kueue4j.examples.controller.guard;

import org.jspecify.annotations.NullMarked;
