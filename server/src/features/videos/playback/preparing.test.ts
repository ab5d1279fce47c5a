import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import { nightlyUnless } from '@kinora/platform/testing/nightly.ts'
import { createTestApp, type TestApp, type TestAppOptions } from '../../../testing/fixtures/test-app.ts'
import { untilEncodingEnds } from '../../../testing/fixtures/playback-work.ts'
import { h264, publishSource } from '../../../testing/fixtures/test-sources.ts'
import { deleteAnyVideo } from '../video-deletion/actions/delete-video.ts'
import { deleteVideoFiles } from '../videos/jobs.ts'
import { getVideo } from '../videos/queries/videos.ts'
import { prepareVideo } from './actions/prepare-video.ts'
import { retryPreparation } from './actions/retry-preparation.ts'
import { prepareRun, encodeSegment, prepare } from './jobs.ts'
import { segmentEnded } from './topics.ts'

const polling = { timeout: 480_000 }

async function startSite(options: TestAppOptions): Promise<TestApp> {
  const site = await createTestApp(options)
  onTestFinished(() => site.close())
  return site
}

/** An ffmpeg that does to some of its arguments what a shell says, and is else what it is. */
async function ffmpegThat(
  cases: Record<string, string>,
): Promise<{ program: string; change(cases: Record<string, string>): Promise<void> }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'kinora-ffmpeg-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const program = path.join(directory, 'ffmpeg')
  const write = async (branches: Record<string, string>) => {
    const lines = Object.entries(branches).map(([captions, does]) => `*"${captions}"*) ${does};;`)
    const text = `#!/bin/sh\ncase "$*" in ${lines.join(' ')} *);; esac\nexec ffmpeg "$@"\n`
    // at once: nobody runs half of it, nor is refused what is being written
    await writeFile(`${program}.new`, text, { mode: 0o755 })
    await rename(`${program}.new`, program)
  }
  await write(cases)
  return { program, change: write }
}

async function ownerOf(site: TestApp, id: string): Promise<string> {
  const rows = site.db.selectFrom('videos').select('ownerId').where('id', '=', id)
  return (await rows.executeTakeFirstOrThrow()).ownerId
}

async function storedOf(site: TestApp, id: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of site.storage.list(`segments/${id}/`))
    keys.push(key.replace(`segments/${id}/${SEGMENT_FORMAT}/`, ''))
  return keys.toSorted()
}

