import { expect, test } from 'vitest'
import { parseMediaPlaylist } from './prefetch-rendition.ts'

test('parseMediaPlaylist returns the init segment and the segments with their time ranges', () => {
  const text = `#EXTM3U
#EXT-X-TARGETDURATION:4
#EXT-X-MAP:URI="init.mp4"
#EXTINF:4.004000,
0.m4s
#EXTINF:2.500000,
1.m4s
#EXT-X-ENDLIST
`
  const folder = 'https://kinora.example/media/videos/a/3/240'
  expect(parseMediaPlaylist(text, `${folder}/index.m3u8`)).toEqual([
    { url: `${folder}/init.mp4`, fromSeconds: 0, toSeconds: Infinity },
    { url: `${folder}/0.m4s`, fromSeconds: 0, toSeconds: 4.004 },
    { url: `${folder}/1.m4s`, fromSeconds: 4.004, toSeconds: 6.504 },
  ])
})
