/** The simulated machine that all groups share: stored beams, fills and aborts, random numbers. */
@NullMarked
package org.kblake.simulate.machine;

import org.jspecify.annotations.NullMarked;
