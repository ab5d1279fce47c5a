import { expect, test } from 'vitest'
import { addressKey, networkKey } from './client-address.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['192.0.2.7:4711', '192.0.2.7'],
  ['192.0.2.7, whatever', 'unknown'],
  [`${'x'.repeat(60_000)} y=1`, 'unknown'],
])('counts %.20s as %s', (ip, key) => {
  expect(addressKey(ip)).toBe(key)
})

test('groups IPv6 addresses by /48 as one network', () => {
  expect(networkKey('2001:db8:1:2::9')).toBe('2001:db8:1')
  expect(networkKey('2001:db8:1:ffff::')).toBe('2001:db8:1')
  expect(networkKey('2001:db8:2::')).toBe('2001:db8:2')
  expect(networkKey('192.0.2.7')).toBe('192.0.2.7')
})
