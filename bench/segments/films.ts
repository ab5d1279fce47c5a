import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeClip } from '../product.ts'

const directory = mkdtempSync(join(tmpdir(), 'kinora-segments-'))
const SHORT_SECONDS = 10

const picture = '-f lavfi -i testsrc2=s=1280x720:r=24:d=10,noise=alls=4:allf=t -f lavfi -i sine=d=10:r=48000'
const h264 = '-c:v libx264 -preset veryfast -pix_fmt yuv420p -g 48 -c:a aac'

/** How films are made whose picture is 1280x720, but for the small one, whose ladder costs little. */
const films = {
  'h264.mp4': `${h264} -b:v 900k -maxrate 1200k -bufsize 2000k`,
  'vp9.webm': '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 900k -g 48 -c:a libopus',
  'hevc.mp4':
    '-c:v libx265 -preset ultrafast -x265-params log-level=error:keyint=48 -b:v 900k -tag:v hvc1 -c:a aac',
  'theora.ogv': '-c:v libtheora -b:v 900k -g 48 -c:a libvorbis',
  'small.mp4': `-vf scale=854:480 ${h264} -b:v 1500k -maxrate 1800k -bufsize 2000k`,
}
export type Film = keyof typeof films

/** A path in the directory of the films. */
export const filmPath = (name: string) => join(directory, name)

/** The film of so many seconds, made when it is first asked for: a short one, repeated without encoding. */
export function film(name: Film, seconds: number): string {
  const short = filmPath(name)
  if (!existsSync(short)) makeClip(short, `${picture} ${films[name]}`)
  if (seconds === SHORT_SECONDS) return short
  const longer = filmPath(`${seconds}-${name}`)
  if (!existsSync(longer)) {
    makeClip(longer, `-stream_loop ${Math.ceil(seconds / SHORT_SECONDS) - 1} -i ${short} -c copy`)
  }
  return longer
}

export function removeFilms(): void {
  rmSync(directory, { recursive: true, force: true })
}
