import type { Storage } from '@kinora/platform/storage/storage.ts'
import { fileKeyOf } from '../rules/streams.ts'
import type { Recording } from './recording-file.ts'

/** A recording in a bucket, whose objects cannot grow: each part is one, and the first begins with the init segment. */
export class RecordingObjects implements Recording {
  readonly #storage: Pick<Storage, 'put'>
  readonly #sourceKey: string
  #next: number
  readonly #sizes: Map<number, number>

  /** `sizes` are those of the objects before. */
  constructor(storage: Pick<Storage, 'put'>, sourceKey: string, sizes = new Map<number, number>()) {
    this.#storage = storage
    this.#sourceKey = sourceKey
    this.#next = Math.max(-1, ...sizes.keys()) + 1
    this.#sizes = sizes
  }

  async append(bytes: Buffer): Promise<{ file: number; position: number }> {
    const file = this.#next
    await this.#storage.put(fileKeyOf(this.#sourceKey, file), bytes)
    this.#next += 1
    this.#sizes.set(file, bytes.length)
    return { file, position: 0 }
  }

  drop(file: number): void {
    this.#sizes.delete(file)
  }

  get sizeBytes(): number {
    return [...this.#sizes.values()].reduce((sum, size) => sum + size, 0)
  }

  async close(): Promise<void> {
    // each part is complete
  }
}
