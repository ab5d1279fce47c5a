import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

// The API does nothing until the SDK is started.
const tracer = trace.getTracer('kinora')
let isStarted = false

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
  const { startSdk } = await import('./open-telemetry.ts')
  isStarted = true
  return startSdk({ endpoint, ...options })
}

export const isTracing = (): boolean => isStarted

/** Runs `work` as a span. Spans that start in it, also in jobs that it enqueues, are its children. */
export function inSpan<Result>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<Result>,
  kind = SpanKind.INTERNAL,
): Promise<Result> {
  return tracer.startActiveSpan(name, { attributes, kind }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      setFailed(span, error)
      throw error
    } finally {
      span.end()
    }
  })
}

/** Records a finished span as a child of the current one. */
export function noteSpan(name: string, attributes: Attributes, ms: number, error?: unknown): void {
  const span = tracer.startSpan(name, { attributes, startTime: Date.now() - ms })
  if (error !== undefined) setFailed(span, error)
  span.end()
}

/** Sets the status of a span to error. */
export function setFailed(span: Span, reason: unknown): void {
  const message = reason instanceof Error ? reason.message : String(reason)
  span.setStatus({ code: SpanStatusCode.ERROR, message })
}

/** Returns the current span as W3C traceparent, with which another process can continue the trace. */
export function currentTrace(): string | undefined {
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent
}

/** Runs `work` as a child of a span of another process. */
export function continueTrace<Result>(traceparent: string | undefined, work: () => Result): Result {
  return context.with(propagation.extract(ROOT_CONTEXT, { traceparent }), work)
}
