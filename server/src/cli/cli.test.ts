import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { generousLimits } from '../testing/servers/generous-limits.ts'
import { runKinora } from '../testing/servers/run-kinora.ts'
import {
  type AtEnd,
  siteDirectory,
  startSite,
  type StartedSite,
  temporaryDirectory,
} from '../testing/servers/start-site.ts'
import { TestClient } from '../testing/fixtures/test-client.ts'
import { upload } from '../testing/fixtures/test-uploads.ts'
import { drawPicture, registrationForm, testPassword } from '../testing/fixtures/test-users.ts'
import { startEmbedded } from '../platform/db/embedded/embedded.ts'
import { listMigrations, migrate, migrationsDirectory } from '../platform/db/migrate.ts'
import { withClient } from '../platform/db/client.ts'

const users = '/api/v1/users'
const patience = { timeout: 60_000 }

interface Site extends StartedSite {
  dataDir: string
  address: string
  /** Runs a command on this site. */
  run(...args: string[]): ReturnType<typeof runKinora>
}

async function start(dataDir = siteDirectory(), atEnd: AtEnd = onTestFinished): Promise<Site> {
  const env = { ...generousLimits, LOG_LEVEL: 'warn', PREPARE_POLICY: 'none' }
  const site = startSite({ dataDir, env, atEnd })
  const address = await site.ready
  return { ...site, dataDir, address, run: (...args) => runKinora(args, { DATA_DIR: dataDir }) }
}

async function stop(site: Site): Promise<void> {
  site.process.kill('SIGTERM')
  await site.ended
}

async function signIn(site: Site, username: string, password: string) {
  const client = new TestClient(site.address)
  const response = await client.post(`${users}/login`, { username, password })
  return { client, ...response }
}

async function register(site: Site): Promise<{ username: string; client: TestClient }> {
  const form = await registrationForm()
  const username = String(form.get('username'))
  expect((await new TestClient(site.address).post(`${users}/register`, form)).status).toBe(201)
  return { username, client: (await signIn(site, username, testPassword)).client }
}

