const unreserved = /[\w.~-]/

/**
 * Normalizes a request target, so that all code sees the same path: removes scheme and host, and decodes unreserved
 * characters (RFC 3986, 6.2.2.2). `/%61pi/x` becomes `/api/x`.
 */
export function normalUrl(url: string): string {
  // fast path for nearly all requests
  if (url.startsWith('/') && !url.includes('%')) return url
  const local = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '')
  const [path = '', query] = local.split(/\?(.*)/s, 2)
  const decoded = path.replaceAll(/%([0-9a-f]{2})/gi, (encoded, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return unreserved.test(character) ? character : encoded
  })
  const absolute = decoded.startsWith('/') ? decoded : `/${decoded}`
  return query === undefined ? absolute : `${absolute}?${query}`
}
