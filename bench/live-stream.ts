import { setTimeout as delay } from 'node:timers/promises'
import type { LiveChannel } from '@kinora/contract/live/live-streams.ts'
import { withClient } from '@kinora/platform/db/client.ts'
import type { Product } from './product.ts'

/** Lets the signed-in user stream, and returns the key for an encoder. */
export async function openChannel(product: Product, title: string): Promise<string> {
  await withClient(product.databaseUrl, (client) =>
    client.query("update users set role = 'administrator' where username = $1", [product.username]),
  )
  const template = { title, description: '', visibility: 'public', keepsRecording: true }
  await product.call('PUT', '/studio/live', template)
  const { key } = await product.call<{ key: string }>('POST', '/studio/live/key')
  return key
}

/** Waits for the encoder, and returns the id of its video. */
export async function untilLive(product: Product): Promise<string> {
  for (;;) {
    const { stream } = await product.call<LiveChannel>('GET', '/studio/live')
    if (stream?.isConnected) return stream.videoId
    await delay(200)
  }
}

/** The renditions that the site offers, smallest first; none if it encodes too slowly. */
export async function untilRenditions(base: string): Promise<string[]> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const playlist = await (await fetch(`${base}/master.m3u8`)).text()
    const lines = [...playlist.matchAll(/^(\d+)\/index\.m3u8$/gm)].map(([, name]) => Number(name))
    if (lines.length > 0) return lines.toSorted((a, b) => a - b).map(String)
    await delay(200)
  }
  return []
}
