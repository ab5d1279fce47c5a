const unreserved = /[\w.~-]/

/**
 * One reading of an address for everything that looks at it: without the scheme and host that a request may put before
 * it, and with no character encoded that needs no encoding (RFC 3986, 6.2.2.2). `/%61pi/x` is `/api/x`.
 */
export function normalUrl(url: string): string {
  // as nearly all of them come
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
