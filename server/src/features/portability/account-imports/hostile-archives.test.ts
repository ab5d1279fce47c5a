import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { deleteAccountImport, getAccountImport } from '@kinora/contract/portability/account-imports.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import {
  deflatedZip,
  exportAccount,
  importInto,
  startImport,
  unzip,
} from '../../../testing/fixtures/test-imports.ts'
import { zipOf } from '@kinora/platform/testing/zip-of.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { importAccount } from './jobs.ts'

type Person = Awaited<ReturnType<typeof signUp>>

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ settings: { PREPARE_POLICY: 'none' } })
})
afterAll(() => site.close())

/** An archive of YouTube with these video files. */
const takeoutOf = (files: Record<string, Uint8Array>) =>
  deflatedZip(
    Object.fromEntries(
      Object.entries(files).map(([name, bytes]) => [
        `Takeout/YouTube and YouTube Music/videos/${name}`,
        bytes,
      ]),
    ),
  )

test('unpacks no entry that begins as no video, grows too much or exceeds the quota', async () => {
  const person = await signUp(site)
  const clip = await drawClip('mp4')
  const zeros = Buffer.alloc(6_000_000)
  const files = { 'zeros.mp4': zeros, 'bomb.mp4': Buffer.concat([clip, zeros]), 'clip.mp4': clip }
  const { state, report } = await importInto(site, person, takeoutOf(files))
  expect(state).toBe('done')
  expect(report.counts).toEqual([{ kind: 'videos', imported: 1, present: 0, skipped: 2 }])
  const reasons = report.problems.map(({ reason }) => reason)
  expect(reasons).toContain('Invalid file type. Only MP4, WebM, and Ogg are allowed.')
  expect(reasons).toContainEqual(expect.stringMatching(/bomb.mp4 grows to more than 20 times its size/))
  const quotaBytes = clip.length + 1_000_000
  await site.db.updateTable('users').set({ quotaBytes }).where('id', '=', person.user._id).execute()
  const large = Buffer.concat([clip, randomBytes(1_500_000).map((byte) => byte & 1)])
  const second = await importInto(site, person, takeoutOf({ 'large.mp4': large }))
  expect(second.report.problems[0]?.reason).toContain('quota')
  expect(await readdir(path.join(site.context.config.dataDir, 'incoming'))).toEqual([])
})

const account = async (person: Person) => {
  const files = await unzip(await exportAccount(site, person))
  return { ...JSON.parse(String(files.get('account.json'))), id: `of ${person.user._id}`, icon: null }
}

test('reports a history of millions of zeros without reading it', async () => {
  const person = await signUp(site)
  const files = { 'account.json': await account(person), 'history.json': `[${'0,'.repeat(2_000_001)}0]` }
  const { state, report } = await importInto(site, person, await zipOf(files))
  expect(state).toBe('done')
  expect(report.problems).toMatchObject([
    { kind: 'history', name: 'history.json', reason: 'The file has more than 2,000,000 values' },
  ])
})

test('rejects a list of millions of empty subscriptions without reading it', async () => {
  const person = await signUp(site)
  const list = Buffer.from(`{"subscriptions":[${'{},'.repeat(1_000_001)}{}]}`)
  const { state, failure } = await importInto(site, person, list)
  expect([state, failure]).toEqual(['failed', 'The file has more than 2,000,000 values'])
})

test('stops an import that is cancelled while it reads a file', async () => {
  const person = await signUp(site)
  // of FreeTube: reading its lines takes many seconds
  const job = await startImport(site, person, Buffer.from(`{\n${'0\n'.repeat(3_900_000)}`))
  const running = importAccount.handle(job, site.context, new AbortController().signal)
  await person.client.call(deleteAccountImport, {})
  await running
  expect(await person.client.call(getAccountImport, {})).toMatchObject({ state: 'cancelled' })
  expect((await person.client.post('/api/v1/users/import', { uploadId: job.uploadId })).status).toBe(404)
})
