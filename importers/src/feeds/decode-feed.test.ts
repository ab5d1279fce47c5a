import { expect, test } from 'vitest'
import { decodeFeed } from './decode-feed.ts'

const text = '<rss>Été</rss>'
const declared = `<?xml version="1.0" encoding='ISO-8859-1'?>${text}`

test.each([
  ['no charset', Buffer.from(text), undefined, text],
  ['a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'text/xml; charset=iso-8859-1', text],
  ['the charset of the response', Buffer.from(text, 'latin1'), 'text/xml; charset="ISO-8859-1"', text],
  ['an XML declaration', Buffer.from(declared, 'latin1'), 'text/xml', declared],
  ['both', Buffer.from(declared), 'text/xml;charset=utf-8', declared],
  ['a charset that does not exist', Buffer.from(text), 'text/xml; charset=none', text],
])('decodes a feed with %s', (_, bytes, contentType, decoded) => {
  expect(decodeFeed(bytes, contentType)).toBe(decoded)
})
