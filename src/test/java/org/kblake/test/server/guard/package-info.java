/** What stands before the doors of the server, and the server under load. */
@NullMarked
package org.kblake.test.server.guard;

import org.jspecify.annotations.NullMarked;
