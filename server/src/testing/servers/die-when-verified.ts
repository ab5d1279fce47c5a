import { open } from 'node:fs/promises'

/**
 * Loaded before a program (`--import`), kills it the moment it has recorded a verified file, independent of the
 * machine's speed.
 */
const file = await open(process.execPath)
const prototype = Object.getPrototypeOf(file) as typeof file
await file.close()

const write = prototype.write
Object.assign(prototype, {
  async write(this: typeof file, ...args: unknown[]): Promise<unknown> {
    const written: unknown = await Reflect.apply(write, this, args)
    if (String(args[0]).startsWith('verified ')) process.kill(process.pid, 'SIGKILL')
    return written
  },
})
