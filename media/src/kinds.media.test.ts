import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkMaster, checkMedia, type Rendition, type Variant } from './testing/check-playlists.ts'
import { type Edit, withEdits, withFormatChange, withMatrix } from './testing/edit-mp4.ts'
import { nightlyUnless } from '@kinora/platform/testing/nightly.ts'
import { encodeAudio, encodeInit, encodeSegments } from './encode/encode.ts'
import { VIDEO_TIMESCALE } from './encode/ffmpeg-args.ts'
import { peakSegmentBitrate } from './plan/measured-bitrates.ts'
import { FragmentReader, readTimescale } from './containers/mp4/fmp4.ts'
import {
  audioName,
  masterPlaylist,
  mediaPlaylist,
  planPresentation,
  type Presentation,
  PASSTHROUGH_NAME,
} from './plan/hls.ts'
import { probe } from './probe/probe.ts'
import { SourceRemuxer } from './remux/remux.ts'
import type { SourceInfo } from './source/source-info.ts'
import { buildStoryboard, planStoryboard, type Storyboard } from './encode/storyboard.ts'
import { segmentStart } from './plan/timeline.ts'

/**
 * Every kind of source, through everything that is derived from it. Playlists conform to RFC 8216 and match the
 * segments. Each rendition contains every frame of the source once, in order, in sync and with sufficient PSNR. The
 * audio is complete and in sync.
 */
const run = promisify(execFile)
const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'kinora-kinds-'))
  for (const form of ['ts', 'webm'])
    await writeFile(at(`${form}.ffconcat`), `ffconcat version 1.0\nfile wide.${form}\nfile tall.${form}\n`)
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const at = (name: string) => path.join(directory, name)

async function command(program: string, args: string[], maxBuffer = 2 ** 26): Promise<string> {
  const { stdout } = await run(program, args, { maxBuffer })
  return stdout
}

const bars = (size = '160x120', rate = '25', seconds = 5) =>
  `-f lavfi -i testsrc2=s=${size}:r=${rate}:d=${seconds}`
/** A beep of 50 ms at 1 s and at 4.5 s, to verify that audio is in sync. */
const beeps = (seconds = 5) =>
  `-f lavfi -i aevalsrc=exprs='0.5*sin(2*PI*880*t)*(between(t\\,1\\,1.05)+between(t\\,4.5\\,4.55))':s=48000:d=${seconds}`
const x264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 50'
const openGops =
  '-c:v libx264 -preset veryfast -pix_fmt yuv420p -x264-params open-gop=1:keyint=27:bframes=3:b-adapt=0:scenecut=0'
const someClosed = '-forced-idr 1 -force_key_frames 5,14'
const x265 = '-c:v libx265 -preset ultrafast -tag:v hvc1'
const vp9 = '-c:v libvpx-vp9 -deadline realtime -cpu-used 8'
const quick = '-deadline realtime -cpu-used 8'

interface Kind {
  name: string
  /** Commands that create it, split at blanks; `@` is the directory. The last one writes the file. */
  make: string[]
  /** Change applied to the bytes of the file. */
  change?: (video: Buffer) => Buffer
  /** Not every frame of the source is shown, because its rate exceeds 60 fps. */
  isResampled?: boolean
  /** Minimum PSNR of the worst frame in decibels; null if colours are changed on purpose. */
  likeness?: number | null
  /** Filters that apply the conversions of the renditions to the source. */
  filter?: string
  hasPassthrough: boolean
  /** The first thumbnail is compared with the source as ffmpeg shows it. */
  showsOrientation?: boolean
  /** How each audio track is produced. */
  audio?: ('copied' | 'encoded')[]
  /** Default: 5. */
  seconds?: number
}

/** A video of six seconds whose audio begins 1024 samples, and whose video begins two frames, into their tracks. */
const reordered = [`${bars('160x120', '25', 6)} ${beeps(6)} ${x264} -bf 2 -c:a aac`]
const editVideo = (edits: Edit[]) => (video: Buffer) =>
  withEdits(
    video,
    0,
    edits.map((edit) => shifted(edit, 2 / 25)),
  )
const editAudio = (edits: Edit[]) => (video: Buffer) =>
  withEdits(
    video,
    1,
    edits.map((edit) => shifted(edit, 1024 / 48_000)),
  )
const both = (edits: Edit[]) => (video: Buffer) => editAudio(edits)(editVideo(edits)(video))
const shifted = (edit: Edit, seconds: number) => ({
  ...edit,
  from: edit.from === null ? null : edit.from + seconds,
})

/** Changes the keyframe numbers of a video. */
const keyframes =
  (change: (number: number) => number) =>
  (video: Buffer): Buffer => {
    const bytes = Buffer.from(video)
    const rows = bytes.indexOf('stss') + 12
    for (let row = 0; row < bytes.readUInt32BE(rows - 4); row++)
      bytes.writeUInt32BE(change(bytes.readUInt32BE(rows + row * 4)), rows + row * 4)
    return bytes
  }

/** Changes the duration of the last frame, in a video without audio and with 15,360 ticks a second. */
const endingAt =
  (endSeconds: number, lastSeconds: number) =>
  (video: Buffer): Buffer => {
    const bytes = Buffer.from(video)
    bytes.writeUInt32BE(endSeconds * 15_360, bytes.indexOf('mdhd') + 20)
    const rows = bytes.indexOf('stts') + 12
    bytes.writeUInt32BE(lastSeconds * 15_360, rows + bytes.readUInt32BE(rows - 4) * 8 - 4)
    return bytes
  }

/** Blanks the bytes of frames, in a video without audio and in one chunk. */
const emptied =
  (isEmpty: (frame: number) => boolean) =>
  (video: Buffer): Buffer => {
    const index = video.lastIndexOf('moov') - 4
    const table = Buffer.from(video.subarray(index))
    const sizes = table.indexOf('stsz') + 16
    let place = table.readUInt32BE(table.indexOf('stco') + 12)
    const parts = [video.subarray(0, place)]
    for (let frame = 0; frame < table.readUInt32BE(sizes - 4); frame++) {
      const end = place + table.readUInt32BE(sizes + frame * 4)
      if (isEmpty(frame)) table.writeUInt32BE(0, sizes + frame * 4)
      else parts.push(video.subarray(place, end))
      place = end
    }
    const bytes = Buffer.concat([...parts, table])
    bytes.writeUInt32BE(bytes.length - table.length - bytes.indexOf('mdat') + 4, bytes.indexOf('mdat') - 4)
    return bytes
  }

