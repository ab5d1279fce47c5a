export type Attributes = Record<string, string | number>

/** A running span. */
export interface Span {
  rename(name: string): void
  set(attributes: Attributes): void
  /** Sets the status to error. */
  fail(reason: unknown): void
}

/** Interface of `open-telemetry.ts`, which is loaded only when tracing is configured. */
export interface Tracer {
  run<Result>(
    name: string,
    attributes: Attributes,
    work: (span: Span) => Promise<Result>,
    kind?: 'server',
  ): Promise<Result>
  /** Records a finished span as a child of the current one. */
  note(name: string, attributes: Attributes, ms: number, error?: unknown): void
  /** Returns the current span as W3C traceparent. */
  current(): string | undefined
  /** Runs `work` as a child of a span of another process. */
  continue<Result>(traceparent: string, work: () => Result): Result
  /** Sends the remaining spans. */
  close(): Promise<void>
}
