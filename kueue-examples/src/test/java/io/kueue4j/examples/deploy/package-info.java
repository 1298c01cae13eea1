/** Checks the manifests, the dashboard and the alerts that install the controller. */
@NullMarked
package io.kueue4j.examples.deploy;

import org.jspecify.annotations.NullMarked;