const kinds: Kind[] = [
  {
    name: 'h264.mp4',
    make: [`${bars()} ${beeps()} ${x264} -c:a aac`],
    hasPassthrough: true,
    audio: ['copied'],
  },
  {
    name: 'heavy.mp4',
    make: [`-f lavfi -i testsrc2=s=426x240:r=25:d=9,noise=alls=60:allf=t ${beeps(9)} ${x264} -c:a aac`],
    hasPassthrough: true,
    audio: ['copied'],
    likeness: 15,
    seconds: 9,
  },
  {
    name: 'hevc.mp4',
    make: [`${bars()} ${beeps()} ${x265} -c:a aac`],
    hasPassthrough: false,
    audio: ['copied'],
  },
  { name: 'hevc10.mp4', make: [`${bars()} ${x265} -pix_fmt yuv420p10le`], hasPassthrough: false },
  {
    name: 'vp8.webm',
    make: [`${bars()} ${beeps()} -c:v libvpx ${quick} -c:a libvorbis`],
    hasPassthrough: false,
    audio: ['encoded'],
  },
  {
    name: 'vp9.webm',
    make: [`${bars()} ${beeps()} ${vp9} -c:a libopus`],
    hasPassthrough: true,
    audio: ['encoded'],
  },
  { name: 'vp9-10.webm', make: [`${bars()} ${vp9} -pix_fmt yuv420p10le`], hasPassthrough: false },
  { name: 'vp9-444.webm', make: [`${bars()} ${vp9} -pix_fmt yuv444p`], hasPassthrough: false },
  {
    name: 'vp9.mp4',
    make: [`${bars()} ${beeps()} ${vp9} -c:a libopus -strict -2`],
    hasPassthrough: true,
    audio: ['encoded'],
  },
  {
    name: 'av1.mp4',
    make: [`${bars()} ${beeps()} -c:v libaom-av1 -cpu-used 8 -usage realtime -c:a aac`],
    hasPassthrough: true,
    audio: ['copied'],
  },
  {
    name: 'av1.webm',
    make: [`${bars()} ${beeps()} -c:v libaom-av1 -cpu-used 8 -usage realtime -c:a libopus`],
    hasPassthrough: true,
    audio: ['encoded'],
  },
  {
    name: 'av1-10.webm',
    make: [`${bars()} -c:v libaom-av1 -cpu-used 8 -usage realtime -pix_fmt yuv420p10le`],
    hasPassthrough: false,
  },
  {
    name: 'theora.ogv',
    make: [`${bars()} ${beeps()} -c:v libtheora -q:v 6 -c:a libvorbis`],
    hasPassthrough: false,
    audio: ['encoded'],
  },
  {
    name: 'mpeg4.mp4',
    make: [`${bars()} ${beeps()} -c:v mpeg4 -bf 2 -q:v 3 -c:a libmp3lame`],
    hasPassthrough: false,
    audio: ['encoded'],
  },
  {
    name: 'h264-422.mp4',
    make: [`${bars()} -c:v libx264 -preset ultrafast -pix_fmt yuv422p`],
    hasPassthrough: false,
  },
  {
    name: 'h264-444.mp4',
    make: [`${bars()} -c:v libx264 -preset ultrafast -pix_fmt yuv444p`],
    hasPassthrough: false,
  },
  {
    name: 'pq.mp4',
    make: [
      `${bars()} -pix_fmt yuv420p10le ${x265} -x265-params log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc`,
    ],
    likeness: null,
    hasPassthrough: false,
  },
  {
    name: 'hlg.mp4',
    make: [
      `${bars()} -pix_fmt yuv420p10le ${x265} -x265-params log-level=error:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc`,
    ],
    likeness: null,
    hasPassthrough: false,
  },
  {
    name: 'pq.webm',
    make: [
      `${bars()} -pix_fmt yuv420p10le ${vp9} -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc`,
    ],
    likeness: null,
    hasPassthrough: false,
  },
  {
    name: 'pq-undescribed.mp4',
    make: [`${bars()} -pix_fmt yuv420p10le ${x265} -x265-params log-level=error:transfer=smpte2084`],
    likeness: null,
    hasPassthrough: false,
  },
  {
    name: 'interlaced.mp4',
    make: [`${bars()} ${x264} -flags +ilme+ildct -vf setfield=tff`],
    filter: 'bwdif=mode=send_frame',
    hasPassthrough: false,
  },
  {
    name: 'variable.mp4',
    make: [
      `-f lavfi -i testsrc2=s=160x120:r=25:d=6,select='lt(t\\,2)+not(mod(n\\,3))' -fps_mode vfr ${x264}`,
    ],
    hasPassthrough: true,
    seconds: 6,
  },
  {
    name: 'variable.webm',
    make: [`-f lavfi -i testsrc2=s=160x120:r=25:d=6,select='lt(t\\,2)+not(mod(n\\,3))' -fps_mode vfr ${vp9}`],
    hasPassthrough: true,
    seconds: 6,
  },
  // a frame precedes a cut by half a millisecond, the resolution of WebM timestamps
  {
    name: 'uneven.webm',
    make: [
      `-f lavfi -i testsrc2=s=160x120:r=30:d=10 -vf settb=1/1000,setpts=29*N+14*gte(N\\,137) -fps_mode passthrough -enc_time_base 1:1000 ${vp9}`,
    ],
    hasPassthrough: true,
    seconds: 8.7,
  },
  ...[90, 180, 270].map((degrees) => ({
    name: `rotated-${degrees}.mp4`,
    make: [
      `${bars()} ${x264} @/lying-${degrees}.mp4`,
      `-i @/lying-${degrees}.mp4 -c copy -metadata:s:v rotate=${degrees}`,
    ],
    hasPassthrough: false,
  })),
  ...Object.entries({
    'flipped.mp4': [1, 0, 0, -1, 0, 120],
    'mirrored.mp4': [-1, 0, 0, 1, 160, 0],
    'transposed.mp4': [0, 1, 1, 0, 0, 0],
    'transversed.mp4': [0, -1, -1, 0, 120, 160],
    'tilted.mp4': [0.8, 0.6, -0.6, 0.8, 0, 0],
  }).map(([name, matrix]) => ({
    name,
    make: [`${bars()} ${x264}`],
    change: (video: Buffer) => withMatrix(video, matrix),
    hasPassthrough: false,
    showsOrientation: true,
  })),
  ...[
    { name: 'wide-then-tall.mp4', codec: x264, form: 'ts' },
    { name: 'wide-then-tall.webm', codec: `${vp9} -g 50`, form: 'webm' },
  ].map(({ name, codec, form }) => ({
    name,
    make: [
      `${bars('160x120', '25', 3)} ${codec} @/wide.${form}`,
      `${bars('120x160', '25', 3)} ${codec} @/tall.${form}`,
      `-f concat -i @/${form}.ffconcat -c copy`,
    ],
    // frames of the other shape in the middle of black
    filter: `scale=w='if(gt(a,1),160,90)':h=120,pad=160:120:-1:-1`,
    hasPassthrough: false,
    seconds: 6,
  })),
  { name: 'anamorphic.mp4', make: [`${bars()} ${x264} -vf setsar=4/3`], hasPassthrough: false },
  { name: 'anamorphic.webm', make: [`${bars()} ${vp9} -vf setsar=4/3`], hasPassthrough: false },
  {
    name: 'odd.mp4',
    make: [`${bars('161x121')} -c:v libx264 -preset ultrafast -pix_fmt yuv444p`],
    hasPassthrough: false,
  },
  { name: 'odd.webm', make: [`${bars('161x121')} ${vp9} -pix_fmt yuv420p`], hasPassthrough: true },
  {
    name: 'negative.mp4',
    make: [`${bars()} ${beeps()} ${x264} -bf 3 -c:a aac -movflags negative_cts_offsets`],
    hasPassthrough: true,
    audio: ['copied'],
  },
  {
    name: 'cut.mp4',
    make: [
      `${bars('160x120', '25', 7)} ${beeps(7)} ${x264} -c:a aac @/whole.mp4`,
      '-ss 1.3 -i @/whole.mp4 -c copy',
    ],
    hasPassthrough: false,
    audio: ['copied'],
    seconds: 5.7,
  },
  { name: 'late.webm', make: [`${bars()} ${vp9} -output_ts_offset 5`], hasPassthrough: true },
  {
    name: 'live.webm',
    make: [`${bars()} ${beeps()} ${vp9} -c:a libopus -live 1`],
    hasPassthrough: true,
    audio: ['encoded'],
  },
  {
    name: 'fragmented.mp4',
    make: [`${bars()} ${beeps()} ${x264} -c:a aac -movflags frag_keyframe+empty_moov`],
    hasPassthrough: true,
    audio: ['copied'],
  },
  {
    name: 'indexed-fragments.mp4',
    make: [`${bars()} ${beeps()} ${x264} -c:a aac -movflags +dash+global_sidx -frag_duration 1000000`],
    hasPassthrough: true,
    audio: ['copied'],
  },
  {
    name: 'late-fragments.mp4',
    make: [`-itsoffset 0.08 ${bars()} ${beeps()} ${x264} -c:a aac -movflags frag_keyframe+empty_moov`],
    hasPassthrough: true,
    audio: ['copied'],
  },
  {
    name: 'starts-in-moov.mp4',
    make: [`${bars()} ${beeps()} ${x264} -c:a aac -movflags frag_keyframe`],
    hasPassthrough: false,
    audio: ['encoded'],
  },
  {
    name: 'absolute-clock.webm',
    make: [`${bars()} ${beeps()} ${vp9} -c:a libopus -output_ts_offset 90000`],
    hasPassthrough: true,
    audio: ['encoded'],
  },
  {
    name: 'sound-longer.mp4',
    make: [`${bars()} ${beeps(8)} ${x264} -c:a aac`],
    hasPassthrough: true,
    audio: ['copied'],
    seconds: 8,
  },
  {
    name: 'sound-shorter.mp4',
    make: [`${bars()} ${beeps(2)} ${x264} -c:a aac`],
    hasPassthrough: true,
    audio: ['encoded'],
  },
  {
    name: 'sound-late.mp4',
    make: [`${bars()} -itsoffset 2 ${beeps(3)} ${x264} -c:a aac`],
    hasPassthrough: true,
    audio: ['encoded'],
  },
  {
    name: 'picture-late.mp4',
    make: [`-itsoffset 2 ${bars('160x120', '25', 3)} ${beeps()} ${x264} -c:a aac`],
    hasPassthrough: true,
    audio: ['copied'],
  },
  {
    name: 'opus.mp4',
    make: [`${bars()} ${beeps()} ${x264} -c:a libopus`],
    hasPassthrough: true,
    audio: ['encoded'],
  },
  {
    name: 'flac.mp4',
    make: [`${bars()} ${beeps()} ${x264} -c:a flac -strict -2`],
    hasPassthrough: true,
    audio: ['encoded'],
  },
  {
    name: 'mp3.mp4',
    make: [`${bars()} ${beeps()} ${x264} -c:a libmp3lame`],
    hasPassthrough: true,
    audio: ['encoded'],
  },
  {
    name: 'ac3.mp4',
    make: [`${bars()} ${beeps()} ${x264} -c:a ac3`],
    hasPassthrough: true,
    audio: ['encoded'],
  },
  {
    name: 'alac.mp4',
    make: [`${bars()} ${beeps()} ${x264} -c:a alac`],
    hasPassthrough: true,
    audio: ['encoded'],
  },
  {
    name: 'pcm.mp4',
    make: [`${bars()} ${beeps()} ${x264} -c:a pcm_s16le -f mov -brand mp42`],
    hasPassthrough: true,
    audio: ['encoded'],
  },
  {
    name: 'low-rate.mp4',
    make: [`${bars()} ${beeps()} ${x264} -c:a aac -ar 22050 -ac 1`],
    hasPassthrough: true,
    audio: ['copied'],
  },
  {
    name: 'surround.mp4',
    make: [`${bars()} -f lavfi -i sine=d=5:r=48000,aformat=channel_layouts=5.1 ${x264} -c:a aac`],
    hasPassthrough: true,
    audio: ['encoded'],
  },
  {
    name: 'surround.webm',
    make: [`${bars()} -f lavfi -i sine=d=5:r=48000,aformat=channel_layouts=5.1 ${vp9} -c:a libopus`],
    hasPassthrough: true,
    audio: ['encoded'],
  },
  {
    name: 'languages.mp4',
    make: [
      `${bars()} ${beeps()} ${beeps()} ${beeps()} -map 0 -map 1 -map 2 -map 3 ${x264} -c:a aac -metadata:s:a:0 language=eng -metadata:s:a:1 language=ger -metadata:s:a:2 language=ger`,
    ],
    hasPassthrough: true,
    audio: ['copied', 'copied', 'copied'],
  },
  {
    name: 'languages.webm',
    make: [
      `${bars()} ${beeps()} ${beeps()} -map 0 -map 1 -map 2 ${vp9} -c:a libopus -metadata:s:a:0 language=fra -metadata:s:a:1 language=jpn`,
    ],
    hasPassthrough: true,
    audio: ['encoded', 'encoded'],
  },
  {
    name: 'two-pictures.mp4',
    make: [`${bars()} -f lavfi -i smptebars=s=320x240:r=25:d=5 -map 0 -map 1 ${x264}`],
    hasPassthrough: true,
  },
  {
    name: 'cover.mp4',
    make: [
      `-f lavfi -i color=red:s=64x64:d=0.04 -frames:v 1 @/cover.png`,
      `-i @/cover.png ${bars()} ${beeps()} -map 0 -map 1 -map 2 -c:v:0 png -c:v:1 libx264 -preset:v:1 ultrafast -pix_fmt:v:1 yuv420p -disposition:v:0 attached_pic -c:a aac`,
    ],
    hasPassthrough: true,
    audio: ['copied'],
  },
  {
    name: 'several.ogv',
    make: [`${bars()} ${beeps()} ${beeps()} -map 0 -map 1 -map 2 -c:v libtheora -q:v 6 -c:a libvorbis`],
    hasPassthrough: false,
    audio: ['encoded', 'encoded'],
  },
  { name: 'vp8.ogv', make: [`${bars()} -c:v libvpx ${quick} -f ogg`], hasPassthrough: false },
  {
    name: 'one-frame.mp4',
    make: [`-f lavfi -i testsrc2=s=160x120:r=25:d=0.04 ${x264}`],
    hasPassthrough: true,
    seconds: 0.04,
  },
  {
    name: 'one-frame.webm',
    make: [`-f lavfi -i testsrc2=s=160x120:r=25:d=0.04 ${vp9}`],
    hasPassthrough: true,
    seconds: 0.04,
  },
  {
    name: 'one-keyframe.mp4',
    make: [`${bars('32x32', '10', 60)} -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 9999`],
    hasPassthrough: false,
    seconds: 60,
  },
  { name: 'fast.mp4', make: [`${bars('160x120', '120')} ${x264}`], isResampled: true, hasPassthrough: true },
  { name: 'tiny.mp4', make: [`${bars('16x16')} ${x264}`], hasPassthrough: true },
  {
    name: 'slideshow.mp4',
    make: [`-f lavfi -i testsrc2=s=160x120:r=1:d=9 ${x264}`],
    hasPassthrough: true,
    seconds: 9,
  },
  {
    name: 'slideshow.webm',
    make: [`-f lavfi -i testsrc2=s=160x120:r=1:d=9 ${vp9} -g 3`],
    hasPassthrough: true,
    seconds: 9,
  },
  // a frame is shown for longer than a segment
  {
    name: 'time-lapse.mp4',
    make: [`${bars('160x120', '1/10', 60)} ${x264} -g 1`],
    hasPassthrough: true,
    seconds: 60,
  },
  {
    name: 'time-lapse.webm',
    make: [`${bars('160x120', '1/20', 100)} ${beeps()} ${vp9} -c:a libopus`],
    hasPassthrough: false,
    audio: ['encoded'],
    seconds: 100,
  },
  {
    name: 'slides.mp4',
    make: [
      `-f lavfi -i testsrc2=s=160x120:r=1:d=70,select='eq(n\\,0)+eq(n\\,9)+eq(n\\,21)+eq(n\\,33)+eq(n\\,48)' -fps_mode vfr ${x264}`,
    ],
    hasPassthrough: false,
    seconds: 51,
  },
  {
    name: 'long-gop.mp4',
    make: [`${bars('320x240', '25', 9)} -c:v libx264 -preset veryfast -g 250 -bf 3 -pix_fmt yuv420p`],
    hasPassthrough: true,
    seconds: 9,
  },
  {
    name: 'ntsc.webm',
    make: [`${bars('160x120', '30000/1001', 9)} ${vp9} -g 60`],
    hasPassthrough: true,
    seconds: 9,
  },
  { name: 'late.mp4', make: [`${bars()} ${x264} -output_ts_offset 3`], hasPassthrough: true },
  ...[
    // longer than several segments
    { name: 'gap.mp4', shown: 'lt(t\\,3)+gt(t\\,17)', seconds: 20, hasPassthrough: false },
    { name: 'gap.webm', shown: 'lt(t\\,3)+gt(t\\,9.3)', seconds: 14, coded: vp9 },
    { name: 'gap-reordered.mp4', shown: 'lt(t\\,3)+gt(t\\,9.3)', seconds: 14, coded: `${x264} -bf 3` },
    {
      name: 'gap-fragmented.mp4',
      shown: 'lt(t\\,3)+gt(t\\,9.3)',
      seconds: 14,
      coded: `${x264} -bf 3 -movflags frag_keyframe+empty_moov`,
    },
    {
      name: 'gap-edited.mp4',
      shown: 'lt(t\\,3)+gt(t\\,9.3)',
      seconds: 12,
      coded: `${x264} -bf 2`,
      change: editVideo([{ seconds: 60, from: 0.2 }]),
      hasPassthrough: false,
    },
    { name: 'gaps.mp4', shown: 'lt(mod(t\\,6.7)\\,0.9)', seconds: 28 },
    // the frame rate after the gap is higher, which the average hides
    {
      name: 'dense-behind-gap.mp4',
      shown: 'lt(t\\,10)*not(mod(n\\,6))+between(t\\,13.5\\,14)+gt(t\\,15)*not(mod(n\\,6))',
      seconds: 17,
    },
    {
      name: 'faster-and-slower.mp4',
      shown: 'lt(t\\,5)*not(mod(n\\,2))+between(t\\,5\\,12)*not(mod(n\\,12))+gt(t\\,12)',
      seconds: 16,
    },
    // around the starts of segments, and nowhere else
    {
      name: 'seldom.mp4',
      shown: 'eq(n\\,0)+eq(mod(n\\,240)\\,238)+gt(n\\,2)*eq(mod(n\\,240)\\,2)',
      seconds: 20,
      hasPassthrough: false,
    },
    // before the starts of segments
    {
      name: 'seldom-before.mp4',
      shown: 'eq(n\\,0)+gt(n\\,100)*(eq(mod(n\\,180)\\,24)+eq(mod(n\\,180)\\,36))',
      seconds: 18.6,
      hasPassthrough: false,
    },
    {
      name: 'gap-at-end.mp4',
      shown: 'lt(t\\,3)+eq(n\\,300)',
      seconds: 14,
      coded: `${x264} -use_editlist 0`,
      change: endingAt(14, 9),
    },
  ].map(({ shown, seconds, coded = x264, hasPassthrough = true, ...kind }): Kind => ({
    ...kind,
    make: [`-f lavfi -i testsrc2=s=160x120:r=60:d=${seconds},select='${shown}' -fps_mode vfr ${coded}`],
    hasPassthrough,
    seconds,
  })),
  {
    name: 'open-gop.mp4',
    make: [`${bars()} -c:v libx264 -pix_fmt yuv420p -x264-params open-gop=1:keyint=30`],
    hasPassthrough: true,
  },
  // frames after a keyframe are presented before it: no segment can begin there
  {
    name: 'open-gops.mp4',
    make: [`${bars('160x120', '25', 17)} ${beeps(17)} ${openGops} -c:a aac`],
    hasPassthrough: false,
    audio: ['copied'],
    seconds: 17,
  },
  {
    name: 'some-open-gops.mp4',
    make: [`${bars('160x120', '25', 17)} ${beeps(17)} ${openGops} ${someClosed} -c:a aac`],
    hasPassthrough: true,
    audio: ['copied'],
    seconds: 17,
  },
  {
    name: 'some-open-gops-fragmented.mp4',
    make: [`${bars('160x120', '25', 17)} ${openGops} ${someClosed} -movflags frag_keyframe+empty_moov`],
    hasPassthrough: true,
    seconds: 17,
  },
  {
    name: 'open-gops-uneven.mp4',
    make: [
      `-f lavfi -i testsrc2=s=160x120:r=25:d=20,select='lt(t\\,2)+not(mod(n\\,3))' -fps_mode vfr ${openGops}`,
    ],
    hasPassthrough: false,
    seconds: 20,
  },
  {
    name: 'begins-open.mp4',
    make: [
      `${bars('160x120', '25', 12)} ${openGops} -forced-idr 1 -force_key_frames 8 @/opens.mp4`,
      '-ss 3 -i @/opens.mp4 -c copy -copyts -use_editlist 0',
    ],
    hasPassthrough: false,
    seconds: 10,
  },
  {
    name: 'no-end.mp4',
    make: reordered,
    change: both([{ seconds: 4.5, from: 0 }]),
    hasPassthrough: false,
    audio: ['copied'],
    seconds: 4.5,
  },
  {
    name: 'longer-than-said.mp4',
    make: reordered,
    change: both([{ seconds: 60, from: 0 }]),
    hasPassthrough: true,
    audio: ['copied'],
    seconds: 6,
  },
  {
    name: 'middle.mp4',
    make: reordered,
    change: both([{ seconds: 2.2, from: 2.7 }]),
    hasPassthrough: false,
    audio: ['copied'],
    seconds: 2.2,
  },
  {
    name: 'two-stretches.mp4',
    make: reordered,
    change: editVideo([
      { seconds: 1.2, from: 1.1 },
      { seconds: 2, from: 3.5 },
    ]),
    hasPassthrough: false,
    audio: ['encoded'],
    seconds: 6,
  },
  {
    name: 'turned-round.mp4',
    make: [`${bars('160x120', '25', 6)} ${x264} -bf 2`],
    change: editVideo([
      { seconds: 2, from: 4 },
      { seconds: 2, from: 0.5 },
    ]),
    hasPassthrough: false,
    seconds: 4,
  },
  {
    name: 'half-speed.mp4',
    make: reordered,
    change: both([{ seconds: 12, from: 0, rate: 0.5 }]),
    hasPassthrough: false,
    audio: ['encoded'],
    seconds: 6,
  },
  {
    name: 'delayed.mp4',
    make: reordered,
    change: both([
      { seconds: 1, from: null },
      { seconds: 2, from: null },
      { seconds: 6, from: 0 },
    ]),
    hasPassthrough: true,
    audio: ['copied'],
    seconds: 6,
  },
  {
    name: 'picture-delayed.mp4',
    make: reordered,
    change: editVideo([
      { seconds: 2, from: null },
      { seconds: 6, from: 0 },
    ]),
    hasPassthrough: true,
    audio: ['encoded'],
    seconds: 8,
  },
  {
    name: 'begins-later-delayed.mp4',
    make: reordered,
    change: editVideo([
      { seconds: 1.5, from: null },
      { seconds: 4, from: 2 },
    ]),
    hasPassthrough: false,
    audio: ['copied'],
    seconds: 5.5,
  },
  {
    name: 'sound-delayed-and-later.mp4',
    make: reordered,
    // the hidden beep would precede the others
    change: (video) =>
      editAudio([
        { seconds: 0.2, from: null },
        { seconds: 4.9, from: 1.1 },
      ])(editVideo([{ seconds: 5, from: 0 }])(video)),
    hasPassthrough: false,
    audio: ['encoded'],
    seconds: 5,
  },
  {
    name: 'keyframes-from-zero.mp4',
    make: reordered,
    change: keyframes((number) => number - 1),
    hasPassthrough: false,
    audio: ['copied'],
    seconds: 6,
  },
  {
    name: 'no-keyframes.mp4',
    make: reordered,
    change: keyframes(() => 0),
    hasPassthrough: false,
    audio: ['encoded'],
    seconds: 6,
  },
  {
    name: 'first-no-keyframe.mp4',
    make: [`${reordered[0]} @/begins.mp4`, '-ss 1 -i @/begins.mp4 -copyinkf -c copy'],
    hasPassthrough: false,
    audio: ['copied'],
    seconds: 5,
  },
  {
    name: 'empty-frames.mp4',
    make: [`${bars('160x120', '25', 6)} ${x264} -bf 0 -refs 1`],
    // no later frames are visible: every fiftieth frame is a keyframe
    change: emptied((frame) => frame % 50 === 49),
    hasPassthrough: true,
    seconds: 6,
  },
  {
    name: 'two-formats.mp4',
    make: [
      `${bars('160x120', '25', 3)} ${bars('160x120', '25', 3)} -map 0 -map 1 ${x264} -bf 0 -profile:v:0 baseline -profile:v:1 high -preset:v:1 veryfast`,
    ],
    change: withFormatChange,
    hasPassthrough: false,
    seconds: 6,
  },
  {
    name: 'full-range.mp4',
    make: [`${bars()} -pix_fmt yuvj420p -c:v libx264 -preset ultrafast`],
    hasPassthrough: true,
  },
]

