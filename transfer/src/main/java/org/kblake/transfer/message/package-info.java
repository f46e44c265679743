/** The bytes of connections between collectors and builders (docs/design/transfer.md). */
@NullMarked
package org.kblake.transfer.message;

import org.jspecify.annotations.NullMarked;
