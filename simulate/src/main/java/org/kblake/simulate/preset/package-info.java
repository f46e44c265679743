/** The presets: their groups and channels. */
@NullMarked
package org.kblake.simulate.preset;

import org.jspecify.annotations.NullMarked;
