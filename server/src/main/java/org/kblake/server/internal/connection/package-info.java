/**
 * The connections of clients: how many there are, how long a header may take, how fast a client
 * must send and take, and whether it has left.
 */
@NullMarked
package org.kblake.server.internal.connection;

import org.jspecify.annotations.NullMarked;
