/** Tests of kblake gather and of kblake run as its builder, as processes. */
@NullMarked
package org.kblake.test.transfer;

import org.jspecify.annotations.NullMarked;
