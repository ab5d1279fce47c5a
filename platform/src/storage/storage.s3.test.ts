import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { ListPartsCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type BucketSettings, countUploads, listUploads, withBucket } from '../testing/object-store.ts'
import { createTestBucket, hasNoStore } from '../testing/test-bucket.ts'
import { listen } from '../testing/listen.ts'
import { AppError } from '../errors.ts'
import { testStorage } from './conformance.ts'
import { parseStorageUrl } from './storage-url.ts'
import { S3Storage } from './s3.ts'

/** More than one part. */
const mediumBytes = 20 * 1024 * 1024

describe.skipIf(hasNoStore)('with an S3 server', () => {
  let home: string
  let settings: BucketSettings

  beforeAll(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'kinora-s3-'))
    settings = await createTestBucket()
  })
  afterAll(() => rm(home, { recursive: true, force: true }))

  const open = (changed: Partial<BucketSettings> = {}, cacheMaxBytes = 1e9) => {
    const { STORAGE_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = { ...settings, ...changed }
    return new S3Storage({
      url: STORAGE_URL,
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      cache: { directory: path.join(home, randomBytes(4).toString('hex')), maxBytes: cacheMaxBytes },
      maxObjectBytes: 1e9,
      timeoutMs: 60_000,
    })
  }

  testStorage('in a bucket', async () => {
    const settingsOfSuite = await createTestBucket()
    return { storage: open(settingsOfSuite), leftovers: () => countUploads(settingsOfSuite) }
  })

  test('sweep aborts only abandoned multipart uploads that began before a time', async () => {
    const storage = open()
    const file = path.join(home, 'killed')
    await writeFile(file, Buffer.alloc(mediumBytes))
    storage.putWhileReceiving('killed/object').grown(file, mediumBytes)
    await expect.poll(() => countUploads(settings)).toBe(1)
    await storage.sweep(new Date(Date.now() - 3600_000), () => true)
    // of another program in the same bucket
    await storage.sweep(new Date(Date.now() + 60_000), (key) => !key.startsWith('killed/'))
    expect(await countUploads(settings)).toBe(1)
    await storage.sweep(new Date(Date.now() + 60_000), () => true)
    expect(await countUploads(settings)).toBe(0)
    await storage.close()
  })

  test('sends a stream in parts of a size that its expected size needs', async () => {
    const storage = open()
    const chunks = Array.from({ length: 45 }, () => Buffer.alloc(1024 ** 2))
    // 10,000 parts of 16 MiB have 168 GB
    await storage.put('expected/object', Readable.from(chunks, { objectMode: false }), 300e9)
    // with the number of parts
    expect((await storage.head('expected/object'))?.etag).toMatch(/-2"$/)
    await storage.close()
  })

  test('sends parts before the file is complete', async () => {
    const storage = open()
    const file = path.join(home, 'growing')
    await writeFile(file, Buffer.alloc(mediumBytes))
    await using streaming = storage.putWhileReceiving('growing/object')
    streaming.grown(file, mediumBytes)
    await expect.poll(() => countParts(settings, 'growing/object')).toBe(1)
    await streaming[Symbol.asyncDispose]()
    await storage.close()
  })

  test('caches files within the limit and keeps evicted ones while they are open', async () => {
    const storage = open({}, 2_500_000)
    const bodies = await Promise.all(
      ['one', 'two', 'three'].map(async (name) => {
        const body = randomBytes(1_000_000)
        await storage.put(`copied/${name}`, body)
        return body
      }),
    )
    const copied = await Promise.all(Array.from({ length: 10 }, () => storage.open('copied/one')))
    const openFile = await storage.open('copied/one')
    for (const copy of copied) await copy?.[Symbol.asyncDispose]()
    for (const name of ['two', 'three']) await (await storage.open(`copied/${name}`))?.[Symbol.asyncDispose]()
    const directory = path.dirname(openFile?.path ?? '')
    const names = async () => (await readdir(directory)).filter((name) => name.includes('~')).toSorted()
    // the evicted one still takes its place
    expect(await names()).toEqual(['copied~three'])
    expect((await readFile(openFile?.path ?? '')).equals(bodies[0] ?? Buffer.alloc(0))).toBe(true)
    await openFile?.[Symbol.asyncDispose]()
    await storage.delete('copied/')
    expect(await readdir(directory)).toEqual([])
    await storage.close()
  })

  test('caches a received file', async () => {
    const storage = open()
    const file = path.join(home, 'received')
    await writeFile(file, 'uploaded')
    await storage.put('received/object', { file })
    await using copy = await storage.open('received/object')
    expect(await readFile(copy?.path ?? '', 'utf8')).toBe('uploaded')
    expect(await readdir(path.dirname(copy?.path ?? ''))).toContain('received~object')
    await storage.close()
  })

  test('accepts only the signed URL, with ranges and headers', async () => {
    const storage = open()
    await storage.put('shown/picture', Buffer.from('picture'))
    const headers = { type: 'image/webp', cacheControl: 'public, max-age=60' }
    const url = await storage.presignedUrl('shown/picture', headers)
    expect(await storage.presignedUrl('shown/picture', headers)).toBe(url)
    const part = await fetch(url, { headers: { range: 'bytes=-3', origin: 'https://video.example.org' } })
    expect(part.status).toBe(206)
    expect(await part.text()).toBe('ure')
    expect(Object.fromEntries(part.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=60',
      'content-range': 'bytes 4-6/7',
    })
    expect(part.headers.get('access-control-allow-origin')).toMatch(/^(\*|https:\/\/video\.example\.org)$/)
    for (const invalid of [url.split('?')[0] ?? '', url.replace(/Signature=....../, 'Signature=000000')]) {
      const rejected = await fetch(invalid)
      expect(rejected.status).toBe(403)
      await rejected.arrayBuffer()
    }
    await storage.close()
  })

  test('explains why a bucket is not usable', async () => {
    const other = new URL(settings.STORAGE_URL)
    other.host = 'not-there'
    const closed = 's3://videos?endpoint=http%3A%2F%2F127.0.0.1%3A9'
    const messages = [
      [
        { STORAGE_URL: other.href },
        /names the bucket not-there at http:\S+, which does not exist\. Create it/,
      ],
      [
        { AWS_SECRET_ACCESS_KEY: 'wrong' },
        /^Access to the bucket \S+ at http:\S+ is denied \(SignatureDoesNotMatch\)/,
      ],
      [
        { AWS_ACCESS_KEY_ID: 'nobody' },
        /^Access to the bucket \S+ at http:\S+ is denied \(InvalidAccessKeyId\)/,
      ],
      [
        { STORAGE_URL: closed },
        /^The object store of STORAGE_URL cannot be reached \(http:\/\/127\.0\.0\.1:9\)\. Start it/,
      ],
    ] as const
    for (const [changed, message] of messages) {
      const storage = open(changed)
      await expect(storage.check()).rejects.toThrow(message)
      await storage.close()
    }
    const storage = open()
    await storage.check()
    await storage.close()
  })

  test('waits until a concurrent request has completed the same upload', async () => {
    // as Ceph responds. The S3 client repeats a request twice, so four such responses need a repetition of ours.
    const inProgress = '<Error><Code>InternalError</Code><Message>already in progress</Message></Error>'
    let requests = 0
    const completing = createServer((request, response) => {
      request.resume()
      requests += 1
      const isComplete = requests > 4
      response.writeHead(isComplete ? 404 : 500, { 'content-type': 'application/xml' })
      response.end(isComplete ? '<Error><Code>NoSuchUpload</Code></Error>' : inProgress)
      if (isComplete) completing.removeAllListeners('request').on('request', (_, after) => after.end())
    })
    const origin = await listen(completing)
    onTestFinished(() => void completing.close())
    const storage = open({ STORAGE_URL: `s3://videos?endpoint=${origin}` })
    await storage.parts.complete('shared/object', 'upload', ['"tag"'])
    expect(requests).toBe(5)
    await storage.close()
  })

  test('throws unavailable, and prints nothing, when the store does not respond', async () => {
    const warned = vi.spyOn(console, 'warn')
    onTestFinished(() => warned.mockRestore())
    const file = path.join(home, 'unsent')
    await writeFile(file, 'unsent')
    const failing = createServer((_, response) => response.writeHead(503).end())
    for (const endpoint of [await listen(failing), 'http://127.0.0.1:9']) {
      const storage = open({ STORAGE_URL: `s3://videos?endpoint=${endpoint}` })
      const failures = await Promise.all(
        [
          () => storage.head('a'),
          () => storage.get('a'),
          () => storage.put('a', Buffer.from('a')),
          () => storage.put('a', { file }),
          () => storage.open('a'),
        ].map((call) =>
          call().then(
            () => undefined,
            (error: unknown) => error,
          ),
        ),
      )
      for (const failure of failures) {
        expect(failure).toBeInstanceOf(AppError)
        expect(failure).toMatchObject({ code: 'unavailable' })
      }
      await storage.close()
    }
    failing.close()
    expect(warned).not.toHaveBeenCalled()
  })
})

test.each(['s3://', 's3://bucket/folder', 's3://bucket?endpoint=here', 's3://bucket?region=a&secret=b'])(
  'refuses %s as a STORAGE_URL',
  (url) => {
    expect(() => parseStorageUrl(url)).toThrow(
      'STORAGE_URL must have the form s3://bucket?endpoint=https://host&region=name',
    )
  },
)

async function countParts(settings: BucketSettings, key: string): Promise<number> {
  const upload = (await listUploads(settings)).find(({ Key }) => Key === key)
  if (!upload) return 0
  const { Parts = [] } = await withBucket(settings, (client, Bucket) =>
    client.send(new ListPartsCommand({ Bucket, Key: key, UploadId: upload.UploadId })),
  )
  return Parts.length
}
