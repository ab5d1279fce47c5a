import { drawClip } from '../server/src/testing/test-clips.ts'
import type { Page } from 'playwright-core'
import { picture } from './people.ts'

/** A file as a picker hands it over. */
export interface PickedFile {
  name: string
  mimeType: string
  buffer: Buffer
}

/** A real video of two seconds; `paddingBytes` of nothing make it as large as a journey needs. */
export async function clip(paddingBytes = 0): Promise<PickedFile> {
  const buffer = await drawClip('mp4')
  return { name: 'clip.mp4', mimeType: 'video/mp4', buffer: Buffer.concat([buffer, freeBox(paddingBytes)]) }
}

/** Publishes a video for whoever is signed in and answers its id. */
export async function publish(page: Page, title: string): Promise<string> {
  const response = await page.request.post('/api/v1/video/upload', {
    multipart: { title, description: 'Two seconds', thumbnail: picture, video: await clip() },
  })
  if (!response.ok()) throw new Error(`Uploading answered ${response.status()}: ${await response.text()}`)
  return (await response.json()).data._id
}

/** A box that every reader of MP4 passes over. */
function freeBox(sizeBytes: number): Buffer {
  if (sizeBytes === 0) return Buffer.alloc(0)
  const box = Buffer.alloc(sizeBytes)
  box.writeUInt32BE(sizeBytes, 0)
  box.write('free', 4, 'latin1')
  return box
}
