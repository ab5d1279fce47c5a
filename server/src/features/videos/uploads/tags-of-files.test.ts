import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createFeedImport } from '@kinora/contract/portability/feed-imports.ts'
import { createVideoImport, listVideoImports } from '@kinora/contract/portability/video-imports.ts'
import { listOwnVideos } from '@kinora/contract/videos/studio.ts'
import { createApiToken } from '@kinora/contract/accounts/api-tokens.ts'
import { replaceFile } from '@kinora/contract/videos/uploads.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importFile } from '../../../cli/import-account.ts'
import { drawFile } from '@kinora/media/testing/draw-file.ts'
import { runInProcess } from '../../../testing/fixtures/run-in-process.ts'
import { nightlyUnless } from '@kinora/platform/testing/nightly.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { exportAccount, importInto, unzip } from '../../../testing/fixtures/test-imports.ts'
import { zipOf } from '@kinora/platform/testing/zip-of.ts'
import { append, begin, publish, sourceOf, upload } from '../../../testing/fixtures/test-uploads.ts'
import { signUp, testPassword } from '../../../testing/fixtures/test-users.ts'
import { listen } from '@kinora/platform/testing/listen.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { checkFeeds, importWaiting } from '../../portability/feed-imports/jobs.ts'
import { runVideoImport } from '../../portability/video-imports/jobs.ts'

type Person = Awaited<ReturnType<typeof signUp>>

let site: TestApp
let origin: string
/** A file as a phone records it. */
let tagged: Buffer

const tags = { location: '+48.8584+002.2945/', make: 'PhoneMaker', comment: '5 Rue Secrete' }
const signal = () => AbortSignal.timeout(120_000)

const server = createServer(({ url }, response) => {
  if (url === '/feed')
    response.end(
      `<rss version="2.0"><channel><title>Ices</title><item><title>Ice</title><guid>1</guid>
       <enclosure url="/ice.mp4" type="video/mp4" length="1"/></item></channel></rss>`,
    )
  else response.writeHead(200, { 'content-length': tagged.length }).end(tagged)
})

beforeAll(async () => {
  const given = Object.entries(tags).flatMap(([name, value]) => ['-metadata', `${name}=${value}`])
  const picture = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=320x180:r=25:d=1',
    '-c:v',
    'libx264',
    '-pix_fmt',
    'yuv420p',
  ]
  tagged = await drawFile([...picture, ...given, '-movflags', 'use_metadata_tags'], 'mp4')
  origin = await listen(server)
  site = await createTestApp({
    settings: { PREPARE_POLICY: 'none', IMPORT_BY_ADDRESS: 'true', IMPORT_ALLOWED_ADDRESSES: '127.0.0.1' },
  })
})
afterAll(async () => {
  await site.close()
  server.close()
  server.closeAllConnections()
})

const sendResumably = async ({ client }: Person) => {
  const place = await begin(client, tagged.length)
  await append(client, place, 0, tagged)
  return place
}

async function runVideoImports({ client }: Person): Promise<void> {
  for (const { _id: id } of await client.call(listVideoImports, {}))
    await runVideoImport.handle({ id }, site.context, signal())
}

const takeout = () => zipOf({ 'Takeout/YouTube and YouTube Music/videos/Ice.mp4': tagged })

/** Every way by which a file comes into an account. */
const ways: Record<string, (person: Person) => Promise<unknown>> = {
  form: ({ client }) => upload(client, 'Ice', tagged),
  'resumable upload': async (person) => publish(person.client, await sendResumably(person)),
  replacement: async (person) => {
    const { _id: id } = await upload(person.client, 'Ice', await drawClip('mp4'))
    const uploadId = (await sendResumably(person)).split('/').at(-1) ?? ''
    await person.client.call(replaceFile, { params: { id }, body: { uploadId } })
  },
  address: async (person) => {
    await person.client.call(createVideoImport, { body: { url: `${origin}/ice.mp4` } })
    await runVideoImports(person)
  },
  feed: async (person) => {
    await person.client.call(createFeedImport, { body: { url: `${origin}/feed`, importsExisting: true } })
    await checkFeeds.handle({}, site.context, signal())
    await importWaiting.handle({}, site.context, signal())
    await runVideoImports(person)
  },
  'archive of YouTube': async (person) => importInto(site, person, await takeout()),
  'archive of PeerTube': async (person) =>
    importInto(
      site,
      person,
      await zipOf({
        'peertube/videos.json': {
          videos: [{ uuid: '1', name: 'Ice', privacy: 1, archiveFiles: { videoFile: '../ice.mp4' } }],
        },
        'ice.mp4': tagged,
      }),
    ),
  'archive of Kinora': async (person) => {
    const other = await signUp(site)
    const { _id: id } = await upload(other.client, 'Ice', await drawClip('mp4'))
    const files = Object.fromEntries(await unzip(await exportAccount(site, other)))
    await importInto(site, person, await zipOf({ ...files, [`videos/${id}/video.mp4`]: tagged }))
  },
  'command import': async ({ user }) => {
    const file = join(temporaryDirectory(), 'takeout.zip')
    await writeFile(file, await takeout())
    await importFile(site.context, user.username, file)
  },
  'command push': async ({ client }) => {
    const directory = temporaryDirectory()
    const file = join(directory, 'ice.mp4')
    await writeFile(file, tagged)
    const body = { name: 'push', scopes: ['upload' as const], days: 1, password: testPassword }
    const { token } = await client.call(createApiToken, { body })
    const env = { KINORA_TOKEN: token, KINORA_SITE: site.origin, XDG_STATE_HOME: directory }
    await runInProcess(['push', file, '--json'], env)
  },
}

/** Their code differs; the other ways end in the same one. */
const essential = ['form', 'resumable upload', 'replacement', 'feed', 'archive of PeerTube']

for (const [way, send] of Object.entries(ways))
  test(
    `blanks place, device and comments of a file by: ${way}`,
    nightlyUnless(essential.includes(way)),
    async () => {
      for (const secret of Object.values(tags)) expect(tagged.includes(secret)).toBe(true)
      const person = await signUp(site)
      await send(person)
      const { videos } = await person.client.call(listOwnVideos, {})
      expect(videos).toHaveLength(1)
      const [video] = await person.client.call(getVideo, { params: { id: videos[0]?._id ?? '' } })
      const source = video && (await sourceOf(person.client, video))
      expect(source).toHaveLength(tagged.length)
      expect(Object.values(tags).filter((secret) => source?.includes(secret))).toEqual([])
    },
  )
