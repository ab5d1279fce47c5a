import type { Context } from '../../../../context/context.ts'
import { newId } from '@kinora/platform/ids.ts'
import { putViewers } from '../queries/parts.ts'

/** Players ask for the playlist every few seconds; one that has not for so long has left. */
const PRESENT_MS = 15_000
const REPORT_MS = 5000
/** More viewers of one stream and process are counted as these. */
const MAX_VIEWERS = 50_000

/** Counts the viewers of live streams by their requests for playlists, without keeping who they are. */
export class LiveViewers {
  readonly #context: Pick<Context, 'db' | 'clock' | 'log'>
  readonly #process = newId()
  readonly #seen = new Map<string, Map<string, number>>()
  #timer: NodeJS.Timeout | undefined

  constructor(context: Pick<Context, 'db' | 'clock' | 'log'>) {
    this.#context = context
  }

  /** Counts a request. `viewer` distinguishes browsers. */
  count(videoId: string, viewer: string): void {
    const viewers = this.#seen.get(videoId) ?? new Map<string, number>()
    if (viewers.size < MAX_VIEWERS || viewers.has(viewer)) viewers.set(viewer, performance.now())
    this.#seen.set(videoId, viewers)
    this.#timer ??= setInterval(() => void this.#report(), REPORT_MS).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #report(): Promise<void> {
    const since = performance.now() - PRESENT_MS
    for (const [videoId, viewers] of this.#seen) {
      for (const [viewer, at] of viewers) if (at < since) viewers.delete(viewer)
      if (viewers.size === 0) this.#seen.delete(videoId)
      await this.#put(videoId, viewers.size)
    }
    if (this.#seen.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #put(videoId: string, viewers: number): Promise<void> {
    const { db, clock, log } = this.#context
    const row = { videoId, process: this.#process, viewers, countedAt: clock.now() }
    await putViewers(db, row).catch((error: unknown) =>
      log.debug({ err: error, videoId }, 'viewers of a live stream not recorded'),
    )
  }
}
