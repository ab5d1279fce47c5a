import { Client, type ClientConfig } from 'pg'

/**
 * Options of every connection. A peer that vanished without closing is noticed 20 s after the last byte of an idle connection
 * (Node sends ten probes, one a second). While a statement waits for its result, only `query_timeout` notices it.
 */
export const connectionOptions = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} satisfies ClientConfig

/**
 * A client that closes its connection when `query_timeout` ends a statement. That of pg would stay open, with the statement
 * in front of all later ones.
 */
export class DatabaseClient extends Client {
  constructor(config: ClientConfig = {}) {
    super({ ...connectionOptions, ...config })
  }

  // pg declares a dozen overloads of query; this one passes everything through
  // oxlint-disable-next-line typescript/no-explicit-any
  override query(...given: any[]): any {
    const closeIfSilent = (error: unknown) => {
      if (isQueryTimeout(error)) this.connection.stream.destroy()
    }
    const watched = given.map((argument) =>
      typeof argument === 'function'
        ? (error: unknown, result: unknown) => {
            closeIfSilent(error)
            argument(error, result)
          }
        : argument,
    )
    // @ts-expect-error the overloads have no form with any arguments
    const result = super.query(...watched) as unknown
    if (result instanceof Promise) result.catch(closeIfSilent)
    return result
  }
}

/** Whether a statement took longer than `query_timeout`: pg gives the error no code. */
function isQueryTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}
