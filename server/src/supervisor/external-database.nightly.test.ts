import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '@kinora/platform/db/client.ts'
import { TestClient } from '../testing/fixtures/test-client.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { upload } from '../testing/fixtures/test-uploads.ts'
import { signUpAt } from '../testing/fixtures/test-users.ts'
import {
  hasPgbouncer,
  noPrograms,
  programs,
  startPooler,
  startPostgresql,
  type TestServer,
} from '../testing/servers/distribution-postgresql.ts'
import { generousLimits } from '../testing/servers/generous-limits.ts'
import { runKinora } from '../testing/servers/run-kinora.ts'
import { cleanUpAfterAll, startSite } from '../testing/servers/start-site.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'

describe('PostgreSQL of the distribution, with TLS', () => {
  const atEnd = cleanUpAfterAll()
  let server: TestServer
  beforeAll(async () => {
    if (programs) server = await startPostgresql({ withTls: true, atEnd })
  })

  test('DATABASE_URL_FILE: the site runs on it, and sslmode=verify-full requires a trusted certificate', async ({
    skip,
  }) => {
    if (!programs) return skip(noPrograms)
    const url = new URL(server.url)
    const dataDir = temporaryDirectory()
    const doctor = async (settings: Record<string, string>) => {
      url.search = new URLSearchParams(settings).toString()
      const env = { DATA_DIR: dataDir, PORT: '0', DATABASE_URL: url.href }
      return (await runKinora(['doctor'], env)).output
    }
    expect(await doctor({ sslmode: 'verify-full' })).toMatch(/cannot be reached \(self-signed certificate/)
    expect(await doctor({ sslmode: 'verify-full', sslrootcert: server.certificate ?? '' })).toMatch(
      /PostgreSQL .* responds, with TLS/,
    )

    // Migrations, web and worker connect in the same way.
    const secret = join(temporaryDirectory(), 'database-url')
    writeFileSync(secret, `${url.href}\n`)
    const site = startSite({ dataDir, env: { DATABASE_URL_FILE: secret } })
    const address = await site.ready
    expect((await fetch(`${address}/api/v1/video/all`)).status).toBe(200)
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
    site.process.kill('SIGTERM')
    expect(await site.ended).toBe(0)
  })

  test('DATABASE_URL: the start ends with a message about a rejected role', async ({ skip }) => {
    if (!programs) return skip(noPrograms)
    const url = new URL(server.url)
    url.username = 'stranger'
    const site = startSite({ dataDir: temporaryDirectory(), env: { DATABASE_URL: url.href } })
    expect(await site.ended).toBe(1)
    expect(site.output()).toMatch(
      /The database postgres at \S+ cannot be reached \(.*stranger.*\)\. Start it, or correct DATABASE_URL\./,
    )
  })
})

test('DATABASE_URL: PgBouncer works in session mode, and in transaction mode is refused without DATABASE_DIRECT_URL', async ({
  skip,
}) => {
  if (!programs || !hasPgbouncer) return skip(noPrograms)
  const server = await startPostgresql()
  const pooled = startSite({
    dataDir: temporaryDirectory(),
    env: { DATABASE_URL: (await startPooler(server, 'session')).url },
  })
  // More concurrent requests than connections, each with prepared statements.
  const requests = Array.from({ length: 40 }, async (_, limit) =>
    fetch(`${await pooled.ready}/api/v1/video/all?limit=${limit + 1}`),
  )
  expect(new Set((await Promise.all(requests)).map(({ status }) => status))).toEqual(new Set([200]))

  const shared = startSite({
    dataDir: temporaryDirectory(),
    env: { DATABASE_URL: (await startPooler(server, 'transaction')).url },
  })
  expect(await shared.ended).toBe(1)
  expect(shared.output()).toContain('Set DATABASE_DIRECT_URL to the address of PostgreSQL itself')
})

test('DATABASE_DIRECT_URL: statements share the connections of PgBouncer in transaction mode', async ({
  skip,
}) => {
  if (!programs || !hasPgbouncer) return skip(noPrograms)
  const server = await startPostgresql()
  const { url: pooler } = await startPooler(server, 'transaction')
  const env = { ...generousLimits, DATABASE_URL: pooler, DATABASE_DIRECT_URL: server.url, WEB_PROCESSES: '2' }
  const dataDir = temporaryDirectory()
  const site = startSite({ dataDir, env })
  const address = await site.ready
  const clients = await Promise.all([0, 1, 2].map(async () => (await signUpAt(address)).client))
  const [client = new TestClient(address)] = clients
  const { _id: videoId } = await upload(client, 'Pooled', await drawClip('mp4 of two renditions'))
  // More concurrent statements and transactions than connections.
  const comments = Array.from({ length: 60 }, async (_, index) => {
    const author = clients[index % clients.length] ?? client
    return (await author.post('/api/v1/comment/add', { videoId, content: `Comment ${index}` })).status
  })
  expect(new Set(await Promise.all(comments))).toEqual(new Set([201]))
  // The job queue and notifications between processes.
  const base = `/media/videos/${videoId}`
  const playlist = /^(?!source).*index\.m3u8$/m.exec((await client.get(`${base}/master.m3u8`)).text)?.[0]
  expect((await client.get(`${base}/${playlist?.replace('index.m3u8', '0.m4s')}`)).status).toBe(200)
  await expect
    .poll(async () => JSON.stringify((await client.get(`/api/v1/video/${videoId}`)).body.data))
    .toContain('"state":"ready"')
  expect((await runKinora(['doctor'], { ...env, DATA_DIR: dataDir, PORT: '0' })).output).toContain(
    'The pooler of DATABASE_URL leads to the database',
  )
  await withClient(server.url, (database) => database.query('create database another'))
  const mistaken = startSite({
    dataDir: temporaryDirectory(),
    env: { ...env, DATABASE_DIRECT_URL: server.url.replace(/postgres$/, 'another') },
  })
  expect(await mistaken.ended).toBe(1)
  expect(mistaken.output()).toContain('lead to different databases')
})