describe('accounts and videos', () => {
  let site: Site
  const cleanUps: (() => void | Promise<void>)[] = []
  beforeAll(async () => {
    const later: AtEnd = (cleanUp) => void cleanUps.push(cleanUp)
    site = await start(siteDirectory(later), later)
  })
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp()
  })

  test('creates, suspends, reinstates and deletes an account, and sets its password', async () => {
    const made = await site.run('user', 'create', 'ada', 'ada@example.org', '--json')
    expect(made).toMatchObject({ exitCode: 0, json: { username: 'ada' } })
    const ada = await signIn(site, 'ada', made.json.password)
    expect(ada.status).toBe(200)

    expect(await site.run('user', 'suspend', 'ADA@example.org')).toMatchObject({ exitCode: 0 })
    expect((await ada.client.get(`${users}/currentuser`)).status).toBe(401)
    expect(await signIn(site, 'ada', made.json.password)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', message: 'This account is suspended' },
    })
    expect((await signIn(site, 'ada', 'a wrong password')).status).toBe(401)

    expect(await site.run('user', 'reinstate', 'ada')).toMatchObject({ exitCode: 0 })
    const again = await signIn(site, 'ada', made.json.password)
    expect(again.status).toBe(200)

    const changed = await runKinora(
      ['user', 'reset-password', 'ada', '--password-stdin'],
      { DATA_DIR: site.dataDir },
      'another long password\n',
    )
    expect(changed.output).not.toContain('another long password')
    expect((await again.client.get(`${users}/currentuser`)).status).toBe(401)
    expect((await signIn(site, 'ada', 'another long password')).status).toBe(200)

    expect(await site.run('user', 'delete', 'ada')).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('--yes'),
    })
    expect(await site.run('user', 'delete', 'ada', '--yes')).toMatchObject({ exitCode: 0 })
    expect((await signIn(site, 'ada', 'another long password')).status).toBe(401)
    expect(await site.run('user', 'suspend', 'ada')).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('There is no user ada\n'),
    })
  })

  test('ends sessions, invites people and decides reports, which the audit log lists', async () => {
    const { client, username } = await register(site)
    const sessions = (await site.run('user', 'sessions', username, '--json')).json as unknown as object[]
    expect(sessions).toMatchObject([{ id: expect.any(String), device: expect.any(String) }])
    expect(await site.run('user', 'sign-out', username)).toMatchObject({ exitCode: 0 })
    expect((await client.get(`${users}/currentuser`)).status).toBe(401)
    const link = await site.run('user', 'password-link', username, '--json')
    const code = new URL(String(link.json.url)).hash.slice(1)
    const reset = await client.post(`${users}/resetpassword`, { code, newPassword: 'another long password' })
    expect(reset.status).toBe(200)

    const made = await site.run('invitation', 'create', '--uses', '2', '--json')
    expect(made.json).toMatchObject({ maxUses: 2, createdBy: null })
    expect((await site.run('invitation', 'list')).output).toContain(String(made.json.id))
    expect(await site.run('invitation', 'delete', String(made.json.id))).toMatchObject({ exitCode: 0 })
    expect(await site.run('report', 'list')).toMatchObject({ exitCode: 0, output: 'There is none.\n' })
    expect(await site.run('report', 'decide', '1', '--to', 'remove')).toMatchObject({ exitCode: 2 })
    expect(await site.run('comment', 'restore', 'none')).toMatchObject({ exitCode: 1 })

    const log = (await site.run('audit-log', 'list', '--json')).json as unknown as { action: string }[]
    expect(log.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['end_sessions', 'create_password_link', 'create_invitation']),
    )
  })

  test('changes settings of the site and the quota of an account', async () => {
    const { username } = await register(site)
    const set = await site.run('settings', 'set', 'watchedWords', 'casino', 'cheap watches')
    expect(set).toMatchObject({ exitCode: 0, output: 'The setting watchedWords is changed.\n' })
    await site.run('settings', 'set', 'holdFirstLinks', 'true')
    const listed = await site.run('settings', 'list', '--json')
    expect(listed.json).toMatchObject({
      settings: { siteName: 'Kinora', watchedWords: 'casino\ncheap watches', holdFirstLinks: true },
      fixed: [],
    })
    expect(await site.run('settings', 'set', 'siteAccent', '#ffd400')).toMatchObject({
      exitCode: 1,
      errors: expect.stringContaining('cannot be read'),
    })
    expect(await site.run('settings', 'set', 'siteNmae', 'X')).toMatchObject({ exitCode: 2 })
    expect(
      await site.run('user', 'quota', username, '--videos', '5', '--video-minutes', '30', '--json'),
    ).toMatchObject({
      exitCode: 0,
      json: { username, quotaBytes: null, quotaVideos: 5, quotaVideoMinutes: 30 },
    })
    expect(await site.run('user', 'quota', username, '--bytes', 'much')).toMatchObject({ exitCode: 1 })
    const [person] = (await site.run('user', 'list', username, '--json')).json as unknown as object[]
    expect(person).toMatchObject({ quotaDailyBytes: null, quotaVideos: 5, quotaVideoMinutes: 30 })
  })

  test('finds and deletes a comment, resets pictures, and writes an audit line for each', async () => {
    const owner = await register(site)
    const { _id: videoId } = await upload(owner.client, 'With spam below')
    await owner.client.post('/api/v1/comment/add', { videoId, content: 'Buy cheap clocks' })
    expect((await site.run('comment', 'list', 'no such words')).output).toContain('Only the newest 100,000')
    const listed = await site.run('comment', 'list', 'CHEAP', '--json')
    expect(listed.json).toMatchObject([{ author: owner.username, videoId, content: 'Buy cheap clocks' }])
    expect(listed.errors).not.toContain('"audit"')
    const { id } = (listed.json as unknown as { id: string }[])[0] ?? { id: '' }
    expect(await site.run('comment', 'delete', id)).toMatchObject({ exitCode: 1 })
    const deleted = await site.run('comment', 'delete', id, '--yes')
    expect(deleted).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(deleted.errors.trim().split('\n').at(-1) ?? '')).toMatchObject({
      audit: true,
      action: 'comment delete',
      actor: expect.stringMatching(/^operator \w+$/),
      target: { arguments: [id] },
    })
    expect((await owner.client.get(`/api/v1/comment/get/${videoId}`)).body.data).toEqual([])
    expect(await site.run('comment', 'delete', id, '--yes')).toMatchObject({ exitCode: 1 })

    const pictures = async () => {
      const { body } = await owner.client.get(`${users}/currentuser`)
      return body.data as { avatar: string; coverImage: string | null }
    }
    const cover = new FormData()
    cover.set('coverImage', await drawPicture(1600, 400), 'cover.png')
    await owner.client.patch(`${users}/updatecover`, cover)
    const before = await pictures()
    expect(before.coverImage).not.toBeNull()
    expect(await site.run('picture', 'reset-avatar', owner.username)).toMatchObject({ exitCode: 0 })
    expect(await site.run('picture', 'remove-cover', owner.username)).toMatchObject({ exitCode: 0 })
    const after = await pictures()
    expect(after.coverImage).toBeNull()
    expect(after.avatar).not.toBe(before.avatar)
    expect((await owner.client.fetch(after.avatar)).status).toBe(200)
  })

  test('deleting an account removes its likes, subscriptions and uploads from counts and lists', async () => {
    const [leaving, staying] = [await register(site), await register(site)]
    const { _id: own } = await upload(leaving.client, 'Of the one who leaves')
    const { _id: other } = await upload(staying.client, 'Of the one who stays')
    await leaving.client.post(`/api/v1/likes/video/toggle/${other}`)
    await leaving.client.post(`/api/v1/sub/channel/${staying.username}`)
    await staying.client.post(`/api/v1/sub/channel/${leaving.username}`)
    await leaving.client.post('/api/v1/comment/add', { videoId: other, content: 'Farewell' })

    expect(await site.run('user', 'delete', leaving.username, '--yes', '--json')).toMatchObject({
      exitCode: 0,
      json: { videos: 1 },
    })
    await expect
      .poll(async () => (await staying.client.get(`/api/v1/video/${own}`)).status, patience)
      .toBe(404)
    const dataOf = async (path: string) => (await staying.client.get(path)).body.data
    await expect
      .poll(() => dataOf(`/api/v1/video/${other}`), patience)
      .toMatchObject([{ totalLikes: 0, totalSubs: 0 }])
    await expect.poll(() => dataOf(`/api/v1/comment/get/${other}`), patience).toEqual([])
    expect(await dataOf(`${users}/currentuser`)).toMatchObject({ subscribedToCount: 0 })
  })

  test('hides a video from everybody after a takedown, until it is reinstated', async () => {
    const { client } = await register(site)
    const { _id: id } = await upload(client, 'Contested')
    const visitor = new TestClient(site.address)
    const statuses = () =>
      Promise.all(
        [`/api/v1/video/${id}`, `/api/v1/comment/get/${id}`, `/oembed?url=${site.address}/video/${id}`].map(
          async (path) => (await visitor.get(path)).status,
        ),
      )
    expect(await statuses()).toEqual([200, 200, 200])
    const reason = 'The music is not yours.'
    expect(await site.run('video', 'takedown', id, '--reason', reason)).toMatchObject({ exitCode: 0 })
    // The database notifies the site of changes by other processes.
    await expect.poll(statuses, patience).toEqual([404, 404, 404])
    const found = async () => (await visitor.get('/api/v1/video/search/contested')).body.data
    await expect.poll(found, patience).toEqual([])
    const { userVideos } = (await client.get(`${users}/dashboard`)).body.data as { userVideos: object[] }
    expect(userVideos).toMatchObject([{ _id: id, processing: { state: 'taken_down', reason } }])
    expect((await site.run('video', 'list', 'contested', '--json')).json).toMatchObject([
      { state: 'taken_down' },
    ])

    expect(await site.run('video', 'reinstate', id)).toMatchObject({ exitCode: 0 })
    await expect.poll(statuses, patience).toEqual([200, 200, 200])
    await expect.poll(found, patience).toMatchObject([{ _id: id }])

    expect(await site.run('video', 'reprocess', id)).toMatchObject({ exitCode: 0 })
    await expect
      .poll(async () => (await site.run('video', 'list', 'contested', '--json')).json[0].state, patience)
      .toBe('ready')
    expect(await site.run('video', 'delete', id, '--yes')).toMatchObject({ exitCode: 0 })
    await expect.poll(statuses, patience).toEqual([404, 404, 404])
  })

  test('hides what a suspended account published, also by a report, until it is reinstated', async () => {
    const [owner, reporter] = [await register(site), await register(site)]
    const { _id: id } = await upload(owner.client, 'Advertised')
    const { _id: subjectId } = (await owner.client.get(`${users}/currentuser`)).body.data as { _id: string }
    const visitor = new TestClient(site.address)
    const status = async () => (await visitor.get(`/api/v1/video/${id}`)).status
    const suspended = async () => (await signIn(site, owner.username, testPassword)).body

    const reason = 'Only advertising'
    const hidden = await site.run('user', 'suspend', owner.username, '--hide', '--reason', reason)
    expect(hidden).toMatchObject({ exitCode: 0 })
    await expect.poll(status, patience).toBe(404)
    expect(await suspended()).toMatchObject({ errors: [{ path: 'suspension', message: reason }] })
    expect(await site.run('user', 'reinstate', owner.username)).toMatchObject({ exitCode: 0 })
    await expect.poll(status, patience).toBe(200)
    expect((await suspended()).success).toBe(true)

    await reporter.client.post('/api/v1/reports', { kind: 'channel', subjectId, reason: 'spam' })
    const listed = (await site.run('report', 'list', '--json')).json as unknown as { id: string }[]
    const report = String(listed[0]?.id)
    const decide = (...options: string[]) => site.run('report', 'decide', report, ...options, '--json')
    expect(await decide('--to', 'dismiss', '--hide')).toMatchObject({ exitCode: 2 })
    expect(await decide('--to', 'remove', '--reason', reason, '--hide')).toMatchObject({
      exitCode: 0,
      json: { decision: 'remove' },
    })
    await expect.poll(status, patience).toBe(404)
    expect(await decide('--to', 'reopen')).toMatchObject({ exitCode: 0, json: { decision: null } })
    await expect.poll(status, patience).toBe(200)
    // without the option, only the account
    await decide('--to', 'remove', '--reason', reason)
    expect(await suspended()).toMatchObject({ code: 'forbidden' })
    expect(await status()).toBe(200)
    await decide('--to', 'reopen')
  })

  test('lists failed jobs with their reason, and retries them', async () => {
    const { client } = await register(site)
    const { _id: id } = await upload(client, 'Without a source')
    const source = (await site.run('video', 'list', 'without a source', '--json')).json[0]
    expect(source).toMatchObject({ id })
    // the queue is asked directly: a job that fails for good by itself takes minutes
    const url = await databaseOf(site)
    await withClient(url, (database) =>
      database.query(
        `insert into pgboss.job (name, data, source_name, source_output)
        values ('failed', '{}', 'videos.fold_views', '{"message": "the disk was full"}')`,
      ),
    )
    const failed = await site.run('jobs', 'list', '--failed', '--json')
    expect(failed.json).toMatchObject([{ name: 'videos.fold_views', reason: 'the disk was full' }])
    expect(await site.run('jobs', 'retry', '--all', '--json')).toMatchObject({
      exitCode: 0,
      json: { retried: 1 },
    })
    await expect
      .poll(async () => (await site.run('jobs', 'list', '--failed', '--json')).json, patience)
      .toEqual([])
    expect((await site.run('jobs', 'retry')).exitCode).toBe(2)
  })

  test('backup verify finds a lost file', async () => {
    const { client } = await register(site)
    const { _id: id } = await upload(client, 'Lost')
    expect((await site.run('backup', '--json')).exitCode).toBe(0)
    rmSync(join(site.dataDir, 'backups/files/sources', id), { recursive: true })
    const found = await site.run('backup', 'verify', '--json')
    expect(found.exitCode).toBe(1)
    expect(found.json.problems).toEqual([expect.stringMatching(new RegExp(`^sources/${id}/.* is missing$`))])
  })

  test('doctor reports no problem of a running site, and stats counts its rows', async () => {
    const port = new URL(site.address).port
    const found = await runKinora(['doctor', '--json'], { DATA_DIR: site.dataDir, PORT: port })
    expect(found.json.findings.filter(({ state }: { state: string }) => state === 'bad')).toEqual([])
    expect(found).toMatchObject({ exitCode: 0, json: { ok: true } })
    const sandbox = found.json.findings.find(({ subject }: { subject: string }) => subject === 'sandbox')
    expect(sandbox.message).toMatch(
      /^ffmpeg runs in the sandbox \w+ \((not )?found: .*prlimit.*\): .* Prevented: .*fork/,
    )
    expect(sandbox.message.includes('start it as a user of its own')).toBe(process.getuid?.() === 0)
    const counted = await site.run('stats', '--json')
    expect(counted).toMatchObject({ exitCode: 0, json: { takenDownVideos: 0, suspendedUsers: 0 } })
    expect(counted.json.users).toBeGreaterThan(1)
  })
})