interface Encoded {
  source: SourceInfo
  presentation: Presentation
  /** A file of all segments of each track, and each segment. */
  tracks: Map<string, { file: string; init: Buffer; segments: Buffer[] }>
}

/** Produces everything of a source, segment by segment. */
async function encodeAll(file: string): Promise<Encoded> {
  const source = await probe(tools, file)
  const presentation = planPresentation(source)
  const { timeline, renditions, passthrough, audio } = presentation
  const job = { tools, source, timeline, path: file }
  const tracks: Encoded['tracks'] = new Map()
  const keep = async (name: string, init: Buffer, segments: Buffer[]) => {
    const joined = `${file}-${name}.mp4`
    await writeFile(joined, Buffer.concat([init, ...segments]))
    tracks.set(name, { file: joined, init, segments })
  }
  for (const rendition of renditions) {
    const segments: Buffer[] = []
    for (let index = timeline.segmentCount - 1; index >= 0; index--) {
      await encodeSegments(job, [rendition], { from: index, to: index + 1 }, (_, part, bytes) => {
        segments[part] = bytes
      })
    }
    await keep(rendition.name, await encodeInit(job, rendition), segments)
  }
  const remuxer = new SourceRemuxer(file, timeline)
  try {
    if (passthrough) {
      const segments: Buffer[] = []
      for (const index of passthrough.cutsMicros.keys())
        segments.push(await remuxer.videoSegment(passthrough, index))
      await keep(PASSTHROUGH_NAME, await remuxer.videoInit(), segments)
    }
    for (const plan of audio) {
      const segments: Buffer[] = []
      let init = Buffer.alloc(0)
      if (plan.isCopied) {
        init = Buffer.from(await remuxer.audioInit(plan))
        for (let index = 0; index < plan.segmentCount; index++)
          segments.push(await remuxer.audioSegment(tools, plan, index))
      } else {
        for (let index = 0; index < plan.segmentCount; index++) {
          const range = { from: index, to: index + 1 }
          await encodeAudio(job, plan, range, (part, bytes) => {
            if (part === 'init') init = Buffer.from(bytes)
            else segments[part] = bytes
          })
        }
      }
      await keep(audioName(plan), init, segments)
    }
  } finally {
    remuxer.close()
  }
  return { source, presentation, tracks }
}

