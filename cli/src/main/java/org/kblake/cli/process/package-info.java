/**
 * What a run of the program finds around itself: standard streams, environment, its own process.
 *
 * <p>May use {@code cli.error}.
 */
@NullMarked
package org.kblake.cli.process;

import org.jspecify.annotations.NullMarked;
