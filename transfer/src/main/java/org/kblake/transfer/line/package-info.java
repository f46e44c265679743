/** Connections, with TLS or without. Knows no messages. */
@NullMarked
package org.kblake.transfer.line;

import org.jspecify.annotations.NullMarked;