/** Problems of the segments of one track compared with its playlist. */
function checkSegments(
  { init, segments }: { init: Buffer; segments: Buffer[] },
  listed: { seconds: number }[],
  tolerance: number,
): string[] {
  const problems: string[] = []
  if (segments.length !== listed.length)
    problems.push(`${segments.length} segments, ${listed.length} in the playlist`)
  const timescale = readTimescale(init)
  let [start, end] = [0, 0]
  segments.forEach((bytes, index) => {
    const samples: { pts: number; isKey: boolean }[] = []
    const reader = new FragmentReader((fragment) => samples.push(...fragment.samples))
    reader.push(bytes)
    const first = Math.min(...samples.map((sample) => sample.pts)) / timescale
    if (samples[0]?.isKey !== true) problems.push(`segment ${index} does not begin with a keyframe`)
    if ((samples[0]?.pts ?? 0) / timescale > first)
      problems.push(`segment ${index} shows pictures that are before its keyframe`)
    if (Math.abs(first - start) > tolerance)
      problems.push(`segment ${index} begins at ${first}, not ${start}`)
    if (index > 0 && first < end - 1e-6) problems.push(`segment ${index} begins before its neighbour ends`)
    end = Math.max(...samples.map((sample) => sample.pts)) / timescale
    start += listed[index]?.seconds ?? 0
  })
  return problems
}

