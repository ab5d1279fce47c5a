import type { LiveEndReason } from '@kinora/contract/live/live-streams.ts'
import { expect, test } from 'vitest'
import type { LiveChunk } from '../queries/chunks.ts'
import type { LivePart } from '../queries/parts.ts'
import {
  countSegments,
  hasReached,
  isFarAhead,
  livePlaylist,
  lowLatencyPlaylist,
  parseDirectives,
  type ShownParts,
  writeParts,
} from './playlists.ts'
import { fileKeyOf, isRefusalNew, mayStream, serversOf } from './streams.ts'
import { parseLiveFile, segmentsOfTrack } from './tracks.ts'

const part = (number: number, changes: Partial<LivePart> = {}): LivePart => ({
  part: number,
  startMicros: number * 2e6,
  endMicros: (number + 1) * 2e6,
  audioStartMicros: number * 2e6,
  audioEndMicros: (number + 1) * 2e6,
  file: 0,
  position: 1000 + number * 300,
  videoBytes: 200,
  audioBytes: 100,
  receivedAt: new Date('2026-05-02T08:15:32.000Z'),
  isResumed: false,
  ...changes,
})

const shown = (parts: LivePart[], changes: Partial<ShownParts> = {}): ShownParts => ({
  parts,
  endedAt: null,
  keepsRecording: true,
  droppedParts: 0,
  droppedSounds: 0,
  sounds: parts.filter(({ audioBytes }) => audioBytes > 0).length,
  chunks: [],
  ...changes,
})

/** The first chunks of a part, of half a second each. */
const chunksOf = (number: number, count = 4): LiveChunk[] =>
  Array.from({ length: count }, (_, chunk) => ({
    part: number,
    chunk,
    startMicros: number * 2e6 + chunk * 0.5e6,
    endMicros: number * 2e6 + (chunk + 1) * 0.5e6,
    audioStartMicros: number * 2e6 + chunk * 0.5e6,
    audioEndMicros: number * 2e6 + (chunk + 1) * 0.5e6,
    receivedAt: new Date('2026-05-02T08:15:32.000Z'),
    hasAudio: true,
  }))
const endedAt = new Date('2026-05-02T08:16:00.000Z')

test('lists what exists by now, and the end once there is one', () => {
  const parts = [part(0), part(1), part(2, { isResumed: true })]
  const playlist = livePlaylist(shown(parts), 'source')
  expect(playlist).toContain('#EXT-X-PLAYLIST-TYPE:EVENT\n')
  expect(playlist).toContain('#EXT-X-MEDIA-SEQUENCE:0\n')
  // two parts and half a second behind the end
  expect(playlist).toContain('#EXT-X-START:TIME-OFFSET=-4.500\n')
  expect(playlist).toContain('#EXTINF:2.000000,\n2.m4s\n')
  // the first frame of the part that arrived at :32 is two seconds older
  expect(playlist).toContain('#EXT-X-PROGRAM-DATE-TIME:2026-05-02T08:15:30.000Z\n#EXTINF:2.000000,\n0.m4s')
  expect(playlist.split('#EXT-X-PROGRAM-DATE-TIME')).toHaveLength(3)
  expect(playlist).not.toContain('#EXT-X-ENDLIST')
  const ended = livePlaylist(shown(parts, { endedAt }), 'source')
  expect(ended).toContain('#EXT-X-PLAYLIST-TYPE:VOD\n')
  expect(ended).toContain('#EXT-X-ENDLIST')
  expect(ended).not.toContain('#EXT-X-START')
})

test('promises the same target duration from the first part to the last, however long they are', () => {
  const longer = part(1, { endMicros: 12.4e6, audioEndMicros: 12.4e6 })
  const targets = [[], [part(0)], [part(0), longer]].map(
    (parts) => /TARGETDURATION:\d+/.exec(livePlaylist(shown(parts), 'source'))?.[0],
  )
  expect(targets).toEqual(['TARGETDURATION:12', 'TARGETDURATION:12', 'TARGETDURATION:12'])
})

test('lists the window of a stream that keeps nothing, by the numbers that its parts always had', () => {
  const window = shown([part(5, { file: 1 }), part(6, { file: 1 })], {
    keepsRecording: false,
    droppedParts: 5,
    droppedSounds: 3,
  })
  const playlist = livePlaylist(window, 'source')
  expect(playlist).toContain('#EXT-X-MEDIA-SEQUENCE:5\n')
  expect(playlist).not.toContain('#EXT-X-PLAYLIST-TYPE')
  expect(playlist).toContain('\n5.m4s\n')
  expect(livePlaylist(window, 'audio-0')).toContain('#EXT-X-MEDIA-SEQUENCE:3\n')
  expect([countSegments(window, 'source'), countSegments(window, 'audio-0')]).toEqual([7, 5])
})

