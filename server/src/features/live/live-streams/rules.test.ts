import { expect, test } from 'vitest'
import type { LivePart } from './queries/parts.ts'
import { livePlaylist, mayStream, parseLiveFile, segmentsOfTrack, serversOf } from './rules.ts'

const part = (number: number, changes: Partial<LivePart> = {}): LivePart => ({
  part: number,
  startMicros: number * 2e6,
  endMicros: (number + 1) * 2e6,
  audioStartMicros: number * 2e6,
  audioEndMicros: (number + 1) * 2e6,
  position: 1000 + number * 300,
  videoBytes: 200,
  audioBytes: 100,
  receivedAt: new Date('2026-05-02T08:15:32.000Z'),
  isResumed: false,
  ...changes,
})

test('lists what exists by now, and the end once there is one', () => {
  const parts = [part(0), part(1), part(2, { isResumed: true })]
  const playlist = livePlaylist(parts, 'source', false)
  expect(playlist).toContain('#EXT-X-PLAYLIST-TYPE:EVENT\n')
  expect(playlist).toContain('#EXT-X-TARGETDURATION:2\n')
  expect(playlist).toContain('#EXTINF:2.000000,\n2.m4s\n')
  // the first frame of the part that arrived at :32 is two seconds older
  expect(playlist).toContain('#EXT-X-PROGRAM-DATE-TIME:2026-05-02T08:15:30.000Z\n#EXTINF:2.000000,\n0.m4s')
  expect(playlist.split('#EXT-X-PROGRAM-DATE-TIME')).toHaveLength(3)
  expect(playlist).not.toContain('#EXT-X-ENDLIST')
  expect(livePlaylist(parts, 'source', true)).toContain('#EXT-X-ENDLIST')
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
