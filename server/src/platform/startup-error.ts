/**
 * Why the program cannot start, as one sentence that says what to do about it. Printed without a stack: the reader
 * is the person at the terminal.
 */
export class StartupError extends Error {
  override name = 'StartupError'
}
