import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listOwnCaptions } from '@kinora/contract/videos/captions.ts'
import { withClient } from '@kinora/platform/db/client.ts'
import { runInProcess } from '../testing/fixtures/run-in-process.ts'
import { createTestApp, type TestApp } from '../testing/fixtures/test-app.ts'
import { upload } from '../testing/fixtures/test-uploads.ts'
import { drawPicture, signUpAt, testPassword } from '../testing/fixtures/test-users.ts'

const users = '/api/v1/users'
const patience = { timeout: 60_000 }

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ worker: true, settings: { PREPARE_POLICY: 'none' } })
})
afterAll(() => site.close())

/** Runs a command on the site, which learns of changes only from the database. */
const run = (...args: string[]) =>
  runInProcess(args, { DATABASE_URL: site.databaseUrl, DATA_DIR: site.context.config.dataDir })

async function signIn(username: string, password: string) {
  const client = site.client()
  const response = await client.post(`${users}/login`, { username, password })
  return { client, ...response }
}

test('creates, suspends, reinstates and deletes an account, and sets its password', async () => {
  const made = await run('user', 'create', 'ada', 'ada@example.org', '--json')
  expect(made).toMatchObject({ exitCode: 0, json: { username: 'ada' } })
  const ada = await signIn('ada', made.json.password)
  expect(ada.status).toBe(200)

  expect(await run('user', 'suspend', 'ADA@example.org')).toMatchObject({ exitCode: 0 })
  expect((await ada.client.get(`${users}/currentuser`)).status).toBe(401)
  expect(await signIn('ada', made.json.password)).toMatchObject({
    status: 403,
    body: { code: 'forbidden', message: 'This account is suspended' },
  })
  expect((await signIn('ada', 'a wrong password')).status).toBe(401)

  expect(await run('user', 'reinstate', 'ada')).toMatchObject({ exitCode: 0 })
  const again = await signIn('ada', made.json.password)
  expect(again.status).toBe(200)

  const changed = await run('user', 'reset-password', 'ada', '--json')
  expect((await again.client.get(`${users}/currentuser`)).status).toBe(401)
  expect((await signIn('ada', changed.json.password)).status).toBe(200)

  expect(await run('user', 'delete', 'ada')).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining('--yes'),
  })
  expect(await run('user', 'delete', 'ada', '--yes')).toMatchObject({ exitCode: 0 })
  expect((await signIn('ada', changed.json.password)).status).toBe(401)
  expect(await run('user', 'suspend', 'ada')).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining('There is no user ada\n'),
  })
})

test('ends sessions, invites people and decides reports, which the audit log lists', async () => {
  const { client, username } = await signUpAt(site.origin)
  const sessions = (await run('user', 'sessions', username, '--json')).json as unknown as object[]
  expect(sessions).toMatchObject([{ id: expect.any(String), device: expect.any(String) }])
  expect(await run('user', 'sign-out', username)).toMatchObject({ exitCode: 0 })
  expect((await client.get(`${users}/currentuser`)).status).toBe(401)
  const link = await run('user', 'password-link', username, '--json')
  const code = new URL(String(link.json.url)).hash.slice(1)
  const reset = await client.post(`${users}/resetpassword`, { code, newPassword: 'another long password' })
  expect(reset.status).toBe(200)

  const made = await run('invitation', 'create', '--uses', '2', '--json')
  expect(made.json).toMatchObject({ maxUses: 2, createdBy: null })
  expect((await run('invitation', 'list')).output).toContain(String(made.json.id))
  expect(await run('invitation', 'delete', String(made.json.id))).toMatchObject({ exitCode: 0 })
  expect(await run('report', 'list')).toMatchObject({ exitCode: 0, output: 'There is none.\n' })
  expect(await run('report', 'decide', '1', '--to', 'remove')).toMatchObject({ exitCode: 2 })
  expect(await run('comment', 'restore', 'none')).toMatchObject({ exitCode: 1 })

  const log = (await run('audit-log', 'list', '--json')).json as unknown as { action: string }[]
  expect(log.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['end_sessions', 'create_password_link', 'create_invitation']),
  )
})

