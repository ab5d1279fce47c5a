import { announceStream, listAnnouncedStreams } from '@kinora/contract/live/announcements.ts'
import { listComing } from '@kinora/contract/live/coming.ts'
import { putChannelIntros } from '@kinora/contract/videos/intros.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { createClip, getClip } from '@kinora/contract/watching/clips.ts'
import { hourMs } from '@kinora/platform/durations.ts'
import { newId } from '@kinora/platform/ids.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { createTestDatabase } from '@kinora/platform/testing/test-database.ts'
import { expect, onTestFinished, test } from 'vitest'
import { runInProcess } from '../../../testing/fixtures/run-in-process.ts'
import { createTestApp } from '../../../testing/fixtures/test-app.ts'
import { upload } from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'
import { addVideo } from '../../../testing/fixtures/test-videos.ts'
import { updateRole } from '../../accounts/users/queries.ts'
import { endLostStreams } from '../../live/live-streams/jobs.ts'
import { endStream, insertStream } from '../../live/live-streams/queries/streams.ts'

const settings = { LIVE: 'true', PREPARE_POLICY: 'none' }

test('a backup during streams restores announcements, intros and clips, and no stream stays live', async () => {
  const site = await createTestApp({ settings })
  onTestFinished(() => site.close())
  const { client, user } = await signUp(site)
  await updateRole(site.db, user._id, 'administrator')
  const { _id: introId } = await upload(client, 'Opening')
  const { _id: id } = await upload(client, 'Glacier')
  await client.call(putChannelIntros, { body: { introId, outroId: null } })
  const part = { videoId: id, title: 'The calving', startSeconds: 0, endSeconds: 1 }
  const { _id: clipId } = await client.call(createClip, { body: part })
  const startsAt = new Date(site.clock.now().getTime() + hourMs).toISOString()
  const show = { title: 'At dawn', visibility: 'public', keepsRecording: true, startsAt } as const
  const announced = await client.call(announceStream, { body: show })

  const { thumbnail } = await site.db
    .selectFrom('videos')
    .select('thumbnail')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const begin = async () => {
    const videoId = newId()
    const live = { id: videoId, isLive: true, sourceKey: `live/${videoId}/1`, thumbnail }
    await addVideo(site, user._id, { ...live, processingState: 'ready' })
    const stream = { videoId, channelId: user._id, format: '{}', init: Buffer.of(1), keepsRecording: true }
    await insertStream(site.db, { ...stream, isFromBrowser: false, now: site.clock.now() })
    return videoId
  }
  const ended = await begin()
  // the job that makes a video of it waits in the queue
  await endStream(site.db, ended, { reason: 'stopped', now: site.clock.now() })
  const streams = [ended, await begin()]

  const backups = temporaryDirectory()
  const here = { DATABASE_URL: site.databaseUrl, DATA_DIR: site.context.config.dataDir }
  const made = await runInProcess(['backup', backups, '--json'], here)
  expect(made).toMatchObject({ exitCode: 0, json: { missing: [] } })
  expect((await runInProcess(['check', '--json'], here)).json).toMatchObject({ ok: true })
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const dataDir = temporaryDirectory()
  const there = { DATABASE_URL: database.url, DATA_DIR: dataDir }
  expect(await runInProcess(['restore', backups], there)).toMatchObject({ exitCode: 0 })

  const restored = await createTestApp({
    // the recordings are not there
    settings: { ...settings, LOG_LEVEL: 'silent' },
    databaseUrl: database.url,
    dataDir,
    worker: true,
  })
  onTestFinished(() => restored.close())
  const again = client.at(restored.origin)
  expect(await again.call(listAnnouncedStreams, {})).toEqual([announced])
  expect((await again.fetch(announced.thumbnail)).status).toBe(200)
  const [video] = await again.call(getVideo, { params: { id } })
  expect(video?.introId).toBe(introId)
  expect((await again.call(getClip, { params: { clipId } })).title).toBe('The calving')

  restored.clock.advance(hourMs / 20)
  await endLostStreams.handle({}, restored.context, new AbortController().signal)
  const states = () =>
    restored.db
      .selectFrom('videos')
      .select(['isLive', 'processingState'])
      .where('id', 'in', streams)
      .execute()
  const failed = { isLive: false, processingState: 'failed' }
  await expect.poll(states).toEqual([failed, failed])
  expect((await again.call(listComing, { query: {} })).map(({ _id }) => _id)).toEqual([announced.videoId])
})
