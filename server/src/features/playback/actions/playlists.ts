import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Playing } from './presentations.ts'

interface Playlist {
  playing: Playing
  bytes: Buffer
  etag: string
}

const maxBytes = 64 * 1024 ** 2

/** Playlists as the bytes that are sent: those of a long video take long to write. */
export class Playlists {
  readonly #cached = new LRUCache<string, Playlist>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  })

  /** The playlist of a name, written by `write` unless it is cached for this very presentation. */
  get(playing: Playing, name: string, write: () => string): Playlist {
    const key = `${playing.id}/${name}`
    const cached = this.#cached.get(key)
    if (cached?.playing.presentation === playing.presentation) return cached
    const bytes = Buffer.from(write())
    const etag = `"${createHash('sha1').update(bytes).digest('base64url')}"`
    const playlist = { playing, bytes, etag }
    this.#cached.set(key, playlist)
    return playlist
  }
}
