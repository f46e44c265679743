/**
 * The presets: their groups and channels.
 *
 * <p>May use {@code core.model}, {@code simulate.machine}, {@code simulate.channel}.
 */
@NullMarked
package org.kblake.simulate.preset;

import org.jspecify.annotations.NullMarked;
