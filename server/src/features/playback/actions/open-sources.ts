import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import { SourceRemuxer } from '../../../media/remux.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Playing } from './presentations.ts'
import { rangesOf } from './source-ranges.ts'

/** Sources whose index is kept in memory. */
const maxOpen = 32

interface OpenSource {
  remuxer: SourceRemuxer
  readers: number
  /** Given up: closed when its last reader has ended. */
  isLeaving: boolean
}

/** The uploaded files that viewers are reading, each opened once. */
export class OpenSources {
  readonly #storage: Context['storage']
  readonly #open = new LRUCache<string, OpenSource>({
    max: maxOpen,
    dispose: (source) => {
      source.isLeaving = true
      closeIfIdle(source)
    },
  })

  constructor({ storage }: Pick<Context, 'storage'>) {
    this.#storage = storage
  }

  /** Answers what `take` makes of a source; throws what it throws. */
  async read<Taken>(playing: Playing, take: (remuxer: SourceRemuxer) => Promise<Taken>): Promise<Taken> {
    const source = this.#sourceOf(playing)
    source.readers += 1
    try {
      return await take(source.remuxer)
    } catch (error) {
      // The reader would repeat for ever what it was once refused: the next request opens the file anew.
      if (isOfStorage(error) && this.#open.peek(nameOf(playing)) === source)
        this.#open.delete(nameOf(playing))
      throw error
    } finally {
      source.readers -= 1
      closeIfIdle(source)
    }
  }

  close(): void {
    this.#open.clear()
  }

  #sourceOf(playing: Playing): OpenSource {
    const known = this.#open.get(nameOf(playing))
    if (known) return known
    const {
      source: { sizeBytes },
      sourceKey,
      presentation,
    } = playing
    const bytes = this.#storage.pathOf(sourceKey) ?? rangesOf(this.#storage, sourceKey, sizeBytes)
    const remuxer = new SourceRemuxer(bytes, presentation.timeline)
    const source = { remuxer, readers: 0, isLeaving: false }
    this.#open.set(nameOf(playing), source)
    return source
  }
}

/** A source that turns out broken half-way is shorter from then on, and read so. */
const nameOf = ({ id, presentation }: Playing) => `${id} ${presentation.timeline.durationSeconds}`

function closeIfIdle({ remuxer, readers, isLeaving }: OpenSource): void {
  if (isLeaving && readers === 0) remuxer.close()
}

/** Refused by the storage, and not for what is in the file. */
export function isOfStorage(error: unknown): boolean {
  return error instanceof AppError || (error instanceof Error && 'code' in error && 'syscall' in error)
}
