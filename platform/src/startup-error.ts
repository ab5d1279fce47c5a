/** The program cannot start. The message states the cause and the remedy, and is printed without a stack trace. */
export class StartupError extends Error {
  override name = 'StartupError'
}