/** Presentation times of the frames of a segment, in ticks, in order. */
function sampleTimes(segment: Buffer): number[] {
  const times: number[] = []
  const reader = new FragmentReader(({ samples }) => times.push(...samples.map((sample) => sample.pts)))
  reader.push(segment)
  return times.toSorted((a, b) => a - b)
}

/** Presentation times of the frames of a file. */
async function shownTimes(file: string): Promise<number[]> {
  const entries = 'frame=best_effort_timestamp_time'
  const text = await command(
    'ffprobe',
    `-v error -select_streams V:0 -show_entries ${entries} -of csv=p=0`.split(' ').concat(file),
  )
  return text
    .split('\n')
    .map(Number.parseFloat)
    .filter((time) => !Number.isNaN(time))
}

/** The time of the first gap between frames; undefined if there is none. */
async function findGap(file: string): Promise<number | undefined> {
  const entries = 'packet=dts_time,duration_time'
  const text = await command(
    'ffprobe',
    `-v error -select_streams V:0 -show_entries ${entries} -of csv=p=0`.split(' ').concat(file),
  )
  const frames = text
    .trim()
    .split('\n')
    .map((line) => line.split(',').map(Number.parseFloat))
  const ends = frames.map(([time = 0, duration = 0]) => time + duration)
  return ends.slice(0, -1).find((end, i) => Math.abs((frames[i + 1]?.[0] ?? 0) - end) > 0.002)
}

