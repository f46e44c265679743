/**
 * Compares another kblogrd with this one: requests, both answers, the first difference, and the
 * rule of the specification that it concerns.
 */
@NullMarked
package org.kblake.cli.compare;

import org.jspecify.annotations.NullMarked;
