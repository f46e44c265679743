/** Events, milestones and the states of records as bytes of a log. */
@NullMarked
package org.kblake.core.internal.log.encode;

import org.jspecify.annotations.NullMarked;
