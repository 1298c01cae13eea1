/**
 * The controller without a cluster: plays manifests, and shows what it would do with their jobs.
 * Start with {@link io.kueue4j.examples.dryrun.DryRun}.
 */
@NullMarked
package io.kueue4j.examples.dryrun;

import org.jspecify.annotations.NullMarked;
