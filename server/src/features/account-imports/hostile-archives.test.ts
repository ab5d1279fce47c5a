import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/fixtures/test-app.ts'
import { drawClip } from '../../testing/fixtures/test-clips.ts'
import { deflatedZip, importInto } from '../../testing/fixtures/test-imports.ts'
import { signUp } from '../../testing/fixtures/test-users.ts'

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
  const zeros = Buffer.alloc(10_000_000)
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
