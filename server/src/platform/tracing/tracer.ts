export type Attributes = Record<string, string | number>

/** A stretch of work while it lasts. */
export interface Span {
  rename(name: string): void
  set(attributes: Attributes): void
  /** Marks it as failed. */
  fail(reason: unknown): void
}

/** What makes of spans something that others can read; `open-telemetry.ts` when the setting asks for it. */
export interface Tracer {
  run<Result>(
    name: string,
    attributes: Attributes,
    work: (span: Span) => Promise<Result>,
    kind?: 'server',
  ): Promise<Result>
  /** A span that is over, under the one that runs now. */
  note(name: string, attributes: Attributes, ms: number, error?: unknown): void
  /** The span that runs now, as W3C traceparent. */
  current(): string | undefined
  /** Runs `work` under a span of another process. */
  continue<Result>(traceparent: string, work: () => Result): Result
  /** Sends what is left. */
  close(): Promise<void>
}
