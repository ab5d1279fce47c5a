import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { orWhenMissing } from '@kinora/platform/files/or-when-missing.ts'

/** `begun`: the new storage may have a part of it. `verified`: it was read back with the same hash. */
type State = 'begun' | 'verified'

/**
 * Journal of a move, one line per step: `begun <key>`, `verified <key> <sha256>`, `deleted <key>`. A move that continues
 * after a kill skips verified objects and copies the others again. A truncated last line is ignored.
 */
export class MoveJournal implements AsyncDisposable {
  readonly #file: FileHandle
  readonly #states: Map<string, State>

  private constructor(file: FileHandle, states: Map<string, State>) {
    this.#file = file
    this.#states = states
  }

  /** Opens the journal of a move between these storages. Each site has its own. */
  static async open(directory: string, names: readonly string[]): Promise<MoveJournal> {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const name = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16)
    const place = path.join(directory, `storage-move-${name}.log`)
    const text = await readFile(place, 'utf8').catch(orWhenMissing(''))
    const file = await open(place, 'a', 0o600)
    // ends a truncated last line
    if (text !== '' && !text.endsWith('\n')) await file.write('\n')
    return new MoveJournal(file, readStates(text))
  }

  stateOf(key: string): State | undefined {
    return this.#states.get(key)
  }

  /** Returns every key that this move may have written to the new storage. */
  keys(): string[] {
    return [...this.#states.keys()]
  }

  /** Call it before sending the first byte. */
  begin(key: string): Promise<void> {
    return this.#append(`begun ${key}`, key, 'begun')
  }

  verified(key: string, sha256: string): Promise<void> {
    return this.#append(`verified ${key} ${sha256}`, key, 'verified')
  }

  deleted(key: string): Promise<void> {
    return this.#append(`deleted ${key}`, key, undefined)
  }

  async #append(line: string, key: string, state: State | undefined): Promise<void> {
    await this.#file.write(`${line}\n`)
    note(this.#states, key, state)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.sync()
    await this.#file.close()
  }
}

function readStates(text: string): Map<string, State> {
  const states = new Map<string, State>()
  // the last element is empty or a truncated line
  for (const line of text.split('\n').slice(0, -1)) {
    const [, word, key, sha256] = /^(begun|verified|deleted) (\S+)(?: ([0-9a-f]{64}))?$/.exec(line) ?? []
    if (key === undefined) continue
    if (word === 'begun') note(states, key, 'begun')
    else if (word === 'deleted') note(states, key, undefined)
    else if (sha256 !== undefined) note(states, key, 'verified')
  }
  return states
}

function note(states: Map<string, State>, key: string, state: State | undefined): void {
  if (state === undefined) states.delete(key)
  else states.set(key, state)
}