test('names the files of a recording, and the segment for which a player waits', () => {
  expect([fileKeyOf('live/a/b', 0), fileKeyOf('live/a/b', 12)]).toEqual(['live/a/b', 'live/a/b_12'])
})

test('reads what a player waits for', () => {
  const nothing = { sequence: undefined, chunk: undefined, isDelta: false }
  expect(parseDirectives('/a/index.m3u8')).toEqual(nothing)
  expect(parseDirectives('/a?x=1&_HLS_msn=07')).toEqual({ ...nothing, sequence: 7 })
  expect(parseDirectives('/a?_HLS_msn=-1')).toEqual(nothing)
  expect(parseDirectives('/a?_HLS_msn=7&_HLS_part=2&_HLS_skip=YES')).toEqual({
    sequence: 7,
    chunk: 2,
    isDelta: true,
  })
})

/** The low-latency playlist of a track, without its head. */
function linesOf(stream: ShownParts, track = 'source', isDelta = false): string[] {
  const written = writeParts(stream, track, undefined, Math.max(0, stream.parts.length - 2))
  const text = lowLatencyPlaylist(stream, track, written, { isDelta }) ?? ''
  return text.split('MAP:URI="init.mp4"\n')[1]?.split('#EXT-X-PRELOAD-HINT')[0]?.trim().split('\n') ?? []
}

test('lists the chunks of the last parts, and of the next one', () => {
  const chunks = [...chunksOf(0), ...chunksOf(1), ...chunksOf(2), ...chunksOf(3, 2)]
  const stream = shown([part(0), part(1), part(2)], { chunks })
  const lines = linesOf(stream)
  // of a part that is further behind, none
  expect(lines.slice(0, 4)).toEqual([
    '#EXT-X-PROGRAM-DATE-TIME:2026-05-02T08:15:30.000Z',
    '#EXTINF:2.000000,',
    '0.m4s',
    '#EXT-X-PART:DURATION=0.500000,URI="1.0.m4s",INDEPENDENT=YES',
  ])
  expect(lines.slice(-5)).toEqual([
    '#EXT-X-PART:DURATION=0.500000,URI="2.3.m4s"',
    '#EXTINF:2.000000,',
    '2.m4s',
    '#EXT-X-PART:DURATION=0.500000,URI="3.0.m4s",INDEPENDENT=YES',
    '#EXT-X-PART:DURATION=0.500000,URI="3.1.m4s"',
  ])
  expect(linesOf(stream, 'audio-0').at(-1)).toContain('URI="3.1.m4s",INDEPENDENT=YES')
  const text = lowLatencyPlaylist(stream, 'source', writeParts(stream, 'source', undefined, 1), {
    isDelta: false,
  })
  expect(text).toContain(
    '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=72,PART-HOLD-BACK=1.500\n',
  )
  expect(text).toMatch(/\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI="3\.2\.m4s"\n$/)
  expect(text).toContain('#EXT-X-PART-INF:PART-TARGET=0.500\n#EXT-X-START:TIME-OFFSET=-1.500\n')
})

test('lists no chunks of a part that lacks one, and nothing where there are none', () => {
  const parts = [part(0), part(1), part(2)]
  const lacking = chunksOf(2).filter(({ chunk }) => chunk !== 1)
  const files = linesOf(shown(parts, { chunks: [...chunksOf(1), ...lacking] })).filter((line) =>
    line.includes('.m4s'),
  )
  expect(files).toHaveLength(7)
  expect(files.some((line) => line.includes('"2.'))).toBe(false)
  const silent = chunksOf(3, 2).map((chunk) => ({ ...chunk, hasAudio: chunk.chunk > 0 }))
  expect(linesOf(shown(parts, { chunks: silent }), 'audio-0').at(-1)).toContain('"3.1.m4s"')
  expect(linesOf(shown(parts))).toEqual([])
})

test('leaves out old segments for players that know them', () => {
  const parts = Array.from({ length: 60 }, (_, i) => part(i, i === 10 ? { audioBytes: 0 } : {}))
  const stream = shown(parts, { chunks: chunksOf(60, 1) })
  // the last 36 parts are 72 seconds
  expect(linesOf(stream, 'source', true).slice(0, 3)).toEqual([
    '#EXT-X-SKIP:SKIPPED-SEGMENTS=24',
    '#EXTINF:2.000000,',
    '24.m4s',
  ])
  expect(linesOf(stream, 'audio-0', true)[0]).toBe('#EXT-X-SKIP:SKIPPED-SEGMENTS=23')
  expect(linesOf(shown(parts.slice(0, 9), { chunks: chunksOf(9, 1) }), 'source', true)[2]).toBe('0.m4s')
})