test('doctor finds a site that listens on an IPv6 address', async ({ skip }) => {
  const site = createServer((_, response) => response.end('{"status":"ready"}')).listen(0, '::1')
  onTestFinished(() => void site.close())
  const hasIpv6 = await once(site, 'listening').then(
    () => true,
    () => false,
  )
  if (!hasIpv6) return skip('this machine has no IPv6')
  const { port } = site.address() as AddressInfo
  const env = { DATA_DIR: temporaryDirectory(), HOST: '::1', PORT: String(port) }
  const { json } = await runKinora(['doctor', '--json'], env)
  expect(json.findings).toContainEqual({
    subject: 'port',
    state: 'good',
    message: `The site runs on port ${port} and is ready`,
  })
})

test.each([
  [
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/kinora' },
    'database',
    /kinora at 127\.0\.0\.1:9 cannot be reached/,
  ],
  [{ FFMPEG_PATH: '/nowhere/ffmpeg' }, 'ffmpeg', /\/nowhere\/ffmpeg cannot be run/],
  [{ PORT: 'many' }, 'settings', /PORT has a bad value/],
  [{ DATA_DIR: '/proc/kinora' }, 'storage', /\/proc\/kinora/],
])('doctor with %o reports the problem', async (env, subject, message) => {
  const found = await runKinora(['doctor', '--json'], { DATA_DIR: siteDirectory(), PORT: '0', ...env })
  const bad = found.json.findings.filter((one: { state: string }) => one.state !== 'good')
  expect(bad).toEqual(
    expect.arrayContaining([expect.objectContaining({ subject, message: expect.stringMatching(message) })]),
  )
})