test('changes settings of the site and the quota of an account', async () => {
  const { username } = await signUpAt(site.origin)
  const set = await run('settings', 'set', 'watchedWords', 'casino', 'cheap watches')
  expect(set).toMatchObject({ exitCode: 0, output: 'The setting watchedWords is changed.\n' })
  await run('settings', 'set', 'holdFirstLinks', 'true')
  const listed = await run('settings', 'list', '--json')
  expect(listed.json).toMatchObject({
    settings: { siteName: 'Kinora', watchedWords: 'casino\ncheap watches', holdFirstLinks: true },
    fixed: [],
  })
  expect(await run('settings', 'set', 'siteAccent', '#ffd400')).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining('cannot be read'),
  })
  expect(await run('settings', 'set', 'siteNmae', 'X')).toMatchObject({ exitCode: 2 })
  expect(
    await run('user', 'quota', username, '--videos', '5', '--video-minutes', '30', '--json'),
  ).toMatchObject({
    exitCode: 0,
    json: { username, quotaBytes: null, quotaVideos: 5, quotaVideoMinutes: 30 },
  })
  expect(await run('user', 'quota', username, '--bytes', 'much')).toMatchObject({ exitCode: 1 })
  const [person] = (await run('user', 'list', username, '--json')).json as unknown as object[]
  expect(person).toMatchObject({ quotaDailyBytes: null, quotaVideos: 5, quotaVideoMinutes: 30 })
})

test('writes no audit line to a terminal', async () => {
  const { isTTY } = process.stderr
  const set = ['settings', 'set', 'holdFirstLinks', 'false']
  try {
    process.stderr.isTTY = true
    expect((await run(...set)).errors).toBe('')
    process.stderr.isTTY = false
    expect((await run(...set)).errors).toContain('"audit"')
  } finally {
    process.stderr.isTTY = isTTY
  }
})

test('finds and deletes a comment, resets pictures, and writes an audit line for each', async () => {
  const owner = await signUpAt(site.origin)
  const { _id: videoId } = await upload(owner.client, 'With spam below')
  await owner.client.post('/api/v1/comment/add', { videoId, content: 'Buy cheap clocks' })
  expect((await run('comment', 'list', 'no such words')).output).toContain('Only the newest 100,000')
  const listed = await run('comment', 'list', 'CHEAP', '--json')
  expect(listed.json).toMatchObject([{ author: owner.username, videoId, content: 'Buy cheap clocks' }])
  expect(listed.errors).not.toContain('"audit"')
  const { id } = (listed.json as unknown as { id: string }[])[0] ?? { id: '' }
  expect(await run('comment', 'delete', id)).toMatchObject({ exitCode: 1 })
  const deleted = await run('comment', 'delete', id, '--yes')
  expect(deleted).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(deleted.errors.trim().split('\n').at(-1) ?? '')).toMatchObject({
    audit: true,
    action: 'comment delete',
    actor: expect.stringMatching(/^operator \w+$/),
    target: { arguments: [id] },
  })
  expect((await owner.client.get(`/api/v1/comment/get/${videoId}`)).body.data).toEqual([])
  expect(await run('comment', 'delete', id, '--yes')).toMatchObject({ exitCode: 1 })

  const pictures = async () => {
    const { body } = await owner.client.get(`${users}/currentuser`)
    return body.data as { avatar: string; coverImage: string | null }
  }
  const cover = new FormData()
  cover.set('coverImage', await drawPicture(1600, 400), 'cover.png')
  await owner.client.patch(`${users}/updatecover`, cover)
  const before = await pictures()
  expect(before.coverImage).not.toBeNull()
  expect(await run('picture', 'reset-avatar', owner.username)).toMatchObject({ exitCode: 0 })
  expect(await run('picture', 'remove-cover', owner.username)).toMatchObject({ exitCode: 0 })
  const after = await pictures()
  expect(after.coverImage).toBeNull()
  expect(after.avatar).not.toBe(before.avatar)
  expect((await owner.client.fetch(after.avatar)).status).toBe(200)
})

