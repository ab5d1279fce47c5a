import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestApp } from '../../testing/fixtures/test-app.ts'
import { videoOf, upload } from '../../testing/fixtures/test-uploads.ts'
import { signUp } from '../../testing/fixtures/test-users.ts'

/** More than the socket buffers of both processes. */
const videoBytes = 48 * 1024 * 1024

test(
  'closes connections that stop reading and serves slow readers completely',
  { timeout: 120_000 },
  async () => {
    const site = await createTestApp({
      settings: { REQUESTS_AT_ONCE: '1', PREPARE_POLICY: 'none' },
      constants: { downloadIdleSeconds: 3 },
    })
    onTestFinished(() => site.close())
    const { client } = await signUp(site)
    const { videoFile } = await upload(client, 'Large', await videoOf(videoBytes))

    const { port } = new URL(site.origin)
    const ask = () => {
      const socket = connect(Number(port), '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => undefined)
      socket.write(`GET ${videoFile} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      return socket
    }
    const status = async () => (await site.client().get('/api/v1/video/all')).status
    await once(ask(), 'readable')
    expect(await status()).toBe(503)
    await vi.waitUntil(async () => (await status()) === 200, 60_000)

    let [bytes, pauses] = [0, 0]
    for await (const chunk of ask()) {
      bytes += (chunk as Buffer).length
      if (bytes > (pauses + 1) * 4 * 1024 * 1024) {
        pauses += 1
        await delay(50)
      }
    }
    expect(bytes).toBeGreaterThan(videoBytes)
  },
)
