import { context, propagation, trace } from '@opentelemetry/api'
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

/** Timeout of sending a batch, and so the longest delay of a shutdown while the collector is unreachable. */
const sendMs = 3000

interface SdkOptions {
  endpoint: string
  ratio: number
  serviceName: string
}

/**
 * Configures the OpenTelemetry SDK, which sends spans in batches and drops them while the collector is unreachable.
 * Returns the function that sends the remaining spans and stops.
 */
export function startSdk({ endpoint, ratio, serviceName }: SdkOptions): () => Promise<void> {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: sendMs })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'process.pid': process.pid }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  return async () => {
    // unsent spans are dropped
    await provider.shutdown().catch(() => undefined)
  }
}