test('deleting an account removes its likes, subscriptions and uploads from counts and lists', async () => {
  const [leaving, staying] = [await signUpAt(site.origin), await signUpAt(site.origin)]
  const { _id: own } = await upload(leaving.client, 'Of the one who leaves')
  const { _id: other } = await upload(staying.client, 'Of the one who stays')
  await leaving.client.post(`/api/v1/likes/video/toggle/${other}`)
  await leaving.client.post(`/api/v1/sub/channel/${staying.username}`)
  await staying.client.post(`/api/v1/sub/channel/${leaving.username}`)
  await leaving.client.post('/api/v1/comment/add', { videoId: other, content: 'Farewell' })

  expect(await run('user', 'delete', leaving.username, '--yes', '--json')).toMatchObject({
    exitCode: 0,
    json: { videos: 1 },
  })
  await expect.poll(async () => (await staying.client.get(`/api/v1/video/${own}`)).status, patience).toBe(404)
  const dataOf = async (path: string) => (await staying.client.get(path)).body.data
  await expect
    .poll(() => dataOf(`/api/v1/video/${other}`), patience)
    .toMatchObject([{ totalLikes: 0, totalSubs: 0 }])
  await expect.poll(() => dataOf(`/api/v1/comment/get/${other}`), patience).toEqual([])
  expect(await dataOf(`${users}/currentuser`)).toMatchObject({ subscribedToCount: 0 })
})

test('hides a video from everybody after a takedown, until it is reinstated', async () => {
  const { client } = await signUpAt(site.origin)
  const { _id: id } = await upload(client, 'Contested')
  const visitor = site.client()
  const statuses = () =>
    Promise.all(
      [`/api/v1/video/${id}`, `/api/v1/comment/get/${id}`, `/oembed?url=${site.origin}/video/${id}`].map(
        async (path) => (await visitor.get(path)).status,
      ),
    )
  expect(await statuses()).toEqual([200, 200, 200])
  const reason = 'The music is not yours.'
  expect(await run('video', 'takedown', id, '--reason', reason)).toMatchObject({ exitCode: 0 })
  // The database notifies the site of changes by other processes.
  await expect.poll(statuses, patience).toEqual([404, 404, 404])
  const found = async () => (await visitor.get('/api/v1/video/search/contested')).body.data
  await expect.poll(found, patience).toEqual([])
  const { userVideos } = (await client.get(`${users}/dashboard`)).body.data as { userVideos: object[] }
  expect(userVideos).toMatchObject([{ _id: id, processing: { state: 'taken_down', reason } }])
  expect((await run('video', 'list', 'contested', '--json')).json).toMatchObject([{ state: 'taken_down' }])

  expect(await run('video', 'reinstate', id)).toMatchObject({ exitCode: 0 })
  await expect.poll(statuses, patience).toEqual([200, 200, 200])
  await expect.poll(found, patience).toMatchObject([{ _id: id }])

  expect(await run('video', 'reprocess', id)).toMatchObject({ exitCode: 0 })
  await expect
    .poll(async () => (await run('video', 'list', 'contested', '--json')).json[0].state, patience)
    .toBe('ready')
  expect(await run('video', 'delete', id, '--yes')).toMatchObject({ exitCode: 0 })
  await expect.poll(statuses, patience).toEqual([404, 404, 404])
})

