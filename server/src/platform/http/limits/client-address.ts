import { isIPv4, isIPv6 } from 'node:net'

/** What counts as one address, short and without spaces: an IPv6 host owns its whole /64. */
export function addressKey(ip: string): string {
  return ipv6Prefix(ip, 4)
}

/** What counts as one network: for IPv6 a /48, the most that providers give one customer; for IPv4 the address. */
export function networkKey(ip: string): string {
  return ipv6Prefix(ip, 3)
}

/** The first groups of an IPv6 address; an IPv4 address stays as it is. */
function ipv6Prefix(ip: string, groupCount: number): string {
  if (isIPv4(ip)) return ip
  const [, ipv4] = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?$/i.exec(ip) ?? []
  if (ipv4 !== undefined) return ipv4
  // a proxy may pass on any text that a visitor sends
  if (!isIPv6(ip)) return 'unknown'
  const [head = '', tail = ''] = ip.split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  const groups = ip.includes('::') ? [...before, ...zeros, ...after] : before
  return groups
    .slice(0, groupCount)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