test.each([
  [[], 2],
  [['frobnicate'], 2],
  [['user', 'create', 'ada'], 2],
  [['--help'], 0],
  [['backup', 'verify', '--help'], 0],
])('%j ends with %i', async (args, exitCode) => {
  expect((await runKinora(args, { DATA_DIR: '/nowhere' })).exitCode).toBe(exitCode)
})

test('a backup taken during uploads restores the site on another server', async () => {
  const site = await start()
  const { client, username } = await register(site)
  const { _id: id } = await upload(client, 'Kept')
  const source = await (await client.fetch(`/media/videos/${id}/source.mp4`)).arrayBuffer()
  const backups = join(site.dataDir, 'elsewhere')

  const state = { isOver: false }
  const busy = (async () => {
    for (let count = 1; !state.isOver; count += 1) {
      const { _id: clip } = await upload(client, `Busy ${count}`)
      if (count % 2 === 0) await client.delete(`/api/v1/video/${clip}`)
    }
  })()
  const first = await site.run('backup', backups, '--json')
  state.isOver = true
  await busy
  const second = await site.run('backup', backups, '--keep', '1', '--json')
  expect([first.exitCode, second.exitCode]).toEqual([0, 0])
  expect(second.json).toMatchObject({ missing: [], pruned: { snapshots: 1 } })
  expect((await site.run('backup', 'list', backups, '--json')).json).toHaveLength(1)

  const good = await site.run('backup', 'verify', backups, '--json')
  expect(good).toMatchObject({ exitCode: 0, json: { ok: true, problems: [] } })
  expect(good.json.files).toBe(second.json.files)

  // Refused while the site is running, and if it has accounts.
  expect((await site.run('restore', backups)).errors).toContain('is running. Stop it first')
  await stop(site)
  expect((await site.run('restore', backups)).errors).toContain('A site with accounts exists already')

  const target = temporaryDirectory()
  expect(await runKinora(['restore', backups], { DATA_DIR: target })).toMatchObject({ exitCode: 0 })
  const restored = await start(target)
  const again = await signIn(restored, username, testPassword)
  expect(again.status).toBe(200)
  expect((await again.client.get(`/api/v1/video/${id}`)).body.data).toMatchObject([{ title: 'Kept' }])
  const same = await (await again.client.fetch(`/media/videos/${id}/source.mp4`)).arrayBuffer()
  expect(Buffer.from(same).equals(Buffer.from(source))).toBe(true)
  expect((await again.client.get('/api/v1/video/search/kept')).body.data).toMatchObject([{ _id: id }])
  // numbers and triggers go on where they were
  const { _id: later } = await upload(again.client, 'After the restoration')
  expect((await again.client.patch(`/api/v1/video/${later}`)).status).toBe(200)
  expect((await again.client.get('/api/v1/video/search/restoration')).body.data).toMatchObject([
    { _id: later },
  ])
  await stop(restored)

  expect(await runKinora(['restore', backups, '--replace'], { DATA_DIR: target })).toMatchObject({
    exitCode: 0,
  })
  const replaced = await runKinora(['video', 'list', '--json'], { DATA_DIR: target })
  const ids = replaced.json.map((video: { id: string }) => video.id)
  expect([ids.includes(id), ids.includes(later)]).toEqual([true, false])

  // a byte that rots is found, and nothing is restored from it
  const [snapshot] = (await site.run('backup', 'list', backups, '--json')).json
  const rotten = join(backups, 'snapshots', snapshot.snapshot, 'tables/videos.copy.gz')
  const bytes = readFileSync(rotten)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
  writeFileSync(rotten, bytes)
  const bad = await site.run('backup', 'verify', backups, '--json')
  expect(bad).toMatchObject({ exitCode: 1, json: { ok: false } })
  expect(bad.json.problems.join()).toContain('videos')
  const refused = await runKinora(['restore', backups], { DATA_DIR: temporaryDirectory() })
  expect(refused).toMatchObject({ exitCode: 1, errors: expect.stringContaining('nothing was changed') })
})

