/** Samples: the values of a channel with strictly increasing times, as the protocol has them. */
@NullMarked
package org.kblake.server.internal.appliance.sample;

import org.jspecify.annotations.NullMarked;
