import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runInProcess } from '../../../testing/fixtures/run-in-process.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { createTestBucket, hasNoStore } from '@kinora/platform/testing/test-bucket.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { createTestDatabase } from '@kinora/platform/testing/test-database.ts'
import { sourceOf, upload } from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'

test.skipIf(hasNoStore)(
  'a site in a bucket is backed up during uploads, verified, and restored into another bucket',
  async () => {
    const bucket = await createTestBucket()
    const site = await createTestApp({ settings: bucket })
    onTestFinished(() => site.close())
    const { client, user } = await signUp(site)
    const kept = await upload(client, 'Kept')
    const backups = await temporaryDirectory()
    const settings = { ...bucket, DATABASE_URL: site.databaseUrl, DATA_DIR: site.context.config.dataDir }

    const state = { isOver: false }
    const busy = (async () => {
      for (let count = 1; !state.isOver; count += 1) {
        const { _id } = await upload(client, `Busy ${count}`)
        if (count % 2 === 0) await client.delete(`/api/v1/video/${_id}`)
      }
    })()
    const first = await runInProcess(['backup', backups, '--json'], settings)
    const second = await runInProcess(['backup', backups, '--keep', '1', '--json'], settings)
    state.isOver = true
    await busy
    expect([first, second]).toMatchObject([
      { exitCode: 0, json: { missing: [] } },
      { exitCode: 0, json: { missing: [], pruned: { snapshots: 1 } } },
    ])
    const verified = await runInProcess(['backup', 'verify', backups, '--json'], settings)
    expect(verified).toMatchObject({
      exitCode: 0,
      json: { ok: true, problems: [], files: second.json.files },
    })

    const database = await createTestDatabase()
    onTestFinished(() => database.drop())
    const target = {
      ...(await createTestBucket()),
      DATABASE_URL: database.url,
      DATA_DIR: await temporaryDirectory(),
    }
    expect(await runInProcess(['restore', backups, '--json'], target)).toMatchObject({
      exitCode: 0,
      json: { files: second.json.files },
    })
    const restored = await createTestApp({ settings: target, databaseUrl: database.url })
    expect(await avatarOf(restored, user.avatar)).toEqual(await avatarOf(site, user.avatar))
    expect((await sourceOf(restored.client(), kept)).equals(await drawClip('mp4'))).toBe(true)
    // files unknown to the backup are deleted when it replaces a site
    await restored.storage.put('sources/later/video', Buffer.from('later'))
    await restored.close()
    expect((await runInProcess(['restore', backups], target)).errors).toContain(
      'A site with accounts exists already',
    )
    expect((await runInProcess(['restore', backups, '--replace'], target)).exitCode).toBe(0)
    const replaced = await createTestApp({ settings: target, databaseUrl: database.url })
    onTestFinished(() => replaced.close())
    expect(await replaced.storage.head('sources/later/video')).toBeUndefined()
    expect((await fetch(new URL(kept.videoFile, replaced.origin), { method: 'HEAD' })).status).toBe(200)

    // files that the bucket has lost are reported
    await site.storage.delete(`sources/${kept._id}/`)
    const lost = await runInProcess(['backup', await temporaryDirectory(), '--json'], settings)
    expect(lost.exitCode).toBe(1)
    expect(lost.json.missing).toEqual([expect.stringContaining(`sources/${kept._id}/`)])
  },
  600_000,
)

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'kinora-backup-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

async function avatarOf(site: TestApp, avatar: string): Promise<Buffer> {
  const response = await fetch(new URL(avatar, site.origin))
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}
