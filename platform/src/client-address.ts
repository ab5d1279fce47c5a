import { isIPv4, isIPv6 } from 'node:net'

/** Key of one client: its IPv4 address or IPv6 /64, which one host owns. Contains no spaces. */
export function addressKey(ip: string): string {
  return ipv6Prefix(ip, 4)
}

/** Key of one network: an IPv4 address or IPv6 /48, the largest prefix that providers assign to a customer. */
export function networkKey(ip: string): string {
  return ipv6Prefix(ip, 3)
}

/** Returns the first groups of an IPv6 address; an IPv4 address unchanged. */
function ipv6Prefix(ip: string, groupCount: number): string {
  if (isIPv4(ip)) return ip
  const [, ipv4] = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?$/i.exec(ip) ?? []
  if (ipv4 !== undefined) return ipv4
  // a proxy may forward any text that a client sent
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
