import type { Attributes, Span, Tracer } from './tracer.ts'

const idle: Span = { rename: () => {}, set: () => {}, fail: () => {} }
let tracer: Tracer | undefined

interface TracingOptions {
  /** Where to send them, by OTLP over HTTP; without it nothing is loaded, and nothing kept of spans. */
  endpoint: string | undefined
  /** The share of traces that is sent, 0 to 1. */
  ratio: number
  /** What this process calls itself. */
  serviceName: string
}

/** Has spans of this process sent from now on, if there is somewhere to send them. Answers what ends that. */
export async function startTracing({ endpoint, ...options }: TracingOptions): Promise<() => Promise<void>> {
  if (endpoint === undefined) return async () => {}
  const { createTracer } = await import('./open-telemetry.ts')
  const started = createTracer({ endpoint, ...options })
  tracer = started
  return () => started.close()
}

export const isTracing = (): boolean => tracer !== undefined

/** Runs `work` as a span; what it begins is below it, here and in jobs that it enqueues. */
export function inSpan<Result>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<Result>,
  kind?: 'server',
): Promise<Result> {
  return tracer ? tracer.run(name, attributes, work, kind) : work(idle)
}

/** Notes a span that is over. */
export function noteSpan(name: string, attributes: Attributes, ms: number, error?: unknown): void {
  tracer?.note(name, attributes, ms, error)
}

/** What another process needs to go on with the trace of now. */
export const currentTrace = (): string | undefined => tracer?.current()

export function continueTrace<Result>(traceparent: string | undefined, work: () => Result): Result {
  return tracer && traceparent !== undefined ? tracer.continue(traceparent, work) : work()
}
