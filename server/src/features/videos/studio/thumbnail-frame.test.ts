import { chooseThumbnailFrame, getOwnVideo } from '@kinora/contract/videos/studio.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawFile } from '@kinora/media/testing/draw-file.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { upload } from '../../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'

let site: TestApp
let owner: Awaited<ReturnType<typeof signUp>>
let videoId: string

/** A second of red, then one of blue; its audio is a second longer. */
const redThenBlue = () => {
  const colours = ['red', 'blue'].flatMap((name) => ['-f', 'lavfi', '-i', `color=${name}:s=320x180:r=25:d=1`])
  const tone = ['-f', 'lavfi', '-i', 'sine=d=3:r=48000']
  const joined = ['-filter_complex', '[0:v][1:v]concat[v]', '-map', '[v]', '-map', '2']
  return drawFile(
    [...colours, ...tone, ...joined, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    'mp4',
  )
}

beforeAll(async () => {
  site = await createTestApp({ settings: { PREPARE_POLICY: 'none' } })
  owner = await signUp(site)
  videoId = (await upload(owner.client, 'Dunes', await redThenBlue()))._id
})
afterAll(() => site.close())

const choose = (seconds: number) =>
  owner.client.call(chooseThumbnailFrame, { params: { id: videoId }, body: { seconds } })

async function colourOf(picture: string): Promise<string> {
  const response = await site.client().fetch(picture)
  const { channels } = await sharp(Buffer.from(await response.arrayBuffer())).stats()
  const [red = 0, , blue = 0] = channels.map(({ mean }) => mean)
  return red > blue ? 'red' : 'blue'
}

test.each([
  [0, 'red'],
  // the last red frame is shown from 0.96 s
  [0.99, 'red'],
  [1, 'blue'],
  [2.9, 'blue'],
  [1e6, 'blue'],
])('the frame that is shown at %s s becomes the thumbnail', async (seconds, colour) => {
  const { thumbnail } = await choose(seconds)
  expect(await colourOf(thumbnail)).toBe(colour)
  expect(await owner.client.call(getOwnVideo, { params: { id: videoId } })).toMatchObject({ thumbnail })
})

test('refuses positions that are no number of seconds', async () => {
  const path = `/api/v1/studio/videos/${videoId}/thumbnail/frame`
  for (const seconds of [-1, '1', null, 1e8]) {
    const { status, body } = await owner.client.put(path, { seconds })
    expect([status, body.errors?.map((error) => error.path)]).toEqual([400, ['seconds']])
  }
})

test('keeps the thumbnail if the file cannot be read', async () => {
  const before = await choose(0)
  const { sourceKey } = await site.db
    .selectFrom('videos')
    .select('sourceKey')
    .where('id', '=', videoId)
    .executeTakeFirstOrThrow()
  await site.storage.put(sourceKey, Buffer.from('no video any more'))
  await expect(choose(1)).rejects.toMatchObject({ status: 400, errors: [{ path: 'seconds' }] })
  expect(await owner.client.call(getOwnVideo, { params: { id: videoId } })).toMatchObject({
    thumbnail: before.thumbnail,
  })
})