/** PSNR of a rendition without some frames to its source in decibels, frame by frame; the worst frame counts. */
async function worstLikeness(
  rendition: string,
  source: string,
  filter: string,
  { width, height }: Variant,
  without: number[],
) {
  const scale = `scale=${width}:${height}:flags=bicubic:out_range=tv,setsar=1,format=yuv420p`
  const others = `select='not(${frameIs(without)})'`
  return worstOf(
    rendition,
    source,
    `[0:V:0]${others},${scale},${inStep}[a];[1:V:0]${filter},${scale},${inStep}[b]`,
  )
}

/** PSNR of some frames of a rendition to others, one by one; the worst counts. */
function likenessWithin(rendition: string, some: number[], others: number[]): Promise<number> {
  const chosen = (frames: number[]) => `select='${frameIs(frames)}',${inStep}`
  return worstOf(rendition, rendition, `[0:V:0]${chosen(some)}[a];[1:V:0]${chosen(others)}[b]`)
}

const inStep = 'settb=1/25,setpts=N'
const frameIs = (numbers: number[]) => ['0', ...numbers.map((number) => `eq(n,${number})`)].join('+')

async function worstOf(a: string, b: string, graph: string): Promise<number> {
  const inputs = ['-v', 'error', '-i', a, '-i', b]
  const text = await command('ffmpeg', [
    ...inputs,
    '-lavfi',
    `${graph};[a][b]psnr=stats_file=-`,
    '-f',
    'null',
    '-',
  ])
  const values = [...text.matchAll(/psnr_avg:(\S+)/g)].map(([, value]) =>
    value === 'inf' ? 99 : Number(value),
  )
  return Math.min(...values)
}

