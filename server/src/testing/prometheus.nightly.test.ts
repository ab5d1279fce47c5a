import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { findQuietPort } from '@kinora/platform/testing/quiet-port.ts'
import { createTestApp, type TestApp } from './fixtures/test-app.ts'
import { h264, publishSource } from './fixtures/test-sources.ts'
import { drawPicture, signUp } from './fixtures/test-users.ts'

const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0
const token = 'a token for prometheus'
const monitoring = path.join(import.meta.dirname, '../../../monitoring')

interface AlertRules {
  groups: { rules: { alert: string; expr: string }[] }[]
}
interface QueryResult {
  status: 'success' | 'error'
  error?: string
  data?: { result: unknown[] }
}
interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[]
}

const rules = parse(readFileSync(path.join(monitoring, 'alerts.yml'), 'utf8')) as AlertRules
const dashboard = JSON.parse(
  readFileSync(path.join(monitoring, 'grafana-dashboard.json'), 'utf8'),
) as Dashboard

/** An alert without its final comparison also has a value when nothing is wrong. */
const alerts = rules.groups
  .flatMap((group) => group.rules)
  .map(({ alert, expr }) => [alert, expr.replace(/ (==|<|>) [\d.* ]+$/, '')] as const)
const panels = dashboard.panels.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => [title, expr] as const),
)

/** Metrics that a healthy site without a replica does not have. */
const needsFailure = /kinora_replica_used|rejected|outcome="late"|5\.\.|evicted/

describe.skipIf(!hasPrometheus)('Prometheus with the documented configuration', () => {
  let site: TestApp
  let directory: string
  let prometheus: ChildProcess
  let api: string

  beforeAll(async () => {
    site = await createTestApp({
      worker: true,
      settings: { METRICS_TOKEN: token, SEGMENT_WAIT_SECONDS: '100', LIVE: 'true' },
    })
    directory = mkdtempSync(path.join(tmpdir(), 'kinora-prometheus-'))
    const snapshot = path.join(site.context.config.dataDir, 'backups/snapshots/2026-01-01T00-00-00Z')
    mkdirSync(snapshot, { recursive: true })
    writeFileSync(path.join(snapshot, 'manifest.json'), '{}')
    copyFileSync(path.join(monitoring, 'alerts.yml'), path.join(directory, 'alerts.yml'))
    const config = documentedConfig()
      .replace('<METRICS_TOKEN>', token)
      .replace(/targets: \[[^\]]+\]/, `targets: ['${new URL(site.origin).host}']`)
    const file = path.join(directory, 'prometheus.yml')
    writeFileSync(file, `global: { scrape_interval: 500ms }\n${config}`)
    const port = await findQuietPort()
    api = `http://127.0.0.1:${port}/api/v1`
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${file}`,
        `--storage.tsdb.path=${path.join(directory, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=error',
      ],
      { stdio: 'inherit' },
    )
    await useSite(site)
  })

  afterAll(async () => {
    const ended = once(prometheus, 'exit')
    prometheus.kill('SIGTERM')
    await ended
    rmSync(directory, { recursive: true, force: true })
    await site.close()
  })

  const query = async (expr: string) => {
    const response = await fetch(`${api}/query?${new URLSearchParams({ query: expr })}`).catch(
      () => undefined,
    )
    const result = (await response?.json()) as QueryResult | undefined
    return { status: result?.status, error: result?.error, series: result?.data?.result ?? [] }
  }

  test.each([...alerts, ...panels].filter(([, expr]) => !needsFailure.test(expr)))(
    'finds series for %s: %s',
    async (_name, expr) => {
      await expect.poll(async () => (await query(expr)).series.length).toBeGreaterThan(0)
    },
  )

  test.each([...alerts, ...panels].filter(([, expr]) => needsFailure.test(expr)))(
    'accepts the query of %s: %s',
    async (_name, expr) => {
      await expect.poll(() => query(expr)).toMatchObject({ status: 'success' })
    },
  )

  test('keeps the names of all labels', async () => {
    await expect.poll(async () => (await query('kinora_build_info')).series.length).toBe(1)
    for (const label of ['job', 'instance'])
      expect((await query(`{__name__=~"kinora_.*", exported_${label}!=""}`)).series).toEqual([])
  })

  test('loads every alert rule', async () => {
    const response = await fetch(`${api}/rules`)
    const { data } = (await response.json()) as { data: { groups: { rules: { name: string }[] }[] } }
    const names = data.groups.flatMap((group) => group.rules.map(({ name }) => name))
    expect(names.toSorted()).toEqual(alerts.map(([name]) => name).toSorted())
  })
})

/** The scrape configuration that operators copy. */
function documentedConfig(): string {
  const docs = readFileSync(path.join(import.meta.dirname, '../../../docs/operations/monitoring.md'), 'utf8')
  const block = /```yaml\n(rule_files:.*?)```/s.exec(docs)?.[1]
  if (!block) throw new Error('docs/operations/monitoring.md has no scrape configuration')
  return block
}

/** Produces samples of every metric: requests, a job, a storage operation, an encoded segment, cache hits. */
async function useSite(site: TestApp): Promise<void> {
  const { client } = await signUp(site)
  const form = new FormData()
  form.set('avatar', await drawPicture(80, 80), 'new.png')
  await client.fetch('/api/v1/users/updateavatar', { method: 'PATCH', body: form })
  const { id } = await publishSource(site, 'metrics.mp4', `${h264} -t 2`, '320x240')
  // The second request is a cache hit.
  for (let n = 0; n < 2; n += 1) {
    const segment = await client.fetch(`/media/videos/${id}/${SEGMENT_FORMAT}/240/0.m4s`)
    await segment.arrayBuffer()
    expect(segment.status).toBe(200)
    await client.get('/api/v1/video/all')
  }
}
