import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { codeOf } from '@kinora/platform/errors.ts'

const Entry = z.object({
  /** Address of the resumable upload. */
  uploadUrl: z.string().optional(),
  /** Id of the video that was published. */
  videoId: z.string().optional(),
})
type Entry = z.infer<typeof Entry>

const State = z.record(z.string(), Entry)

/** Record of uploads that `kinora push` began and published, by site and file, in a file below the home directory. */
export class PushState {
  readonly #file: string

  /** `directory` is XDG_STATE_HOME, by default `~/.local/state`. */
  constructor(directory = path.join(homedir(), '.local/state')) {
    this.#file = path.join(directory, 'kinora/push.json')
  }

  async get(key: string): Promise<Entry> {
    return (await this.#read())[key] ?? {}
  }

  async set(key: string, entry: Entry): Promise<void> {
    const state = { ...(await this.#read()), [key]: entry }
    await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 })
    const temporary = `${this.#file}.${process.pid}`
    await writeFile(temporary, JSON.stringify(state), { mode: 0o600 })
    await rename(temporary, this.#file)
  }

  async #read(): Promise<Record<string, Entry>> {
    try {
      return State.parse(JSON.parse(await readFile(this.#file, 'utf8')))
    } catch (error) {
      // a damaged file costs sending bytes again
      if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError || error instanceof z.ZodError) return {}
      throw error
    }
  }
}
