import { expect, test } from 'vitest'
import { parseAv1Offer } from './av1-playlist.ts'

const playlistUrl = 'https://kinora.example/media/videos/a/master.m3u8'

test('parseAv1Offer returns the playlist of a link and its largest rendition', () => {
  const link =
    '<av1.m3u8>; rel="alternate"; codecs="av01.0.08M.08"; width=1920; height=1080; framerate=23.976; bitrate=900000'
  expect(parseAv1Offer(link, playlistUrl)).toEqual({
    url: 'https://kinora.example/media/videos/a/av1.m3u8',
    codecs: 'av01.0.08M.08',
    width: 1920,
    height: 1080,
    framerate: 23.976,
    bitrate: 900_000,
  })
})

test.each([null, '', 'av1.m3u8'])('parseAv1Offer returns nothing for %j', (link) => {
  expect(parseAv1Offer(link, playlistUrl)).toBeUndefined()
})
