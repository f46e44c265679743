/**
 * A client of Channel Access that only monitors. {@link
 * org.kblake.record.channelaccess.ChannelAccessSource} is the door. Two threads: the receiver reads
 * sockets and writes the ring, the sender owns all that is sent. No request that writes to a
 * channel is in the package.
 */
@NullMarked
package org.kblake.record.channelaccess;

import org.jspecify.annotations.NullMarked;
