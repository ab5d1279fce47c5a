import { randomBytes } from 'node:crypto'
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { pictureUrl, pictureWidths } from '@kinora/contract/pictures.ts'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/fixtures/test-app.ts'
import { drawPicture, signUp } from '../../testing/fixtures/test-users.ts'
import { addVideo } from '../../testing/fixtures/test-videos.ts'
import { reinstate, takeDown } from '../videos/videos/actions/hide-video.ts'
import { storePicture } from './actions.ts'
import { deletePictureFiles, sweepPictures } from './jobs.ts'
import { pictureKey, picturePrefix } from './rules.ts'

const tiff = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'tomato' } })
  .tiff()
  .toBuffer()
let site: TestApp
let directory: string

beforeAll(async () => {
  site = await createTestApp({ worker: true })
  directory = await mkdtemp(join(tmpdir(), 'kinora-pictures-'))
})
afterAll(async () => {
  await site.close()
  await rm(directory, { recursive: true, force: true })
})

/** The file name is misleading on purpose: only the content counts. */
async function save(bytes: Uint8Array | Blob): Promise<string> {
  const file = join(directory, `${randomBytes(6).toString('hex')}.svg`)
  await writeFile(file, bytes instanceof Blob ? new Uint8Array(await bytes.arrayBuffer()) : bytes)
  return file
}

const fetchPicture = async (url: string, headers: Record<string, string> = {}) =>
  site.client().fetch(url, { headers })

const inspect = async (url: string) =>
  sharp(Buffer.from(await (await fetchPicture(url)).arrayBuffer())).metadata()