/** Tracks in the playlist that players load. */
async function listedTracks(site: TestApp, id: string): Promise<string[]> {
  const { body } = await site.app.inject(`/media/videos/${id}/master.m3u8`)
  const uris = body.matchAll(/^(?:.*URI=")?\w+\/([^/\n]+)\/index\.m3u8/gm)
  return [...new Set(Array.from(uris, ([, name = '']) => name))].toSorted()
}

const track = (name: string) => ['0.m4s', '1.m4s', '2.m4s', 'init.mp4'].map((file) => `${name}/${file}`)

const opus = '-c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus'
const isFailed = {
  state: 'failed',
  progress: 1,
  reason: 'Some parts of this video could not be prepared.',
  cause: { reason: 'some_not_prepared', params: {} },
}

const parts: [name: string, cases: Record<string, string>, others: string[]][] = [
  // says that all went well
  ['the preview pictures', { 'c:v mjpeg': 'exit 0' }, ['144', '240', '360', 'audio-0', 'audio-0-low']],
  [
    'a rendition',
    { 'pad=640:360': 'echo no >&2; exit 1' },
    ['144', '240', 'audio-0', 'audio-0-low', 'storyboard2'],
  ],
  ['the sound', { 'c:a aac': 'exit 0' }, ['144', '240', '360', 'storyboard2']],
]

for (const [part, broken, tracks] of parts)
  test(
    `encodes the rest if ${part} fails, and shows the owner the failure until a retry succeeds`,
    { ...polling, ...nightlyUnless(part === 'a rendition') },
    async () => {
      const { program, change } = await ffmpegThat(broken)
      const settings = { FFMPEG_PATH: program, LOG_LEVEL: 'silent' }
      const site = await startSite({ worker: true, settings })
      const { id } = await publishSource(site, 'partly.webm', opus)
      await prepareVideo(site.context, id)
      const processing = async () => (await getVideo(site.db, id)).processing
      const files = (names: string[]) =>
        names.flatMap((name) => (name === 'storyboard2' ? ['storyboard2/0.jpg'] : track(name))).toSorted()
      const full = { interval: 100, timeout: 400_000 }
      await expect.poll(processing, full).toEqual(isFailed)
      // all segments, not only those of the beginning
      await expect
        .poll(async () => (await storedOf(site, id)).filter((key) => !key.startsWith('360/init')), full)
        .toEqual(files(tracks).filter((key) => !key.startsWith('360/init')))
      expect(await site.context.jobs.listIdle([prepare], [id])).toEqual([id])
      const encoded = tracks.filter((name) => name !== 'storyboard2')
      expect(await listedTracks(site, id)).toEqual(encoded)

      await change({})
      await expect.poll(() => site.context.jobs.listIdle([prepare, prepareRun], [id]), full).toEqual([id])
      expect(await processing()).toEqual(isFailed)
      await retryPreparation(site.context, id, await ownerOf(site, id))
      await expect.poll(processing, full).toEqual({ state: 'ready', progress: 1, reason: null })
      expect(await storedOf(site, id)).toEqual(
        files(['144', '240', '360', 'audio-0', 'audio-0-low', 'storyboard2']),
      )
      expect(await listedTracks(site, id)).toEqual(['144', '240', '360', 'audio-0', 'audio-0-low'])
    },
  )

test('a video of which nothing can be encoded fails, and says so to viewers at once', polling, async () => {
  const { program, change } = await ffmpegThat({ 'c:v libx264': 'exit 1', 'c:a aac': 'exit 1' })
  const settings = { FFMPEG_PATH: program, LOG_LEVEL: 'silent' }
  const site = await startSite({ worker: true, settings })
  const { id } = await publishSource(site, 'nothing.webm', opus, '256x144')
  await prepareVideo(site.context, id)
  const processing = async () => (await getVideo(site.db, id)).processing
  const reason = 'This video could not be converted, so many browsers cannot play it.'
  const soon = { interval: 100, timeout: 400_000 }
  await expect
    .poll(processing, soon)
    .toEqual({ ...isFailed, reason, cause: { reason: 'not_converted', params: {} } })
  // The installation may be the cause, so playlists stay, and segments are tried again.
  expect(await listedTracks(site, id)).toEqual(['144', 'audio-0'])
  for (const file of ['144/0.m4s', 'audio-0/0.m4s']) {
    const response = await site.app.inject(`/media/videos/${id}/${SEGMENT_FORMAT}/${file}`)
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ message: 'This part of the video cannot be read' })
  }

  // Audio shows that the installation works.
  await change({ 'c:v libx264': 'exit 1' })
  await retryPreparation(site.context, id, await ownerOf(site, id))
  await expect
    .poll(processing, soon)
    .toEqual({ ...isFailed, reason, cause: { reason: 'not_converted', params: {} } })
  expect((await site.app.inject(`/media/videos/${id}/master.m3u8`)).statusCode).toBe(404)
})

test('an unavailable disk is no failure of the video', polling, async () => {
  const site = await startSite({ settings: { LOG_LEVEL: 'silent' } })
  const { id } = await publishSource(site, 'away.mp4', h264)
  const away = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' })
  const full = Object.assign(new Error('could not extend file'), { code: '53100' })
  for (const error of [away, full]) {
    await prepare.giveUp?.({ videoId: id }, site.context, error)
    expect((await getVideo(site.db, id)).processing.state).toBe('processing')
  }
  await site.storage.delete(`sources/`)
  await prepare.giveUp?.({ videoId: id }, site.context, new Error('of the video'))
  expect((await getVideo(site.db, id)).processing.state).toBe('processing')
})

test('a video whose preparation cannot be planned does not stay in processing', polling, async () => {
  const site = await startSite({ settings: { LOG_LEVEL: 'silent' } })
  const { id } = await publishSource(site, 'unplanned.mp4', h264, '426x240')
  await sql`update videos set source = '{}' where id = ${id}`.execute(site.db)
  const { signal } = new AbortController()
  const error: unknown = await prepare
    .handle({ videoId: id }, site.context, signal)
    .catch((failure: unknown) => failure)
  expect(error).toBeInstanceOf(TypeError)
  expect(await prepare.giveUp?.({ videoId: id }, site.context, error)).toBeUndefined()
  expect((await getVideo(site.db, id)).processing).toEqual(isFailed)
})

test('resumes within seconds once ffmpeg is no longer killed', polling, async () => {
  // as the sandbox reports a kill; a program in it is process 1, which cannot kill itself
  const { program, change } = await ffmpegThat({ libx264: 'exit 137' })
  const site = await startSite({ worker: true, settings: { FFMPEG_PATH: program } })
  const { id } = await publishSource(site, 'killed.mp4', h264, '426x240')
  await prepareVideo(site.context, id)
  await failMoreThanItsRetries(site)
  await change({})
  await expect
    .poll(async () => (await getVideo(site.db, id)).processing.state, { timeout: 60_000 })
    .toBe('ready')
})