test('dumps the database before a migration, and the dump can be restored', async () => {
  const dataDir = temporaryDirectory()
  const quiet = { info: () => undefined, warn: () => undefined }
  const files = await listMigrations(migrationsDirectory)
  const server = await startEmbedded({ dataDir, log: quiet })
  await migrate(server.url, migrationsDirectory, files.slice(0, -1))
  await withClient(server.url, (client) =>
    client.query(`insert into users (id, username, email, fullname, password_hash, avatar)
      values ('1', 'before', 'before@example.org', 'Before', '-', '-')`),
  )
  await server.stop()

  const looked = await runKinora(['upgrade', '--check', '--json'], { DATA_DIR: dataDir })
  expect(looked).toMatchObject({ exitCode: 1, json: { missing: files.slice(-1) } })
  const upgraded = await runKinora(['upgrade', '--json'], { DATA_DIR: dataDir })
  expect(upgraded).toMatchObject({ exitCode: 0, json: { applied: files.slice(-1) } })
  expect(upgraded.json.backup).toContain(join(dataDir, 'backups/before-upgrades/snapshots'))
  expect(await runKinora(['upgrade', '--check'], { DATA_DIR: dataDir })).toMatchObject({ exitCode: 0 })
  const again = await runKinora(['upgrade', '--json'], { DATA_DIR: dataDir })
  expect(again).toMatchObject({ exitCode: 0, json: { applied: [], backup: null } })

  const backups = join(dataDir, 'backups/before-upgrades')
  const target = temporaryDirectory()
  expect(await runKinora(['restore', backups], { DATA_DIR: target })).toMatchObject({ exitCode: 0 })
  const listed = await runKinora(['user', 'list', '--json'], { DATA_DIR: target })
  expect(listed.json).toMatchObject([{ username: 'before' }])

  const newer = await startEmbedded({ dataDir, log: quiet })
  await withClient(newer.url, (client) =>
    client.query("insert into migrations (name) values ('9999-future.sql')"),
  )
  await newer.stop()
  const refused = await runKinora(['upgrade'], { DATA_DIR: dataDir })
  expect(refused).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining('The database was migrated by a newer Kinora (9999-future.sql).'),
  })
})

async function databaseOf(site: Site): Promise<string> {
  const { findEmbedded } = await import('../platform/db/embedded/embedded.ts')
  const url = await findEmbedded(site.dataDir)
  if (!url) throw new Error('The embedded database does not respond')
  return url
}
