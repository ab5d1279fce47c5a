import {
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span as OpenSpan,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Span, Tracer } from './tracer.ts'

/** Timeout of sending a batch, and so the longest delay of a shutdown while the collector is unreachable. */
const sendMs = 3000

const w3c = new W3CTraceContextPropagator()

interface OpenTelemetryOptions {
  endpoint: string
  ratio: number
  serviceName: string
}

/** Sends spans in batches with the OpenTelemetry SDK. If the collector is unreachable, spans are dropped. */
export function createTracer({ endpoint, ratio, serviceName }: OpenTelemetryOptions): Tracer {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: sendMs })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'process.pid': process.pid }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const spans = provider.getTracer('kinora')

  return {
    run: (name, attributes, work, kind) =>
      spans.startActiveSpan(
        name,
        { attributes, ...(kind === 'server' ? { kind: SpanKind.SERVER } : {}) },
        async (span) => {
          const wrapped = wrap(span)
          try {
            return await work(wrapped)
          } catch (error) {
            wrapped.fail(error)
            throw error
          } finally {
            span.end()
          }
        },
      ),
    note(name, attributes, ms, error) {
      const span = spans.startSpan(name, { attributes, startTime: Date.now() - ms })
      if (error !== undefined) wrap(span).fail(error)
      span.end()
    },
    current() {
      const carrier: Record<string, string> = {}
      w3c.inject(context.active(), carrier, defaultTextMapSetter)
      return carrier['traceparent']
    },
    continue: (traceparent, work) =>
      context.with(w3c.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter), work),
    async close() {
      // unsent spans are dropped
      await provider.shutdown().catch(() => undefined)
      context.disable()
      trace.disable()
    },
  }
}

function wrap(span: OpenSpan): Span {
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail: (reason) => {
      const message = reason instanceof Error ? reason.message : String(reason)
      span.setStatus({ code: SpanStatusCode.ERROR, message })
    },
  }
}
