/** What both ends of a transfer share: names, access, and the messages for their user. */
@NullMarked
package org.kblake.transfer;

import org.jspecify.annotations.NullMarked;
