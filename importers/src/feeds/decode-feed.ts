/** The text of a feed by its byte order mark, else the charset of the response, else the XML declaration (RFC 7303, 3). */
export function decodeFeed(bytes: Buffer, contentType = ''): string {
  const start = bytes.toString('latin1', 0, 200)
  const charset =
    (start.startsWith('\xff\xfe') && 'utf-16le') ||
    (start.startsWith('\xfe\xff') && 'utf-16be') ||
    (start.startsWith('\xef\xbb\xbf') && 'utf-8') ||
    /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ||
    /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/.exec(start)?.[1]
  try {
    return new TextDecoder(charset || 'utf-8').decode(bytes)
  } catch {
    // A charset that does not exist.
    return new TextDecoder().decode(bytes)
  }
}
