import { expect, it } from 'vitest'
import { spreadChannels } from './spread-channels.ts'

const spread = (channels: string) => spreadChannels(channels.split(''), (channel) => channel).join('')

it.each([
  ['', ''],
  ['abc', 'abc'],
  ['aabbb', 'aabb'],
  ['aaabc', 'aabac'],
  ['aaaab', 'aabaa'],
  ['aaaaaab', 'aabaa'],
])('orders the channels %j as %j', (before, after) => {
  expect(spread(before)).toBe(after)
})

it('keeps every video of a site with one channel', () => {
  expect(spread('aaaa')).toBe('aaaa')
})
