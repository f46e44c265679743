/**
 * The bodies of answers: complete, marked as incomplete, or cut off.
 *
 * <p>May use no other package of kblake.
 */
@NullMarked
package org.kblake.server.internal.answer;

import org.jspecify.annotations.NullMarked;
