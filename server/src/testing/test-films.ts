import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { insertVideo } from '../features/videos/queries/videos.ts'
import { probe } from '../media/probe/probe.ts'
import { newId } from '../platform/ids.ts'
import type { TestApp } from './test-app.ts'
import { videoRow } from './test-videos.ts'

const run = promisify(execFile)

/** H.264 and AAC, which browsers play as they are. */
export const h264 = '-c:v libx264 -preset veryfast -pix_fmt yuv420p -g 50 -c:a aac'

/**
 * Makes a film of ten seconds, damages it if wanted, and publishes it as an upload would. `words` are SubRip files that
 * `@` in the arguments stands before. Answers its id and the uploaded bytes.
 */
export async function publishFilm(
  site: TestApp,
  name: string,
  args: string,
  size = '640x360',
  damage: (bytes: Buffer) => void = () => undefined,
  words: Record<string, string> = {},
): Promise<{ id: string; bytes: Buffer }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'kinora-film-'))
  try {
    const file = path.join(directory, name)
    const inputs = `-f lavfi -i testsrc2=s=${size}:r=25:d=10 -f lavfi -i sine=d=10:r=48000`
    for (const [each, text] of Object.entries(words)) await writeFile(path.join(directory, each), text)
    const codecs = args.replaceAll('@', `${directory}/`)
    await run('ffmpeg', ['-v', 'error', '-y', ...inputs.split(' '), ...codecs.split(' '), file])
    const bytes = await readFile(file)
    damage(bytes)
    await writeFile(file, bytes)
    const source = await probe({ ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }, file)
    const ownerId = newId()
    await site.db
      .insertInto('users')
      .values({
        id: ownerId,
        username: ownerId,
        email: `${ownerId}@kinora.example`,
        fullname: 'Ines Falk',
        passwordHash: 'x',
        avatar: 'x',
      })
      .execute()
    const row = videoRow(ownerId, {
      sizeBytes: bytes.length,
      durationSeconds: source.durationSeconds,
      width: source.video.displayWidth,
      height: source.video.displayHeight,
      source: JSON.stringify(source),
    })
    const copy = `${file}.upload`
    await copyFile(file, copy)
    await site.storage.put(row.sourceKey, { file: copy })
    await insertVideo(site.db, row)
    return { id: row.id, bytes }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
