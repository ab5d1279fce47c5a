import { expect, test } from 'vitest'
import type { LivePart } from './queries/parts.ts'
import {
  countSegments,
  fileKeyOf,
  livePlaylist,
  mayStream,
  parseLiveFile,
  parseSequence,
  segmentsOfTrack,
  serversOf,
  type ShownParts,
} from './rules.ts'

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
  ...changes,
})
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
  expect(
    ['/a/index.m3u8', '/a/index.m3u8?_HLS_msn=7', '/a?x=1&_HLS_msn=07', '/a?_HLS_msn=-1'].map(parseSequence),
  ).toEqual([undefined, 7, 7, undefined])
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
  expect(['index.m3u8', 'init.mp4', '12.m4s', '012.m4s', 'x.m4s', '1.mp4'].map(parseLiveFile)).toEqual([
    'index',
    'init',
    12,
    undefined,
    undefined,
    undefined,
  ])
})

test('names the addresses for encoders', () => {
  const ports = { rtmpPort: 1935, rtmpsPort: 1936 }
  expect(serversOf({ live: true, publicUrl: 'https://video.example.org/', ...ports }, 'other')).toEqual([
    'rtmps://video.example.org:1936/live',
    'rtmp://video.example.org/live',
  ])
  expect(serversOf({ live: true, rtmpPort: 2000 }, '10.0.0.7')).toEqual(['rtmp://10.0.0.7:2000/live'])
  expect(serversOf({ live: false, rtmpPort: 2000 }, '10.0.0.7')).toEqual([])
})

test('lets roles stream, and those whom an administrator allows', () => {
  expect(mayStream({ role: 'member', isAllowed: false }, 'administrator')).toBe(false)
  expect(mayStream({ role: 'member', isAllowed: true }, 'administrator')).toBe(true)
  expect(mayStream({ role: 'moderator', isAllowed: false }, 'member')).toBe(true)
})
