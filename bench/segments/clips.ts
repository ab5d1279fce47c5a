import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeClip } from '../product.ts'

const directory = mkdtempSync(join(tmpdir(), 'kinora-segments-'))
const SHORT_SECONDS = 10

const picture = '-f lavfi -i testsrc2=s=1280x720:r=24:d=10,noise=alls=4:allf=t -f lavfi -i sine=d=10:r=48000'
const h264 = '-c:v libx264 -preset veryfast -pix_fmt yuv420p -g 48 -c:a aac'

/** ffmpeg arguments of the clips. All are 1280x720 except the small one, which has few renditions. */
const clips = {
  'h264.mp4': `${h264} -b:v 900k -maxrate 1200k -bufsize 2000k`,
  'vp9.webm': '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 900k -g 48 -c:a libopus',
  'hevc.mp4':
    '-c:v libx265 -preset ultrafast -x265-params log-level=error:keyint=48 -b:v 900k -tag:v hvc1 -c:a aac',
  'theora.ogv': '-c:v libtheora -b:v 900k -g 48 -c:a libvorbis',
  'small.mp4': `-vf scale=854:480 ${h264} -b:v 1500k -maxrate 1800k -bufsize 2000k`,
}
export type Clip = keyof typeof clips

/** A path in the directory of the clips. */
export const clipPath = (name: string) => join(directory, name)

/** Returns a clip of the given duration, created on first use by repeating a short one without encoding. */
export function clip(name: Clip, seconds: number): string {
  const short = clipPath(name)
  if (!existsSync(short)) makeClip(short, `${picture} ${clips[name]}`)
  if (seconds === SHORT_SECONDS) return short
  const longer = clipPath(`${seconds}-${name}`)
  if (!existsSync(longer)) {
    makeClip(longer, `-stream_loop ${Math.ceil(seconds / SHORT_SECONDS) - 1} -i ${short} -c copy`)
  }
  return longer
}

export function removeClips(): void {
  rmSync(directory, { recursive: true, force: true })
}
