/**
 * The messages of Channel Access, version 4.13, that a client without writes sends and receives.
 * This package alone has their byte offsets. It opens no socket.
 */
@NullMarked
package org.kblake.record.channelaccess.message;

import org.jspecify.annotations.NullMarked;