describe('storing', () => {
  test.each(['avatar', 'cover', 'thumbnail'] as const)('creates every size of a kind: %s', async (kind) => {
    const id = await storePicture(site.context, await save(await drawPicture(3000, 1500)), kind)
    for (const width of pictureWidths[kind]) {
      for (const format of ['webp', 'jpg'] as const) {
        const found = await inspect(pictureUrl(id, width, format))
        expect([found.format, found.width]).toEqual([format === 'jpg' ? 'jpeg' : 'webp', width])
        expect(found.height).toBe(kind === 'avatar' ? width : width / 2)
      }
    }
  })

  test('returns 404 for a deleted picture, even to clients that have loaded it', async () => {
    const id = await storePicture(site.context, await save(await drawPicture(40, 40)), 'avatar')
    const url = pictureUrl(id, 80)
    expect((await fetchPicture(url)).status).toBe(200)
    await site.storage.delete(picturePrefix(id))
    expect((await fetchPicture(url)).status).toBe(404)
  })

  test('returns 503, not 404, while the storage is unavailable', async () => {
    const url = pictureUrl(
      await storePicture(site.context, await save(await drawPicture(40, 40)), 'avatar'),
      80,
    )
    const disk = join(site.context.config.dataDir, 'storage')
    await rename(disk, `${disk}-away`)
    await writeFile(disk, '')
    const response = await fetchPicture(url)
    await rm(disk)
    await rename(`${disk}-away`, disk)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await fetchPicture(url)).status).toBe(200)
  })

  test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('accepts %s', async (format) => {
    const picture = await save(await drawPicture(40, 40, format))
    await expect(storePicture(site.context, picture, 'avatar')).resolves.toMatch(/^\w{16}$/)
  })

  test('accepts only JPEG and PNG as thumbnails', async () => {
    for (const format of ['webp', 'gif', 'avif'] as const) {
      const picture = await save(await drawPicture(40, 40, format))
      await expect(
        storePicture(site.context, picture, 'thumbnail', videoErrors.pictureTypes),
      ).rejects.toMatchObject({
        reason: videoErrors.pictureTypes.reason,
      })
    }
  })

  test('rotates pictures upright and removes their metadata', async () => {
    const sideways = await sharp({
      create: { width: 400, height: 200, channels: 3, background: 'tomato' },
    })
      .jpeg()
      .withExif({ IFD0: { Copyright: 'a secret place' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect((await sharp(sideways).metadata()).exif).toBeDefined()
    const id = await storePicture(site.context, await save(sideways), 'thumbnail')
    for (const format of ['webp', 'jpg'] as const) {
      const found = await inspect(pictureUrl(id, 320, format))
      expect([found.width, found.height]).toEqual([200, 400])
      expect([found.exif, found.orientation, found.icc]).toEqual([undefined, undefined, undefined])
    }
  })

  test('flattens transparency onto white for formats without it and for thumbnails', async () => {
    const clear = await sharp({
      create: { width: 64, height: 64, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer()
    const id = await storePicture(site.context, await save(clear), 'avatar')
    const jpg = Buffer.from(await (await fetchPicture(pictureUrl(id, 80, 'jpg'))).arrayBuffer())
    const { dominant } = await sharp(jpg).stats()
    expect(dominant.r).toBeGreaterThan(240)
    expect((await inspect(pictureUrl(id, 80))).hasAlpha).toBe(true)
    // thumbnails are opaque
    const still = await storePicture(site.context, await save(clear), 'thumbnail')
    expect((await inspect(pictureUrl(still, pictureWidths.thumbnail[0]))).hasAlpha).toBe(false)
  })

  test('accepts extreme aspect ratios', async () => {
    for (const [width, height] of [
      [1, 1],
      [1, 16_000],
      [16_000, 1],
    ] as const) {
      for (const kind of ['avatar', 'cover', 'thumbnail'] as const) {
        const id = await storePicture(site.context, await save(await drawPicture(width, height)), kind)
        expect((await inspect(pictureUrl(id, pictureWidths[kind][0]))).format).toBe('webp')
      }
    }
  })

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('hello')],
    ['random bytes', randomBytes(5000)],
    ['a script in an SVG', Buffer.from(svg)],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a JPEG that is only a beginning', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
    ['a PDF', Buffer.from('%PDF-1.4\n%%EOF')],
    ['a TIFF', tiff],
    ['a bomb of 900 million pixels', pngBomb(30_000, 30_000)],
    ['one pixel too many', pngBomb(8000, 5001)],
  ])('refuses %s', async (_, bytes) => {
    const before = await countFiles()
    await expect(storePicture(site.context, await save(bytes), 'avatar')).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(await countFiles()).toBe(before)
  })

  test('refuses a truncated picture', async () => {
    const whole = new Uint8Array(await (await drawPicture(500, 500, 'jpeg')).arrayBuffer())
    const half = await save(whole.slice(0, whole.length / 2))
    await expect(storePicture(site.context, half, 'avatar')).rejects.toMatchObject({ code: 'invalid' })
  })

  test('encodes many pictures concurrently', async () => {
    const file = await save(await drawPicture(300, 300))
    const ids = await Promise.all(
      Array.from({ length: 12 }, () => storePicture(site.context, file, 'avatar')),
    )
    expect(new Set(ids).size).toBe(12)
  })
})

describe('serving', () => {
  test('allows permanent caching', async () => {
    const id = await storePicture(site.context, await save(await drawPicture()), 'avatar')
    const url = pictureUrl(id, 160)
    const response = await fetchPicture(url)
    const body = await response.arrayBuffer()
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(body.byteLength),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    const etag = response.headers.get('etag') ?? ''
    const again = await fetchPicture(url, { 'if-none-match': etag })
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0])
    const head = await site.client().fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(body.byteLength)])
  })

  test('sends the picture of a video that is taken down only to its owner, until it is reinstated', async () => {
    const [owner, stranger] = [await signUp(site), await signUp(site)]
    const thumbnail = await storePicture(site.context, await save(await drawPicture()), 'thumbnail')
    const id = await addVideo(site, owner.user._id, { thumbnail })
    const elsewhere = await createTestApp({ databaseUrl: site.databaseUrl })
    onTestFinished(() => elsewhere.close())
    // both processes share one disk
    await rm(join(elsewhere.context.config.dataDir, 'storage'), { recursive: true, force: true })
    await symlink(
      join(site.context.config.dataDir, 'storage'),
      join(elsewhere.context.config.dataDir, 'storage'),
    )
    const url = pictureUrl(thumbnail, 320)
    const visitors = [owner.client, stranger.client, site.client(), elsewhere.client()]
    const seen = () => Promise.all(visitors.map(async (visitor) => (await visitor.fetch(url)).status))
    expect(await seen()).toEqual([200, 200, 200, 200])
    await takeDown(site.context, id, 'a complaint')
    expect((await seen()).slice(0, 3)).toEqual([200, 404, 404])
    // the other process reads again after a second
    await expect.poll(seen).toEqual([200, 404, 404, 404])
    expect((await owner.client.fetch(url)).headers.get('cache-control')).toBe('private, no-store')
    await reinstate(site.context, id)
    expect((await seen()).slice(0, 3)).toEqual([200, 200, 200])
    await expect.poll(seen).toEqual([200, 200, 200, 200])
  })

  test.each([
    'aaaaaaaaaaaaaaaa/160.webp',
    'x/161.webp',
    'x/160.svg',
    '..%2f..%2fetc/160.webp',
    '%2e%2e/160.webp',
    'x/..%2f160.webp',
    'x/160.webp%00',
    'x',
  ])('returns 404 in the envelope for %s', async (path) => {
    const { status, body } = await site.client().get(`/media/pictures/${path}`)
    expect([status, body.code]).toEqual([404, 'not_found'])
  })
})

