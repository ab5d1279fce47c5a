import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Context } from '../context/context.ts'
import { mayReadMetrics } from '@kinora/platform/http/monitoring/serve-metrics.ts'

/** Serves `/healthz`, `/readyz` and `/metrics` of this process on a separate port. */
export async function serveMonitoring({ config, ready, metrics }: Context, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const respond = async (): Promise<string> => {
      if (request.url === '/healthz') return ''
      if (request.url === '/readyz') {
        const { isReady, ...reasons } = await ready.check()
        response.statusCode = isReady ? 200 : 503
        return JSON.stringify({ status: isReady ? 'ready' : 'not ready', ...reasons })
      }
      if (request.url === '/metrics' && mayReadMetrics(request, config.metricsToken)) {
        response.setHeader('content-type', metrics.registry.contentType)
        return metrics.registry.metrics()
      }
      response.statusCode = 404
      return ''
    }
    void respond().then((text) => response.end(text))
  })
  server.listen(port, config.host)
  await once(server, 'listening')
  return server
}
