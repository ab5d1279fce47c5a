import { LRUCache } from 'lru-cache'
import { TextResponse } from '@kinora/platform/http/delivery/text-response.ts'
import { PLAYLIST_TYPE } from '../../../videos/playback/rules.ts'
import type { LiveTimeline } from '../actions/live-timelines.ts'
import {
  type Directives,
  livePlaylist,
  lowLatencyPlaylist,
  PARTS_WITH_CHUNKS,
  type WrittenParts,
  writeParts,
} from '../rules/playlists.ts'
import { isEncoded } from '../rules/tracks.ts'

/** The playlists of live streams as they were sent last. All viewers get the same ones, until a part or a chunk is added. */
export class LivePlaylists {
  readonly #known = new WeakMap<readonly object[], Map<string, TextResponse>>()
  readonly #written = new LRUCache<string, WrittenParts>({ max: 500 })

  get(stream: LiveTimeline, track: string): TextResponse {
    const { parts, endedAt } = stream
    return this.#get(parts, `${track} ${endedAt !== null}`, () =>
      livePlaylist(stream, track, this.#write(stream, track)),
    )
  }

  /** The playlist with partial segments; without, where there are none. */
  getLowLatency(stream: LiveTimeline, track: string, { isDelta }: Directives): TextResponse {
    const { chunks, parts, endedAt } = stream
    if (endedAt !== null || isEncoded(track)) return this.get(stream, track)
    return this.#get(chunks, `${track} ${isDelta}`, () => {
      const written = this.#write(stream, track, Math.max(0, parts.length - PARTS_WITH_CHUNKS))
      return (
        lowLatencyPlaylist(stream, track, written, { isDelta }) ??
        livePlaylist(stream, track, this.#write(stream, track))
      )
    })
  }

  #get(version: readonly object[], name: string, make: () => string): TextResponse {
    const texts = this.#known.get(version) ?? new Map<string, TextResponse>()
    this.#known.set(version, texts)
    const text = texts.get(name) ?? new TextResponse(make(), PLAYLIST_TYPE)
    texts.set(name, text)
    return text
  }

  /** The lines of the first parts; of all that are listed without a number. */
  #write(stream: LiveTimeline, track: string, count?: number): WrittenParts {
    const key = `${stream.videoId} ${track} ${count === undefined}`
    const written = writeParts(stream, track, this.#written.get(key), count)
    this.#written.set(key, written)
    return written
  }
}