test('resumes within seconds once the storage is back', { ...polling, tags: ['nightly'] }, async () => {
  const site = await startSite({ worker: true })
  const { id } = await publishSource(site, 'away.mp4', h264, '426x240')
  const storage = path.join(site.context.config.dataDir, 'storage')
  await rename(storage, `${storage}.away`)
  await writeFile(storage, '')
  await prepareVideo(site.context, id)
  await failMoreThanItsRetries(site)
  await rm(storage)
  await rename(`${storage}.away`, storage)
  await expect
    .poll(async () => (await getVideo(site.db, id)).processing.state, { timeout: 60_000 })
    .toBe('ready')
})

/** Waits until a preparation has failed more often than the job's `retries` allow. */
async function failMoreThanItsRetries({ db }: TestApp): Promise<void> {
  const failed = sql`select from pgboss.job where name = ${prepare.name}
    and (state = 'retry' and retry_count >= ${prepare.retries} or retry_count > ${prepare.retries})`
  await expect.poll(async () => (await failed.execute(db)).rows.length, { timeout: 120_000 }).toBe(1)
}

test('a long video does not delay the videos after it', { ...polling, tags: ['nightly'] }, async () => {
  const site = await startSite({ worker: true })
  // an hour of small pictures; its audio is encoded
  const long = '-f lavfi -i testsrc2=s=64x36:r=1:d=3600 -f lavfi -i sine=d=3600:r=8000 -map 2 -map 3'
  const { id: first } = await publishSource(site, 'long.mp4', `${long} -c:v libx264 -g 4 -c:a ac3`, '64x36')
  const { id: second } = await publishSource(site, 'short.webm', opus)
  await prepareVideo(site.context, first)
  await prepareVideo(site.context, second)
  const processing = async (id: string) => (await getVideo(site.db, id)).processing
  await expect
    .poll(() => processing(second), { interval: 20, timeout: 400_000 })
    .toEqual({ state: 'ready', progress: 1, reason: null })
  // The long video is prepared from its beginning, and far from complete.
  const { state, progress } = await processing(first)
  expect(state).toBe('processing')
  expect(progress).toBeLessThan(0.5)
  const stored = await storedOf(site, first)
  expect(stored).toEqual(expect.arrayContaining(['36/0.m4s', 'audio-0/0.m4s', 'storyboard2/7.jpg']))
  // of nine hundred
  expect(stored.filter((key) => key.startsWith('audio-0/')).length).toBeLessThan(450)
})

test('PREPARE_POLICY=popular encodes only segments after the position of a viewer', polling, async () => {
  const site = await startSite({ worker: true, settings: { PREPARE_POLICY: 'popular' } })
  const minute = '-f lavfi -i testsrc2=s=64x36:r=1:d=60 -map 2 -c:v libx264 -g 4'
  const { id } = await publishSource(site, 'minute.mp4', minute, '64x36')
  await prepareVideo(site.context, id)
  await expect
    .poll(async () => (await getVideo(site.db, id)).processing.state, { timeout: 400_000 })
    .toBe('ready')
  await untilEncodingEnds(site)
  expect(await storedOf(site, id)).toContain('36/0.m4s')
  expect(await storedOf(site, id)).not.toContain('36/8.m4s')
  // The last segment of a run: the next run is encoded, what was skipped is not.
  expect((await fetch(`${site.origin}/media/videos/${id}/${SEGMENT_FORMAT}/36/7.m4s`)).status).toBe(200)
  await expect
    .poll(() => storedOf(site, id), { timeout: 400_000 })
    .toEqual(expect.arrayContaining(['36/7.m4s', '36/8.m4s', '36/14.m4s']))
  await untilEncodingEnds(site)
  expect(await storedOf(site, id)).not.toContain('36/6.m4s')
})

test('a deletion during the preparation is no failure and leaves no files', polling, async () => {
  const site = await startSite({})
  const { id } = await publishSource(site, 'deleted.mp4', h264, '426x240')
  const { pubsub } = site.context
  const { signal } = new AbortController()
  const { thumbnail } = await site.db
    .selectFrom('videos')
    .select('thumbnail')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  let deletion: Promise<void> | undefined
  const unlisten = await pubsub.subscribe(
    segmentEnded(`segments/${id}/${SEGMENT_FORMAT}/240/init.mp4`),
    () => {
      deletion ??= deleteAnyVideo(site.context, id).then(() =>
        deleteVideoFiles.handle({ id, thumbnail, isLast: false }, site.context, signal),
      )
    },
    () => undefined,
  )
  await prepare.handle({ videoId: id }, site.context, signal)
  unlisten()
  await deletion
  expect(await storedOf(site, id)).toEqual([])
  // jobs that waited during the deletion
  await encodeSegment.handle(
    { folder: SEGMENT_FORMAT, videoId: id, track: '240', part: 1, niceness: 0 },
    site.context,
    signal,
  )
  await prepareRun.handle({ videoId: id, run: 0 }, site.context, signal)
})
