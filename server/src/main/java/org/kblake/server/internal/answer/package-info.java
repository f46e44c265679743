/** The bodies of answers: complete, marked as incomplete, or cut off. */
@NullMarked
package org.kblake.server.internal.answer;

import org.jspecify.annotations.NullMarked;
