/** The kinds of simulated channels, and the running signal of each. */
@NullMarked
package org.kblake.simulate.channel;

import org.jspecify.annotations.NullMarked;
