import type { Attributes, Span, Tracer } from './tracer.ts'

const idle: Span = { rename: () => {}, set: () => {}, fail: () => {} }
let tracer: Tracer | undefined

interface TracingOptions {
  /** OTLP/HTTP endpoint; undefined turns tracing off. */
  endpoint: string | undefined
  /** Sampling ratio of traces, 0 to 1. */
  ratio: number
  serviceName: string
}

/** Starts tracing if an endpoint is configured. Returns the function that sends the remaining spans and stops. */
export async function startTracing({ endpoint, ...options }: TracingOptions): Promise<() => Promise<void>> {
  if (endpoint === undefined) return async () => {}
  const { createTracer } = await import('./open-telemetry.ts')
  const started = createTracer({ endpoint, ...options })
  tracer = started
  return () => started.close()
}

export const isTracing = (): boolean => tracer !== undefined

/** Runs `work` as a span. Spans that start in it, also in jobs that it enqueues, are its children. */
export function inSpan<Result>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<Result>,
  kind?: 'server',
): Promise<Result> {
  return tracer ? tracer.run(name, attributes, work, kind) : work(idle)
}

/** Records a finished span. */
export function noteSpan(name: string, attributes: Attributes, ms: number, error?: unknown): void {
  tracer?.note(name, attributes, ms, error)
}

/** Returns the current W3C traceparent, with which another process can continue the trace. */
export const currentTrace = (): string | undefined => tracer?.current()

export function continueTrace<Result>(traceparent: string | undefined, work: () => Result): Result {
  return tracer && traceparent !== undefined ? tracer.continue(traceparent, work) : work()
}