test('deletes the files of a replaced picture after a delay for open pages', async () => {
  const { client, user } = await signUp(site)
  const form = new FormData()
  form.set('avatar', await drawPicture(100, 100))
  await client.patch('/api/v1/users/updateavatar', form)
  const { rows } = await sql<{ id: string }>`
    select data->>'id' as id from pgboss.job where name = ${deletePictureFiles.name} and start_after > now()
  `.execute(site.db)
  expect(rows.map(({ id }) => pictureUrl(id, 160))).toEqual([user.avatar])
  expect((await fetchPicture(user.avatar)).status).toBe(200)

  await site.context.jobs.enqueue(site.db, deletePictureFiles, { id: rows[0]?.id ?? '' })
  const key = pictureKey(rows[0]?.id ?? '', 160, 'webp')
  await vi.waitFor(async () => expect(await site.storage.head(key)).toBeUndefined(), 60_000)
})

test('deletes only the pictures that a killed process left behind', async () => {
  // Pictures of earlier tests belong to no row either.
  await site.storage.delete('pictures/')
  const { user } = await signUp(site)
  const orphan = await storePicture(site.context, await save(await drawPicture()), 'cover')
  const idOf = (url: string) => url.split('/')[3] ?? ''
  const controller = new AbortController()
  await sweepPictures.handle({}, site.context, controller.signal)
  const { rows } = await sql<{ id: string }>`
    select data->>'id' as id from pgboss.job
    where name = ${deletePictureFiles.name} and start_after > now() + interval '23 hours'`.execute(site.db)
  const doomed = rows.map(({ id }) => id)
  expect(doomed).toContain(orphan)
  expect(doomed).not.toContain(idOf(user.avatar))
  // a row may reference the picture again by then
  await deletePictureFiles.handle({ id: idOf(user.avatar) }, site.context, controller.signal)
  expect((await fetchPicture(user.avatar)).status).toBe(200)
  await deletePictureFiles.handle({ id: orphan }, site.context, controller.signal)
  expect((await fetchPicture(pictureUrl(orphan, 640))).status).toBe(404)
})

test('a sweep deletes nothing if most pictures are unknown to the database', async () => {
  const ids = Array.from({ length: 200 }, (_, n) => `unknown${n}`)
  for (const id of ids) await site.storage.put(pictureKey(id, 160, 'webp'), Buffer.from('picture'))
  try {
    const sweep = sweepPictures.handle({}, site.context, new AbortController().signal)
    await expect(sweep).rejects.toThrow(/does not mention \d+ of \d+ pictures, so none was deleted/)
    const { rows } = await sql`
      select from pgboss.job where name = ${deletePictureFiles.name} and data->>'id' = any(${ids})`.execute(
      site.db,
    )
    expect(rows).toEqual([])
  } finally {
    for (const id of ids) await site.storage.delete(`pictures/${id}/`)
  }
})

async function countFiles(): Promise<number> {
  let count = 0
  for await (const { key } of site.storage.list('pictures/')) if (key) count += 1
  return count
}

/** A PNG of a few kilobytes with enormous dimensions. */
function pngBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8 + body.length)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), 4 + body.length)
  return frame
}
