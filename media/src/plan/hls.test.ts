import { expect, test } from 'vitest'
import {
  audioName,
  av1Playlist,
  durationsOf,
  masterPlaylist,
  mediaPlaylist,
  planPresentation,
  PASSTHROUGH_NAME,
} from './hls.ts'
import { clipRanges, cutParts } from './cut.ts'
import { addGap, endSourceAt } from '../damage/source-damage.ts'
import type { AudioInfo, SourceInfo, VideoInfo } from '../source/source-info.ts'
import { cutSeconds, segmentStart } from './timeline.ts'

const file: VideoInfo = {
  codec: 'h264',
  profile: 'High',
  codecString: 'avc1.64001f',
  codedWidth: 1280,
  codedHeight: 720,
  displayWidth: 1280,
  displayHeight: 720,
  rotation: 0,
  hasSquarePixels: true,
  frameRate: { num: 24_000, den: 1001 },
  isVariableFrameRate: false,
  pixelFormat: 'yuv420p',
  bitDepth: 8,
  isFullRange: false,
  colorSpace: null,
  colorPrimaries: null,
  colorTransfer: null,
  isHdr: false,
  isInterlaced: false,
  startSeconds: 0,
  endSeconds: 20,
}
const audioTrack: AudioInfo = {
  position: 0,
  codec: 'aac',
  codecString: 'mp4a.40.2',
  channels: 2,
  sampleRate: 48_000,
  language: null,
  isDefault: true,
  startSeconds: 0,
  endSeconds: 20,
}

function source(video: Partial<VideoInfo> = {}, audio: Partial<AudioInfo>[] = [{}]): SourceInfo {
  return {
    container: 'mp4',
    sizeBytes: 5_000_000,
    durationSeconds: 20,
    video: { ...file, ...video },
    audio: audio.map((track, position) => ({ ...audioTrack, position, ...track })),
    index: {
      cutsMicros: [0, 4_000_000, 9_000_000, 13_000_000, 17_000_000],
      longestGapSeconds: 5,
      peakBitrate: 2_000_000,
    },
    isBrokenOff: false,
  }
}

const names = (info: SourceInfo) => planPresentation(info).renditions.map((rendition) => rendition.name)
const sizes = (info: SourceInfo) =>
  planPresentation(info).renditions.map((rendition) => `${rendition.width}x${rendition.height}`)

test("plans no rendition above the source, and passthrough instead of the source's own size", () => {
  expect(names(source())).toEqual(['144', '240', '360', '480'])
  expect(planPresentation(source()).passthrough).toMatchObject({ width: 1280, height: 720 })
  expect(names(source({ codec: 'hevc' }))).toEqual(['144', '240', '360', '480', '720'])
  expect(planPresentation(source({ codec: 'hevc' })).passthrough).toBeNull()
})

test.each<[string, Partial<VideoInfo>, string[]]>([
  ['the size of the source too', {}, ['av1-144', 'av1-240', 'av1-360', 'av1-480', 'av1-720']],
  [
    'sizes between those of the ladder',
    { displayWidth: 1422, displayHeight: 801 },
    ['av1-144', 'av1-240', 'av1-360', 'av1-480', 'av1-720', 'av1-800'],
  ],
  ['one rendition of a small source', { displayWidth: 176, displayHeight: 144 }, ['av1-144']],
  ['nothing of a source above 1080 lines', { displayWidth: 2560, displayHeight: 1440 }, []],
  ['nothing that SVT-AV1 cannot encode', { displayWidth: 96, displayHeight: 54 }, []],
])('the AV1 ladder has %s', (_, video, expected) => {
  expect(planPresentation(source(video)).av1.map(({ name }) => name)).toEqual(expected)
})

test.each([
  [1280, 720, 24, 'av01.0.05M.08'],
  [1920, 1080, 30, 'av01.0.08M.08'],
  [1080, 1920, 60, 'av01.0.09M.08'],
  [4800, 1080, 24, 'av01.0.12M.08'],
])('states the level of %ix%i at %i frames per second in AV1', (displayWidth, displayHeight, num, codecs) => {
  const { av1 } = planPresentation(source({ displayWidth, displayHeight, frameRate: { num, den: 1 } }))
  expect(av1.at(-1)?.codecs).toBe(codecs)
})