/** Start times of the beeps in seconds. */
async function beepTimes(file: string): Promise<number[]> {
  const { stdout } = await run(
    'ffmpeg',
    ['-v', 'error', '-i', file, '-map', '0:a:0', '-ac', '1', '-ar', '8000', '-f', 's16le', '-'],
    { encoding: 'buffer', maxBuffer: 2 ** 26 },
  )
  const samples = new Int16Array(stdout.buffer, stdout.byteOffset, stdout.length >> 1)
  const times: number[] = []
  samples.forEach((value, sample) => {
    const time = sample / 8000
    if (Math.abs(value) > 3000 && time - (times.at(-1) ?? -1) > 0.2) times.push(time)
  })
  return times
}

/** One kind of each mechanism: codecs, containers, colours, rotation, edits, late clocks, gaps, open GOPs, audio layouts. */
const essential = new Set([
  'h264.mp4',
  'vp9.webm',
  'av1.mp4',
  'theora.ogv',
  'pq.mp4',
  'interlaced.mp4',
  'rotated-90.mp4',
  'transposed.mp4',
  'odd.mp4',
  'cut.mp4',
  'two-stretches.mp4',
  'fragmented.mp4',
  'absolute-clock.webm',
  'sound-late.mp4',
  'surround.mp4',
  'languages.mp4',
  'one-frame.mp4',
  'gap-reordered.mp4',
  'some-open-gops.mp4',
])

for (const kind of kinds)
  test.concurrent(
    `${kind.name} is encoded whole, in order and in sync`,
    nightlyUnless(essential.has(kind.name)),
    async () => {
      for (const line of kind.make.slice(0, -1)) await make(line)
      const file = at(kind.name)
      await make(`${kind.make.at(-1)} ${file}`)
      if (kind.change) await writeFile(file, kind.change(await readFile(file)))
      const made = await encodeAll(file)
      const { source, presentation, tracks } = made
      const { timeline, audio, passthrough } = presentation
      expect(passthrough !== null).toBe(kind.hasPassthrough)
      const full = audio.filter(({ isLowBitrate }) => !isLowBitrate)
      expect(full.map((plan) => (plan.isCopied ? 'copied' : 'encoded'))).toEqual(kind.audio ?? [])
      expect(timeline.durationSeconds).toBeCloseTo(kind.seconds ?? 5, 0)
      expect(source.durationSeconds).toBe(timeline.durationSeconds)

      const master = checkMaster(masterPlaylist(presentation, (name) => name))
      const problems = [...master.problems]
      const say = (uri: string, found: string[]) =>
        problems.push(...found.map((problem) => `${uri}: ${problem}`))
      let audioPeak = 0
      for (const rendition of master.renditions) {
        const checked = await checkAudio(kind, file, made, rendition)
        audioPeak = Math.max(audioPeak, checked.peak)
        say(rendition.uri, checked.problems)
      }
      for (const variant of master.variants) {
        say(variant.uri, await checkVariant(made, variant, audioPeak))
        if (variant.uri !== PASSTHROUGH_NAME && !kind.isResampled)
          say(variant.uri, await checkFrames(kind, file, made, variant))
      }
      expect(problems).toEqual([])
      expect(tracks.size).toBe(new Set([...master.variants, ...master.renditions].map(({ uri }) => uri)).size)

      const storyboard = planStoryboard(source.video, timeline.durationSeconds)
      const sheets = await buildStoryboard({ tools, source, timeline, path: file }, storyboard)
      expect(sheets).toHaveLength(storyboard.sheetCount)
      if (kind.showsOrientation) problems.push(...(await checkFirstThumbnail(file, storyboard, sheets[0])))
      expect(problems).toEqual([])
    },
  )

/** Whether the first thumbnail shows the first frame as ffmpeg does. */
async function checkFirstThumbnail(
  file: string,
  { width, height }: Storyboard,
  sheet: Buffer | undefined,
): Promise<string[]> {
  const picture = `${file}.jpg`
  await writeFile(picture, sheet ?? '')
  const first = `[0:V:0]crop=${width}:${height}:0:0,format=yuv420p,${inStep}[a]`
  const wanted = `[1:V:0]trim=end_frame=1,scale=${width}:${height},setsar=1,format=yuv420p,${inStep}[b]`
  const likeness = await worstOf(picture, file, `${first};${wanted}`)
  return likeness > 20 ? [] : [`the first thumbnail is only ${likeness} dB like its source`]
}

