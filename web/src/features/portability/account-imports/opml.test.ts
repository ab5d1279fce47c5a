import { expect, test } from 'vitest'
import { opmlOf } from './opml.ts'

test('names the feed of a YouTube channel, and escapes names', () => {
  const text = opmlOf([{ name: 'Sea & "Ice" <b>\u0001', address: 'https://www.youtube.com/channel/UCsea' }])
  expect(text).toContain('text="Sea &amp; &quot;Ice&quot; &lt;b>"')
  expect(text).toContain('xmlUrl="https://www.youtube.com/feeds/videos.xml?channel_id=UCsea"')
})
