import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { withClient } from '@kinora/platform/db/client.ts'
import { findEmbedded } from '@kinora/platform/db/embedded/embedded.ts'
import { generousLimits } from '../testing/servers/generous-limits.ts'
import { startSite, siteDirectory } from '../testing/servers/start-site.ts'
import { TestClient } from '../testing/fixtures/test-client.ts'
import { upload } from '../testing/fixtures/test-uploads.ts'
import { registrationForm, testPassword } from '../testing/fixtures/test-users.ts'

interface Span {
  service: string
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}

/** Body of an OTLP/HTTP request with JSON encoding; only the fields that the test reads. */
interface Export {
  resourceSpans: {
    resource: { attributes: Span['attributes'] }
    scopeSpans: { spans: Omit<Span, 'service'>[] }[]
  }[]
}

const polling = { timeout: 60_000, interval: 100 }

/** A receiver of OTLP over HTTP. */
async function startReceiver(): Promise<{ endpoint: string; spans: Span[] }> {
  const spans: Span[] = []
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    // The site under test is the only sender.
    const { resourceSpans } = (await json(request)) as Export
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(valueOf(resource.attributes, 'service.name'))
      for (const { spans: some } of scopeSpans) spans.push(...some.map((span) => ({ ...span, service })))
    }
    response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' })
    response.end('{}')
  }
  const server = createServer((request, response) => {
    // A process that is stopped while it sends closes its connection.
    receive(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { endpoint: `http://127.0.0.1:${port}`, spans }
}

const valueOf = (attributes: Span['attributes'], name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.intValue
}

test('a trace goes from the request for a segment through the queue to ffmpeg', async () => {
  const receiver = await startReceiver()
  const dataDir = siteDirectory()
  const site = startSite({
    dataDir,
    env: {
      ...generousLimits,
      PREPARE_POLICY: 'none',
      SEGMENT_WAIT_SECONDS: '60',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      OTEL_BSP_SCHEDULE_DELAY: '200',
    },
  })
  const ana = new TestClient(await site.ready)
  const form = await registrationForm()
  await ana.post('/api/v1/users/register', form)
  await ana.post('/api/v1/users/login', { username: String(form.get('username')), password: testPassword })
  const { _id: id } = await upload(ana, 'Traced')

  const stateOf = async () => (await ana.get(`/api/v1/video/${id}`)).body.data
  await expect.poll(stateOf, polling).toMatchObject([{ processing: { state: 'ready' } }])

  // Segments of the preparation are a cache. Without them the next request needs ffmpeg.
  await expect.poll(() => listWork(dataDir), polling).toEqual([])
  rmSync(join(dataDir, 'storage/segments'), { recursive: true })
  const master = await ana.get(`/media/videos/${id}/master.m3u8`)
  const rendition = [...master.text.matchAll(/^(\S+)\/index\.m3u8$/gm)].at(-1)?.[1] ?? ''
  const playlist = await ana.get(`/media/videos/${id}/${rendition}/index.m3u8`)
  const segment = playlist.text.split('\n').findLast((line) => line.includes('.m4s')) ?? ''
  const response = await ana.fetch(`/media/videos/${id}/${rendition}/${segment}`)
  expect(response.status).toBe(200)
  await response.arrayBuffer()

  // Each is the parent of the next. Both processes send spans when they end.
  const chain = ['request', 'segment wait', 'job playback.make_segment', 'ffmpeg']
  const follow = () => {
    const requestId = response.headers.get('x-request-id')
    const first = receiver.spans.find(
      ({ attributes }) => valueOf(attributes, 'kinora.request_id') === requestId,
    )
    return chain.slice(1).reduce(
      (found, name) => {
        const parent = found.at(-1)
        const next = receiver.spans.find(
          (span) => parent && span.parentSpanId === parent.spanId && span.name === name,
        )
        return next ? [...found, next] : found
      },
      first ? [first] : [],
    )
  }
  await vi.waitUntil(() => follow().length === chain.length, polling)
  expect(follow().map(({ service }) => service)).toEqual([
    'kinora-web',
    'kinora-web',
    'kinora-worker',
    'kinora-worker',
  ])
  const { traceId = '', parentSpanId } = follow()[0] ?? {}
  expect([traceId, parentSpanId]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), undefined])
  const names = () => receiver.spans.filter((span) => span.traceId === traceId).map(({ name }) => name)
  const others = ['sql select', 'storage head', 'storage put']
  await expect.poll(names, polling).toEqual(expect.arrayContaining(others))
  // Spans contain no input of users.
  expect(JSON.stringify(receiver.spans)).not.toContain(testPassword)
  expect(JSON.stringify(receiver.spans)).not.toMatch(/person\d/)
})

/** Returns the waiting and running jobs that encode segments. */
async function listWork(dataDir: string): Promise<unknown[]> {
  const statement = `select name from pgboss.job where state in ('created', 'retry', 'active')
    and name in ('playback.prepare', 'playback.make_run', 'playback.make_segment')`
  const url = await findEmbedded(dataDir)
  return withClient(url ?? '', async (client) => (await client.query(statement)).rows)
}

// The package `api` does nothing without an SDK; prom-client loads it for exemplars.
test('loads the OpenTelemetry SDK only if OTEL_EXPORTER_OTLP_ENDPOINT is set', () => {
  const program = `
    import { createRequire } from 'node:module'
    await import(${JSON.stringify(join(import.meta.dirname, '../app/create-context.ts'))})
    await import(${JSON.stringify(join(import.meta.dirname, '../http/server.ts'))})
    const loaded = Object.keys(createRequire(import.meta.url).cache)
    console.log(JSON.stringify({ pg: loaded.some((file) => file.includes('/pg/')), telemetry: loaded.filter((file) => /@opentelemetry.(?!api.)/.test(file)) }))`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(JSON.parse(output)).toEqual({ pg: true, telemetry: [] })
})
