import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  hasPgbouncer,
  noPrograms,
  programs,
  startPooler,
  startPostgresql,
} from '../testing/servers/distribution-postgresql.ts'
import { runKinora } from '../testing/servers/run-kinora.ts'
import { startSite, temporaryDirectory } from '../testing/servers/start-site.ts'

test('DATABASE_URL_FILE: the site runs on a PostgreSQL of the distribution', async ({ skip }) => {
  if (!programs) return skip(noPrograms)
  const { url } = await startPostgresql()
  const dataDir = temporaryDirectory()
  const secret = join(temporaryDirectory(), 'database-url')
  writeFileSync(secret, `${url}\n`)
  const site = startSite({ dataDir, env: { DATABASE_URL_FILE: secret } })
  const address = await site.ready
  const response = await fetch(`${address}/api/v1/video/all`)
  expect(response.status).toBe(200)
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
  site.process.kill('SIGTERM')
  expect(await site.ended).toBe(0)
})

test('DATABASE_URL: the start ends with a message about a rejected role', async ({ skip }) => {
  if (!programs) return skip(noPrograms)
  const url = new URL((await startPostgresql()).url)
  url.username = 'stranger'
  const site = startSite({ dataDir: temporaryDirectory(), env: { DATABASE_URL: url.href } })
  expect(await site.ended).toBe(1)
  expect(site.output()).toMatch(
    /The database postgres at \S+ cannot be reached \(.*stranger.*\)\. Start it, or correct DATABASE_URL\./,
  )
})

test('DATABASE_URL: sslmode=verify-full requires a trusted server certificate', async ({ skip }) => {
  if (!programs) return skip(noPrograms)
  const server = await startPostgresql({ withTls: true })
  const url = new URL(server.url)
  const authority = server.certificate ?? ''
  const env = { DATA_DIR: temporaryDirectory(), PORT: '0' }
  const doctor = async (settings: Record<string, string>) => {
    url.search = new URLSearchParams(settings).toString()
    return (await runKinora(['doctor'], { ...env, DATABASE_URL: url.href })).output
  }
  expect(await doctor({ sslmode: 'verify-full', sslrootcert: authority })).toMatch(
    /PostgreSQL .* responds, with TLS/,
  )
  expect(await doctor({ sslmode: 'verify-full' })).toMatch(/cannot be reached \(self-signed certificate/)
  // Migrations, web and worker connect in the same way.
  url.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: authority }).toString()
  const site = startSite({ dataDir: env.DATA_DIR, env: { DATABASE_URL: url.href } })
  expect((await fetch(`${await site.ready}/readyz`)).status).toBe(200)
})

test('DATABASE_URL: PgBouncer works in session mode and is refused in transaction mode', async ({ skip }) => {
  if (!programs || !hasPgbouncer) return skip(noPrograms)
  const server = await startPostgresql()
  const pooled = startSite({
    dataDir: temporaryDirectory(),
    env: { DATABASE_URL: await startPooler(server, 'session') },
  })
  // More concurrent requests than connections, each with prepared statements.
  const requests = Array.from({ length: 40 }, async (_, limit) =>
    fetch(`${await pooled.ready}/api/v1/video/all?limit=${limit + 1}`),
  )
  expect(new Set((await Promise.all(requests)).map(({ status }) => status))).toEqual(new Set([200]))

  const shared = startSite({
    dataDir: temporaryDirectory(),
    env: { DATABASE_URL: await startPooler(server, 'transaction') },
  })
  expect(await shared.ended).toBe(1)
  expect(shared.output()).toContain('Set the pooler to session mode')
})