test('AV1 has a playlist of its own, with the audio groups of the ordinary one', () => {
  const presentation = planPresentation(source())
  const ordinary = masterPlaylist(presentation, (name) => name)
  const av1 = av1Playlist(presentation, (name) => name)
  expect(ordinary).not.toContain('av01')
  expect(av1).not.toContain('avc1')
  expect(av1.match(/^av1-\d+$/gm)).toHaveLength(10)
  const audio = (text: string) => text.match(/^#EXT-X-MEDIA.*$/gm)
  expect(audio(av1)).toEqual(audio(ordinary))
  expect(mediaPlaylist(presentation, 'av1-480')).toBe(mediaPlaylist(presentation, '480'))
})

test('gives renditions that are small compared with the source the slower preset', () => {
  const presets = (codedWidth: number, codedHeight: number) => {
    const sized = { codedWidth, codedHeight, displayWidth: codedWidth, displayHeight: codedHeight }
    const slower = planPresentation(source(sized)).renditions.filter(({ preset }) => preset === 'faster')
    return slower.map(({ name }) => name)
  }
  expect(presets(1920, 1080)).toEqual(['144', '240'])
  expect(presets(1080, 1920)).toEqual(['144', '240'])
  expect(presets(1280, 720)).toEqual(['144'])
  expect(presets(640, 360)).toEqual([])
})

test('a damaged source is never remuxed, and cuts inside its gaps are dropped', () => {
  const damaged = addGap(source(), { fromSeconds: 8.5, toSeconds: 13 })
  const { passthrough, audio, renditions } = planPresentation(damaged)
  expect(passthrough).toBeNull()
  expect(audio).toMatchObject([
    { isCopied: false, isLowBitrate: false },
    { isCopied: false, isLowBitrate: true },
  ])
  expect(renditions.at(-1)?.name).toBe('720')
  expect(damaged.index.cutsMicros).toEqual([0, 4_000_000, 13_000_000, 17_000_000])
  const earlier = addGap(damaged, { fromSeconds: 3, toSeconds: 4 })
  expect(earlier.videoGaps?.map(({ fromSeconds }) => fromSeconds)).toEqual([3, 8.5])
})

test('offers at most 150 kbit/s of video to a slow connection, if the source has 360 lines', () => {
  const [lowest] = planPresentation(source()).renditions
  expect(lowest).toMatchObject({ name: '144', width: 256, height: 144 })
  expect(lowest?.bandwidth).toBeLessThanOrEqual(150_000)
  expect(names(source({ codec: 'hevc', displayWidth: 568, displayHeight: 320 }))).toEqual(['240'])
})

test('sizes portrait videos by their short side and keeps the aspect ratio', () => {
  expect(sizes(source({ codec: 'hevc', displayWidth: 1080, displayHeight: 1920, rotation: 90 }))).toEqual([
    '144x256',
    '240x426',
    '360x640',
    '480x854',
    '720x1280',
    '1080x1920',
  ])
})

test('a video smaller than the lowest rendition gets one rendition of its own size, made even', () => {
  expect(sizes(source({ codec: 'vp8', displayWidth: 177, displayHeight: 101 }))).toEqual(['176x100'])
})

test.each<[string, Partial<VideoInfo>]>([
  ['rotated', { rotation: 90 }],
  ['anamorphic', { hasSquarePixels: false }],
  ['interlaced', { isInterlaced: true }],
  ['HDR', { isHdr: true }],
  ['10 bit', { pixelFormat: 'yuv420p10le' }],
  ['4:4:4', { pixelFormat: 'yuv444p', profile: 'High 4:4:4 Predictive' }],
  ['MPEG-4', { codec: 'mpeg4', codecString: null }],
])('has no passthrough rendition for a source that is %s', (_, video) => {
  expect(planPresentation(source(video)).passthrough).toBeNull()
})

test('has no passthrough rendition if keyframes are far apart', () => {
  const info = source()
  info.index.longestGapSeconds = 40
  expect(planPresentation(info).passthrough).toBeNull()
  expect(names(info)).toContain('720')
})

test('the segment grid consists of whole frames, and cuts are between frames', () => {
  const { timeline } = planPresentation(source())
  expect(timeline.framesPerSegment).toBe(96)
  expect(timeline.segmentCount).toBe(5)
  expect(segmentStart(timeline, 2)).toBeCloseTo((192 * 1001) / 24_000, 9)
  expect(cutSeconds(timeline, 2)).toBeCloseTo((191.5 * 1001) / 24_000, 9)
  expect(segmentStart(timeline, 5)).toBe(20)
})

test('caps the frame rate at 60', () => {
  const { timeline } = planPresentation(source({ frameRate: { num: 120, den: 1 } }))
  expect(timeline.frameRate).toEqual({ num: 60, den: 1 })
  expect(timeline.framesPerSegment).toBe(240)
})

test('the clock starts with the video, or with audio that precedes it audibly', () => {
  const late = source({ startSeconds: 1.5 })
  expect(planPresentation(late).timeline.zeroSeconds).toBe(0)
  const primed = source({ startSeconds: 0.02 }, [{ startSeconds: -0.021 }])
  expect(planPresentation(primed).timeline.zeroSeconds).toBe(0.02)
})

test('shows the last frame while audio continues', () => {
  const { timeline } = planPresentation(source({ endSeconds: 10 }))
  expect(timeline).toMatchObject({ extendsLastFrame: true, durationSeconds: 20, segmentCount: 5 })
})

test('every playlist has the duration of the presentation', () => {
  const presentation = planPresentation(source())
  for (const name of ['240', PASSTHROUGH_NAME]) {
    const total = durationsOf(presentation, name)?.reduce((sum, duration) => sum + duration, 0)
    expect(total).toBeCloseTo(20, 5)
  }
  expect(durationsOf(presentation, '1080')).toBeUndefined()
})

test('remuxes AAC and encodes other audio codecs', () => {
  expect(planPresentation(source()).audio[0]).toMatchObject({ isCopied: true, channels: 2 })
  expect(planPresentation(source({}, [{ codec: 'opus' }])).audio[0]).toMatchObject({ isCopied: false })
  expect(planPresentation(source({}, [{ channels: 6 }])).audio[0]).toMatchObject({
    isCopied: false,
    channels: 2,
  })
  expect(planPresentation(source({}, [{ endSeconds: 3 }])).audio[0]).toMatchObject({
    isCopied: false,
    segmentCount: 5,
  })
})

test('writes a multivariant playlist with an audio group', () => {
  const text = masterPlaylist(
    planPresentation(source({}, [{ language: 'en' }, { language: 'ger', isDefault: false }])),
    (name) => `1/${name}/index.m3u8`,
  )
  expect(text).toContain(
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="1/audio-0/index.m3u8"',
  )
  expect(text).toContain('NAME="German",LANGUAGE="de",DEFAULT=NO')
  expect(text.match(/#EXT-X-STREAM-INF:.*AUDIO="audio"/g)).toHaveLength(5)
  expect(text).toContain('CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=23.976')
})

test('states measured bitrates of video and audio, else estimates below the peak', () => {
  const presentation = planPresentation(source())
  const bitrates = (text: string) =>
    Array.from(text.matchAll(/:BANDWIDTH=(\d+),AVERAGE-BANDWIDTH=(\d+).*RESOLUTION=\d+x(\d+)/g), (match) =>
      match.slice(1).map(Number),
    )
  for (const sizeBytes of [10_000, 5_000_000, 500_000_000]) {
    const estimated = bitrates(masterPlaylist(planPresentation({ ...source(), sizeBytes }), (name) => name))
    expect(estimated.length).toBeGreaterThan(3)
    expect(estimated.filter(([peak = 0, average = 0]) => average > peak)).toEqual([])
  }
  const measured = masterPlaylist(presentation, (name) => name, {
    '240': { peakBps: 200_000, averageBps: 100_000 },
    'audio-0': { peakBps: 130_000, averageBps: 128_000 },
    source: { peakBps: 2_000_000, averageBps: 1_000_000 },
  })
  expect(bitrates(measured)).toContainEqual([330_000, 228_000, 240])
  expect(bitrates(measured)).toContainEqual([2_130_000, 1_128_000, 720])
})

test('estimates fewer bits for a source that needs few', () => {
  const averageOf = (sizeBytes: number) =>
    planPresentation({ ...source(), sizeBytes }).renditions.map(({ averageBandwidth }) => averageBandwidth)
  const [still, moving] = [averageOf(1_000_000), averageOf(50_000_000)]
  expect(still.every((average, index) => average < (moving[index] ?? 0))).toBe(true)
  expect(moving).toEqual(moving.toSorted((a, b) => a - b))
})

test('offers at most 150 kbit/s in total to slow connections, and every rendition with each audio group', () => {
  const tracks = [{ language: 'en' }, { language: 'ger', isDefault: false }]
  const text = masterPlaylist(planPresentation(source({}, tracks)), (name) => name)
  const variantsOf = (group: string) =>
    Array.from(text.matchAll(/BANDWIDTH=(\d+),AVERAGE.*AUDIO="(.*)".*\n(.*)/g))
      .filter((match) => match[2] === group)
      .map(([, bandwidth, , name]) => ({ name, bandwidth: Number(bandwidth) }))
  const [full, low] = [variantsOf('audio'), variantsOf('audio-low')]
  expect(low.map(({ name }) => name)).toEqual(full.map(({ name }) => name))
  expect(low.find(({ name }) => name === '144')?.bandwidth).toBeLessThan(190_000)
  const average = /AVERAGE-BANDWIDTH=(\d+),.*RESOLUTION=256x144,.*AUDIO="audio-low"/.exec(text)?.[1]
  expect(Number(average)).toBeLessThanOrEqual(150_000)
  expect(text).toMatch(/GROUP-ID="audio-low",NAME="English",.*DEFAULT=YES.*URI="audio-0-low"/)
  expect(text).toMatch(/GROUP-ID="audio-low",NAME="German",.*DEFAULT=NO.*URI="audio-1-low"/)
})

test('offers one audio group for a source of less than 360 lines', () => {
  const small = planPresentation(source({ displayWidth: 568, displayHeight: 320 }))
  expect(small.audio).toMatchObject([{ isLowBitrate: false }])
  expect(masterPlaylist(small, (name) => name)).not.toContain('audio-low')
})

test('omits a frame rate that three decimals would round to zero', () => {
  const hourApart = source({ frameRate: { num: 1, den: 3600 } })
  expect(masterPlaylist(planPresentation(hourApart), (name) => name)).not.toContain('FRAME-RATE')
  const slideshow = source({ frameRate: { num: 1, den: 1000 } })
  expect(masterPlaylist(planPresentation(slideshow), (name) => name)).toContain('FRAME-RATE=0.001')
})

test('lists the passthrough rendition first, unless its bitrate is high', () => {
  const first = (info: SourceInfo) =>
    masterPlaylist(planPresentation(info), (name) => name)
      .split('\n')
      .find((line) => line !== '' && !line.startsWith('#'))
  expect(first(source())).toBe(PASSTHROUGH_NAME)
  expect(first(source({ codec: 'vp9', profile: 'Profile 0', codecString: 'vp09.00.31.08' }))).toBe('480')
  const heavy = source()
  heavy.index.peakBitrate = 20_000_000
  expect(first(heavy)).toBe('480')
})

test('a video without audio has no audio group', () => {
  const text = masterPlaylist(planPresentation(source({}, [])), (name) => name)
  expect(text).not.toContain('AUDIO')
  expect(text).not.toContain('mp4a')
})

test('writes media playlists that conform to RFC 8216', () => {
  const presentation = planPresentation(source())
  for (const name of ['240', PASSTHROUGH_NAME, 'audio-0']) {
    const lines = mediaPlaylist(presentation, name)?.split('\n') ?? []
    expect(lines[0]).toBe('#EXTM3U')
    expect(lines).toContain('#EXT-X-MAP:URI="init.mp4"')
    expect(lines.at(-2)).toBe('#EXT-X-ENDLIST')
    const target = Number(lines.find((line) => line.startsWith('#EXT-X-TARGETDURATION'))?.split(':')[1])
    const durations = lines
      .filter((line) => line.startsWith('#EXTINF'))
      .map((line) => Number.parseFloat(line.slice(8)))
    expect(durations).toHaveLength(5)
    for (const duration of durations) expect(Math.round(duration)).toBeLessThanOrEqual(target)
  }
})

test('has no passthrough rendition if a segment would exceed 16 MB', () => {
  const dense = (peakBitrate: number) => {
    const info = source({ displayWidth: 3840, displayHeight: 2160 })
    return { ...info, index: { ...info.index, peakBitrate } }
  }
  const offered = planPresentation(dense(26_000_000))
  expect([offered.passthrough?.bandwidth, offered.renditions.at(-1)?.name]).toEqual([
    expect.any(Number),
    '2160',
  ])
  const tooDense = planPresentation(dense(27_000_000))
  expect([tooDense.passthrough, tooDense.renditions.at(-1)?.name]).toEqual([null, '2160'])
})

test('counts bytes that are no frames in the bandwidth, but not in the size of segments', () => {
  const sizeBytes = 500_000_000
  const { passthrough } = planPresentation({ ...source({}), sizeBytes })
  expect(passthrough?.bandwidth).toBeGreaterThan((sizeBytes * 8) / 20)
})

test('a cut stays within a file that turns out to be truncated, and shows nothing that was removed', () => {
  const range = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds })
  const { timeline } = planPresentation(source())
  const after = planPresentation(endSourceAt(source(), 12))
  const clip = (...keep: ReturnType<typeof range>[]) => clipRanges(timeline, after.timeline, keep)
  const endSeconds = after.timeline.durationSeconds
  const [kept, ...others] = clip(range(0, 5), range(15, 18)) ?? []
  expect(others).toEqual([])
  expect(kept?.endSeconds).toBeCloseTo(5, 1)
  expect(clip(range(0, 5), range(8, 18))?.at(-1)?.endSeconds).toBe(endSeconds)
  // at least a frame, and not all of what was removed
  const [frame] = clip(range(15, 18)) ?? []
  expect([(frame?.startSeconds ?? 0) > endSeconds - 0.1, frame?.endSeconds]).toEqual([true, endSeconds])
  // as a request may still have it
  for (const name of [PASSTHROUGH_NAME, '144', ...after.audio.map(audioName)]) {
    const parts = cutParts(after, [range(0, 5), range(8, 18), range(19, 20)], name)
    expect([name, parts?.length]).toEqual([name, 2])
  }
})
