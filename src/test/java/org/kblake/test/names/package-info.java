/** Names of channels that look like something else, at each door. */
@NullMarked
package org.kblake.test.names;

import org.jspecify.annotations.NullMarked;
