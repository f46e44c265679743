/**
 * The kinds of simulated channels, and the running signal of each.
 *
 * <p>May use {@code core.model}, {@code simulate.machine}.
 */
@NullMarked
package org.kblake.simulate.channel;

import org.jspecify.annotations.NullMarked;
