/** The server over HTTP, on sample archives. */
@NullMarked
package org.kblake.test.server;

import org.jspecify.annotations.NullMarked;
