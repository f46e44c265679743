/** Tests of event builders. */
@NullMarked
package org.kblake.transfer.event;

import org.jspecify.annotations.NullMarked;
