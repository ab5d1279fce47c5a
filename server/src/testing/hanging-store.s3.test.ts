import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { parseStorageUrl } from '@kinora/platform/storage/storage-url.ts'
import { createTestApp } from './fixtures/test-app.ts'
import { createTestBucket, hasNoStore } from '@kinora/platform/testing/test-bucket.ts'
import { drawPicture, signUp } from './fixtures/test-users.ts'

test.skipIf(hasNoStore)(
  'returns 503 in time while the object store hangs, and serves everything else',
  async () => {
    const bucket = await createTestBucket()
    const relay = await startRelay(bucket.STORAGE_URL)
    const site = await createTestApp({
      settings: { ...bucket, STORAGE_URL: relay.url },
      constants: { storageTimeoutSeconds: 4 },
    })
    onTestFinished(() => site.close())
    const { client } = await signUp(site)
    const form = new FormData()
    form.set('avatar', await drawPicture(80, 80), 'new.png')
    const { body } = await client
      .fetch('/api/v1/users/updateavatar', { method: 'PATCH', body: form })
      .then(async (response) => ({ body: (await response.json()) as { data: { avatar: string } } }))
    const picture = body.data.avatar
    expect((await client.fetch(picture)).status).toBe(200)

    relay.hang()
    const startedAt = performance.now()
    const late = await client.fetch(picture)
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '5'])
    expect(performance.now() - startedAt).toBeLessThan(20_000)
    expect((await client.get('/api/v1/video/all')).status).toBe(200)
    const ready = await client.fetch('/readyz')
    expect([ready.status, await ready.json()]).toEqual([
      200,
      expect.objectContaining({ degraded: { storage: expect.any(String) } }),
    ])

    relay.resume()
    await expect.poll(async () => (await client.fetch(picture)).status).toBe(200)
  },
)

/** Relays connections to the store until it hangs: then it accepts them and neither reads nor responds. */
async function startRelay(storageUrl: string) {
  const { bucket, endpoint = '' } = parseStorageUrl(storageUrl)
  const { hostname, port } = new URL(endpoint)
  let isHanging = false
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    if (isHanging) return
    const store = connect(Number(port), hostname)
    store.on('error', () => socket.destroy())
    socket.on('close', () => store.destroy())
    store.pipe(socket)
    // Open connections hang too.
    socket.on('data', (bytes) => isHanging || store.write(bytes))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    server.close()
    close()
  })
  const { port: own } = server.address() as { port: number }
  return {
    url: `s3://${bucket}?endpoint=http://127.0.0.1:${own}`,
    hang: () => {
      isHanging = true
    },
    resume: () => {
      isHanging = false
      close()
    },
  }
}
