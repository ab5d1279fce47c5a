import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const clips = join(import.meta.dirname, '../../../.tooling/clips')

let version: Promise<string> | undefined

/**
 * The bytes of the file that ffmpeg writes with these arguments, which name no other file. They are kept in
 * `.tooling/clips`, so that test files that need the same clip encode it once.
 */
export async function drawFile(args: readonly string[], extension: string): Promise<Buffer> {
  version ??= run('ffmpeg', ['-version']).then(({ stdout }) => stdout)
  const key = createHash('sha256').update(JSON.stringify([await version, args, extension]))
  const kept = join(clips, `${key.digest('hex')}.${extension}`)
  const found = await readFile(kept).catch(() => undefined)
  if (found) return found
  await mkdir(clips, { recursive: true })
  // Others may draw the same clip now.
  const draft = join(clips, `${randomUUID()}.${extension}`)
  await encode(args, draft)
  await rename(draft, kept)
  return readFile(kept)
}

/** Like `drawFile` for arguments that name other files: nothing is kept. */
export async function drawFileUncached(args: readonly string[], extension: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'kinora-clip-'))
  try {
    const file = join(folder, `clip.${extension}`)
    await encode(args, file)
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function encode(args: readonly string[], file: string): Promise<void> {
  await run('ffmpeg', ['-v', 'error', '-y', ...args, file])
}
