import { expect, test } from 'vitest'
import { filesToBeginWith, playlistsToBeginWith } from './preload-stream.ts'

const master = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="German",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="2",URI="1/audio-1/index.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="English",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="1/audio-0/index.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=1700000,CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=854x480,AUDIO="audio"
1/source/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=600000,CODECS="avc1.64000d,mp4a.40.2",RESOLUTION=426x240,AUDIO="audio"
1/240/index.m3u8
`

test('a stream begins with the rung that is listed first, and with the sound that is meant for everybody', () => {
  expect(playlistsToBeginWith(master, undefined)).toEqual(['1/source/index.m3u8', '1/audio-0/index.m3u8'])
  expect(playlistsToBeginWith(master, 5_000_000)).toEqual(['1/source/index.m3u8', '1/audio-0/index.m3u8'])
})

test('on a slow network it begins with what the player would choose', () => {
  expect(playlistsToBeginWith(master, 1_000_000)).toEqual(['1/240/index.m3u8', '1/audio-0/index.m3u8'])
})

test('a silent film has no playlist of sound', () => {
  const silent = master.replaceAll(/^#EXT-X-MEDIA:.*\n/gm, '')
  expect(playlistsToBeginWith(silent, undefined)).toEqual(['1/source/index.m3u8'])
  expect(playlistsToBeginWith('not a playlist', undefined)).toEqual([])
})

test('a rung begins with its header and its first segment', () => {
  const playlist = '#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:4.000000,\n0.m4s\n#EXTINF:4.000000,\n1.m4s\n'
  expect(filesToBeginWith(playlist)).toEqual(['init.mp4', '0.m4s'])
})
