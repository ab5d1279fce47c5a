import { request, type ClientRequest } from 'node:http'
import { uploadVideo, type Video } from '@kinora/contract/videos.ts'
import { expect } from 'vitest'
import { box } from '../media/containers/mp4/boxes.ts'
import type { Answer, TestClient } from './test-client.ts'
import { type Clip, drawClip } from './test-clips.ts'
import { drawPicture } from './test-users.ts'

/** Where resumable uploads begin. */
export const uploads = '/api/v1/uploads'

/** A film of any size: what follows the clip is a box that players skip. */
export async function filmOf(sizeBytes: number, clip: Clip = 'mp4'): Promise<Buffer> {
  const bytes = await drawClip(clip)
  const free = Buffer.alloc(sizeBytes - bytes.length, 'kinora')
  free.writeUInt32BE(free.length, 0)
  free.write('free', 4, 'latin1')
  return Buffer.concat([bytes, free])
}

/** A clip, then boxes of the given sizes: of tags with a secret, or free ones. */
export async function filmWithTags(secret: string, ...boxes: ('tags' | number)[]): Promise<Buffer> {
  const made = boxes.map((each) => {
    const content = each === 'tags' ? Buffer.from(secret.padEnd(64)) : Buffer.alloc(each - 8, 'kinora')
    return box(each === 'tags' ? 'uuid' : 'free', [content])
  })
  return Buffer.concat([await drawClip('mp4'), ...made])
}

/** The texts and the thumbnail of an upload, and its film if there is one. */
export async function uploadForm(
  fields: Record<string, string | Blob> = {},
  film?: Uint8Array,
): Promise<FormData> {
  const form = new FormData()
  const all = {
    title: 'Glacier',
    description: 'Ice',
    thumbnail: await drawPicture(64, 36, 'jpeg'),
    ...fields,
  }
  for (const [name, value] of Object.entries(all)) {
    if (typeof value === 'string') form.set(name, value)
    else form.set(name, value, 'still.jpg')
  }
  if (film) form.set('video', new Blob([new Uint8Array(film)], { type: 'video/mp4' }), 'film.mp4')
  return form
}

/** Uploads a film in one request, a clip of two seconds when none is given. Throws ApiError when it is refused. */
export async function upload(client: TestClient, title: string, film?: Uint8Array): Promise<Video> {
  return client.call(uploadVideo, { body: await uploadForm({ title }, film ?? (await drawClip('mp4'))) })
}

/** A request of tus. */
export function tus(
  client: TestClient,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: Uint8Array,
): Promise<Response> {
  return client.fetch(path, {
    method,
    headers: { 'tus-resumable': '1.0.0', ...headers },
    ...(body ? { body: new Uint8Array(body) } : {}),
  })
}

/** Begins a resumable upload; answers its path. */
export async function begin(client: TestClient, sizeBytes: number): Promise<string> {
  const answer = await tus(client, 'POST', uploads, { 'upload-length': String(sizeBytes) })
  expect(answer.status).toBe(201)
  return answer.headers.get('location') ?? ''
}

const pieceHeaders = (offset: number) => ({
  'upload-offset': String(offset),
  'content-type': 'application/offset+octet-stream',
})

export function append(
  client: TestClient,
  path: string,
  offset: number,
  body: Uint8Array,
): Promise<Response> {
  return tus(client, 'PATCH', path, pieceHeaders(offset), body)
}

export async function offsetOf(client: TestClient, path: string): Promise<number> {
  return Number((await tus(client, 'HEAD', path)).headers.get('upload-offset'))
}

export async function publish(
  client: TestClient,
  path: string,
  fields: Record<string, string | Blob> = {},
): Promise<Answer> {
  return client.post(`${path}/publish`, await uploadForm(fields))
}

/** Begins a piece of an announced length and leaves the rest of it to the caller; the connection stays open. */
export function startPiece(client: TestClient, path: string, offset: number, length: number): ClientRequest {
  const headers = { 'tus-resumable': '1.0.0', ...pieceHeaders(offset), 'content-length': length }
  const sending = request(client.origin + path, {
    method: 'PATCH',
    headers: { ...headers, cookie: client.cookie },
  })
  return sending.on('error', () => undefined)
}

/** The uploaded bytes of a video, as they come back. */
export async function sourceOf(client: TestClient, video: Video): Promise<Buffer> {
  return Buffer.from(await (await client.fetch(video.videoFile)).arrayBuffer())
}