/** Whether a track matches the playlists and its segments join. */
async function checkVariant(
  { source, presentation, tracks }: Encoded,
  variant: Variant,
  audioPeak: number,
): Promise<string[]> {
  const { problems, segments, targetSeconds } = checkMedia(mediaPlaylist(presentation, variant.uri) ?? '')
  const track = tracks.get(variant.uri)
  if (!track) return [...problems, 'is not there']
  // If no frame is on the grid, the previous one is shown until the next.
  const isOnGrid = variant.uri !== PASSTHROUGH_NAME && !source.video.isVariableFrameRate
  problems.push(...checkSegments(track, segments, isOnGrid ? 0.6 / variant.frameRate : 0.2))
  const peak = peakSegmentBitrate(sized(track.segments, segments), targetSeconds) + audioPeak
  if (peak > variant.bandwidth) problems.push(`peaks at ${peak}, stated ${variant.bandwidth}`)
  const { width, height } = await streamOf(track.file)
  if (width !== variant.width || height !== variant.height)
    problems.push(`is ${width}x${height}, stated ${variant.width}x${variant.height}`)
  const codec = await codecOf(track.file)
  if (!variant.codecs.includes(codec)) problems.push(`is ${codec}, stated ${variant.codecs.join(' ')}`)
  const times = await shownTimes(track.file)
  if (times.some((time, i) => i > 0 && time <= (times[i - 1] ?? 0))) problems.push('frames are not in order')
  // ffprobe takes durations of remuxed segments from their headers, so gaps cannot be measured
  const gap = variant.uri === PASSTHROUGH_NAME ? undefined : await findGap(track.file)
  if (gap !== undefined) problems.push(`nothing is shown at ${gap}`)
  const most = mostInASecond(times, variant.frameRate)
  if (most > Math.ceil(variant.frameRate))
    problems.push(`${most} frames in a second, stated ${variant.frameRate}`)
  const rate = (times.length - 1) / ((times.at(-1) ?? 0) - (times[0] ?? 0))
  if (variant.frameRate < rate * 0.99) problems.push(`${rate} frames a second, stated ${variant.frameRate}`)
  return problems
}

/** Maximum number of frames that begin within a second, tolerating rounding by half a frame. */
function mostInASecond(times: number[], frameRate: number): number {
  const second = 1 - Math.min(0.5 / frameRate, 0.02)
  return Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + second).length))
}

/** A segment begins with the repeated previous frame if the next one is later than this. */
const REPEATED_BEFORE_SECONDS = 0.24

/**
 * Whether a rendition contains every frame of its source once, in order, in sync, with sufficient PSNR. The only
 * additional frames are those repeated at the start of segments in a gap.
 */
async function checkFrames(
  kind: Kind,
  file: string,
  { presentation: { timeline }, tracks }: Encoded,
  variant: Variant,
): Promise<string[]> {
  const track = tracks.get(variant.uri)
  if (!track) return ['is not there']
  const shown = track.segments.flatMap((bytes) => sampleTimes(bytes).map((pts) => pts / VIDEO_TIMESCALE))
  const [decoded, source] = await Promise.all([shownTimes(track.file), shownTimes(file)])
  if (decoded.length !== shown.length) return [`${decoded.length} of ${shown.length} frames can be decoded`]
  // even if audio precedes it, the first frame is shown from the beginning
  const wanted = source.map((time, i) => (i === 0 ? 0 : time - timeline.zeroSeconds))
  const starts = Array.from({ length: timeline.segmentCount }, (_, index) => segmentStart(timeline, index))
  const repeated: number[] = []
  const problems: string[] = []
  for (const [number, time] of shown.entries()) {
    const next = wanted[number - repeated.length]
    if (next !== undefined && Math.abs(next - time) < 0.0025) continue
    const isAtStart = number > 0 && starts.some((start) => Math.abs(start - time) < 0.0025)
    const gap = (next ?? Number.POSITIVE_INFINITY) - time
    if (!isAtStart || gap < REPEATED_BEFORE_SECONDS)
      return [`a frame is shown at ${time}, the next of the source comes at ${next}`]
    repeated.push(number)
  }
  if (shown.length - repeated.length !== wanted.length)
    return [`${shown.length - repeated.length} frames of ${wanted.length}`]
  if (kind.likeness === null) return problems
  const likeness = await worstLikeness(track.file, file, kind.filter ?? 'null', variant, repeated)
  if (likeness < (kind.likeness ?? 24)) problems.push(`a frame is only ${likeness} dB like its source`)
  const before = repeated.map((number) => number - 1)
  if (repeated.length > 0 && (await likenessWithin(track.file, repeated, before)) < 30)
    problems.push('what a segment begins with is not the picture before it')
  return problems
}

/** Whether an audio track matches the playlists, its segments join, and its beeps are in sync. */
async function checkAudio(
  kind: Kind,
  file: string,
  { presentation, tracks }: Encoded,
  { uri, channels }: Rendition,
): Promise<{ problems: string[]; peak: number }> {
  const { problems, segments, targetSeconds } = checkMedia(mediaPlaylist(presentation, uri) ?? '')
  const track = tracks.get(uri)
  if (!track) return { problems: [...problems, 'is not there'], peak: 0 }
  problems.push(...checkSegments(track, segments, 0.03))
  const stream = await streamOf(track.file)
  if (stream.channels !== channels) problems.push(`${stream.channels} channels, stated ${channels}`)
  if (kind.make.at(-1)?.includes('aevalsrc')) {
    // A file of only audio begins with its first sample, whatever its timestamp was.
    const text = await command(
      'ffprobe',
      '-v error -select_streams a:0 -show_entries stream=start_time -of csv=p=0'.split(' ').concat(file),
    )
    const shift = (Number.parseFloat(text) || 0) - presentation.timeline.zeroSeconds
    const wanted = (await beepTimes(file)).map((time) => time + shift)
    const times = await beepTimes(track.file)
    if (times.length !== wanted.length || wanted.some((time, i) => Math.abs((times[i] ?? 0) - time) > 0.03))
      problems.push(`beeps are at ${times.join(', ')}, not at ${wanted.join(', ')}`)
  }
  return { problems, peak: peakSegmentBitrate(sized(track.segments, segments), targetSeconds) }
}

async function streamOf(file: string): Promise<{ width: number; height: number; channels: number }> {
  const json = await command('ffprobe', ['-v', 'error', '-show_streams', '-of', 'json', file])
  return JSON.parse(json).streams[0]
}

/** The codec of the joined file, for playlists. */
async function codecOf(file: string): Promise<string> {
  const input = new Input({ formats: ALL_FORMATS, source: new FilePathSource(file) })
  try {
    return (await (await input.getPrimaryVideoTrack())?.getCodecParameterString()) ?? 'unknown'
  } finally {
    input.dispose()
  }
}

function sized(segments: Buffer[], listed: { seconds: number }[]) {
  return segments.map((bytes, i) => ({ sizeBytes: bytes.length, seconds: listed[i]?.seconds ?? 0 }))
}

async function make(line: string): Promise<void> {
  await run('ffmpeg', ['-v', 'error', '-y', ...line.replaceAll('@', directory).split(' ')])
}
