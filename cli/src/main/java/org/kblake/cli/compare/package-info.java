/**
 * Holds another kblogrd against this one: requests, both answers, where they differ first, and
 * which rule of the specification that concerns. Knows no command line of kblake.
 */
@NullMarked
package org.kblake.cli.compare;

import org.jspecify.annotations.NullMarked;
