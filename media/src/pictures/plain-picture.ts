import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Two leaves of the mark: a plain disc looks like a record button. */
const leaves = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 32 32" fill="#fff" fill-opacity=".85">
    <rect x="10" y="11.2" width="13" height="3.4" rx="1.2" transform="rotate(-14 10 16)"/>
    <rect x="10" y="17.4" width="13" height="3.4" rx="1.2" transform="rotate(14 10 16)"/>
  </svg>`,
)

/** Runs `work` with a picture whose colour follows from the name, by default the profile picture of people without one. */
export async function withPlainPicture<T>(
  name: string,
  work: (file: string) => Promise<T>,
  size = { width: 512, height: 512 },
): Promise<T> {
  // loaded here: web processes decode pictures in processes of their own, and need this once
  const { default: sharp } = await import('sharp')
  const directory = await mkdtemp(path.join(tmpdir(), 'kinora-picture-'))
  try {
    const file = path.join(directory, 'plain.png')
    const [red = 0, green = 0, blue = 0] = createHash('sha256').update(name.toLowerCase()).digest()
    const background = { r: 64 + (red >> 1), g: 64 + (green >> 1), b: 64 + (blue >> 1) }
    await sharp({ create: { ...size, channels: 3, background } })
      .composite([{ input: leaves }])
      .png()
      .toFile(file)
    return await work(file)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