test('knows what a player waits for, and what is too far ahead', () => {
  const stream = shown([part(0), part(1)], { chunks: chunksOf(2, 2) })
  const reached = (sequence: number, chunk?: number) => hasReached(stream, 'source', { sequence, chunk })
  expect([reached(1), reached(2), reached(1, 9), reached(2, 1), reached(2, 2)]).toEqual([
    true,
    false,
    true,
    true,
    false,
  ])
  // no part has a chunk after its last one
  const complete = shown([part(0), part(1)], { chunks: chunksOf(1) })
  const completeReached = (chunk: number) => hasReached(complete, 'source', { sequence: 1, chunk })
  expect([completeReached(3), completeReached(4)]).toEqual([true, false])
  expect(
    hasReached({ ...complete, chunks: [...chunksOf(1), ...chunksOf(2, 1)] }, 'audio-0', {
      sequence: 1,
      chunk: 4,
    }),
  ).toBe(true)
  // the newest part is silent: the sound after the last segment with sound is awaited
  const silent = shown([part(0), part(1, { audioBytes: 0 })], { chunks: [...chunksOf(0), ...chunksOf(2, 1)] })
  const soundReached = (each: ShownParts, chunk: number) =>
    hasReached(each, 'audio-0', { sequence: 0, chunk })
  expect([soundReached(silent, 3), soundReached(silent, 4)]).toEqual([true, true])
  expect([3, 4].map((chunk) => soundReached({ ...silent, chunks: chunksOf(0) }, chunk))).toEqual([
    true,
    false,
  ])
  const far = (sequence: number, chunk?: number) => isFarAhead(stream, 'source', { sequence, chunk })
  expect([far(2), far(4), far(5), far(2, 7), far(2, 8)]).toEqual([false, false, true, false, true])
  expect(hasReached(stream, '480', { sequence: 1, chunk: 0 })).toBe(false)
})

test('finds the bytes of a segment, and leaves out parts without sound', () => {
  const parts = [part(0), part(1, { audioBytes: 0 }), part(2)]
  expect(segmentsOfTrack(parts, 'source').map(({ position, bytes }) => [position, bytes])).toEqual([
    [1000, 200],
    [1300, 200],
    [1600, 200],
  ])
  expect(segmentsOfTrack(parts, 'audio-0').map((each) => [each.part, each.position, each.bytes])).toEqual([
    [0, 1200, 100],
    [2, 1800, 100],
  ])
})

test('knows the files of a track', () => {
  expect(['index.m3u8', 'low-latency.m3u8', 'init.mp4', '12.m4s', '12.3.m4s'].map(parseLiveFile)).toEqual([
    'index',
    'low-latency',
    'init',
    12,
    { part: 12, chunk: 3 },
  ])
  expect(['012.m4s', '1.02.m4s', '1.2.3.m4s', 'x.m4s', '1.mp4'].map(parseLiveFile)).toEqual(
    Array.from({ length: 5 }),
  )
})

test('names the addresses for encoders', () => {
  const ports = { rtmpPort: 1935, rtmpsPort: 1936 }
  expect(serversOf({ live: true, publicUrl: 'https://video.example.org/', ...ports }, 'other')).toEqual([
    'rtmps://video.example.org:1936/live',
    'rtmp://video.example.org/live',
  ])
  const elsewhere = { publicUrl: 'https://video.example.org', rtmpPublicHost: 'live.example.org' }
  expect(serversOf({ live: true, ...elsewhere, rtmpPort: 1935 }, 'other')).toEqual([
    'rtmp://live.example.org/live',
  ])
  expect(serversOf({ live: true, rtmpPort: 2000 }, '10.0.0.7')).toEqual(['rtmp://10.0.0.7:2000/live'])
  expect(serversOf({ live: false, rtmpPort: 2000 }, '10.0.0.7')).toEqual([])
})

test('shows why an encoder was refused while that is news', () => {
  const at = new Date('2026-05-02T08:15:00.000Z')
  const isNew = (reason: LiveEndReason, seconds: number, isRunning: boolean) =>
    isRefusalNew({ reason, at }, { isRunning, now: new Date(at.getTime() + seconds * 1000) })
  expect([isNew('unsupported_audio', 599, false), isNew('unsupported_audio', 600, false)]).toEqual([
    true,
    false,
  ])
  // its encoder is accepted again after a minute
  expect([isNew('ended_by_owner', 59, false), isNew('ended_by_owner', 60, false)]).toEqual([true, false])
  expect([59, 60].map((seconds) => isNew('streams_of_account', seconds, true))).toEqual([true, false])
  expect(isNew('streams_of_account', 1, false)).toBe(false)
})

test('lets roles stream, and those whom an administrator allows', () => {
  expect(mayStream({ role: 'member', isAllowed: false }, 'administrator')).toBe(false)
  expect(mayStream({ role: 'member', isAllowed: true }, 'administrator')).toBe(true)
  expect(mayStream({ role: 'moderator', isAllowed: false }, 'member')).toBe(true)
})