test('hides what a suspended account published, also by a report, until it is reinstated', async () => {
  const [owner, reporter] = [await signUpAt(site.origin), await signUpAt(site.origin)]
  const { _id: id } = await upload(owner.client, 'Advertised')
  const { _id: subjectId } = (await owner.client.get(`${users}/currentuser`)).body.data as { _id: string }
  const visitor = site.client()
  const status = async () => (await visitor.get(`/api/v1/video/${id}`)).status
  const suspended = async () => (await signIn(owner.username, testPassword)).body

  const reason = 'Only advertising'
  const hidden = await run('user', 'suspend', owner.username, '--hide', '--reason', reason)
  expect(hidden).toMatchObject({ exitCode: 0 })
  await expect.poll(status, patience).toBe(404)
  expect(await suspended()).toMatchObject({ errors: [{ path: 'suspension', message: reason }] })
  expect(await run('user', 'reinstate', owner.username)).toMatchObject({ exitCode: 0 })
  await expect.poll(status, patience).toBe(200)
  expect((await suspended()).success).toBe(true)

  await reporter.client.post('/api/v1/reports', { kind: 'channel', subjectId, reason: 'spam' })
  const listed = (await run('report', 'list', '--json')).json as unknown as { id: string }[]
  const report = String(listed[0]?.id)
  const decide = (...options: string[]) => run('report', 'decide', report, ...options, '--json')
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
  const { client } = await signUpAt(site.origin)
  const { _id: id } = await upload(client, 'Without a source')
  const source = (await run('video', 'list', 'without a source', '--json')).json[0]
  expect(source).toMatchObject({ id })
  // written to the queue: until the last attempt of a real job has failed, minutes pass
  await withClient(site.databaseUrl, (database) =>
    database.query(
      `insert into pgboss.job (name, data, source_name, source_output)
      values ('failed', '{}', 'videos.fold_views', '{"message": "the disk was full"}')`,
    ),
  )
  const failed = await run('jobs', 'list', '--failed', '--json')
  expect(failed.json).toMatchObject([{ name: 'videos.fold_views', reason: 'the disk was full' }])
  expect(await run('jobs', 'retry', '--all', '--json')).toMatchObject({
    exitCode: 0,
    json: { retried: 1 },
  })
  await expect.poll(async () => (await run('jobs', 'list', '--failed', '--json')).json, patience).toEqual([])
  expect((await run('jobs', 'retry')).exitCode).toBe(2)
})

test('backup verify finds a lost file', async () => {
  const { client } = await signUpAt(site.origin)
  const { _id: id } = await upload(client, 'Lost')
  expect((await run('backup', '--json')).exitCode).toBe(0)
  rmSync(join(site.context.config.dataDir, 'backups/files/sources', id), { recursive: true })
  const found = await run('backup', 'verify', '--json')
  expect(found.exitCode).toBe(1)
  expect(found.json.problems).toEqual([expect.stringMatching(new RegExp(`^sources/${id}/.* is missing$`))])
})

test('writes all captions into a folder, and reads them back, also as SubRip', async () => {
  const owner = await signUpAt(site.origin)
  const { _id: id } = await upload(owner.client, 'Tide')
  const folder = join(site.context.config.dataDir, 'captions')
  mkdirSync(folder)
  writeFileSync(join(folder, `${id}.de.srt`), '1\n00:00:01,000 --> 00:00:02,000\nGezeiten\n')
  writeFileSync(join(folder, `${id}.en.auto.vtt`), 'WEBVTT\n\n00:01.000 --> 00:02.000\nTide\n')
  writeFileSync(join(folder, 'unknown.en.vtt'), 'WEBVTT\n\n00:01.000 --> 00:02.000\nTide\n')
  writeFileSync(join(folder, `${id}.fr.vtt`), 'no captions')
  const first = await run('captions', 'import', folder, '--json')
  expect(first).toMatchObject({ exitCode: 1, json: { imported: 2 } })
  expect(first.json.skipped.map(({ file }: { file: string }) => file)).toEqual(
    [`${id}.fr.vtt`, 'unknown.en.vtt'].toSorted(),
  )
  const labels = async () =>
    (await owner.client.call(listOwnCaptions, { params: { id } })).map(({ label }) => label)
  expect(await labels()).toEqual(['English (automatic)', 'German'])
  const out = join(folder, 'out')
  expect(await run('captions', 'export', out, '--json')).toMatchObject({ exitCode: 0, json: { exported: 2 } })
  expect(readdirSync(out)).toEqual([`${id}.de.vtt`, `${id}.en.auto.vtt`])
  expect(readFileSync(join(out, `${id}.de.vtt`), 'utf8')).toContain('Gezeiten')
  expect(await run('captions', 'import', out)).toMatchObject({ exitCode: 0 })
  expect(await labels()).toEqual(['English (automatic)', 'German'])
})
