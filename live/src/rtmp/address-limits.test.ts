import { expect, test } from 'vitest'
import { AddressLimits } from './address-limits.ts'

const countOpen = (limits: AddressLimits, addressOf: (index: number) => string) =>
  Array.from({ length: 20 }, (_, i) => limits.open(addressOf(i))).filter(Boolean).length

test('limits the connections of an address, or of a network that one host owns', () => {
  const limits = new AddressLimits()
  expect(countOpen(limits, () => '203.0.113.5')).toBe(8)
  expect(countOpen(limits, (i) => `2001:db8:0:1::${i + 1}`)).toBe(8)
  expect(countOpen(limits, (i) => `2001:db8:0:${i + 2}::1`)).toBe(20)
})

test('gives a closed connection back', () => {
  const limits = new AddressLimits()
  for (let i = 0; i < 20; i++) limits.open('203.0.113.5')?.()
  expect(limits.open('203.0.113.5')).toBeDefined()
})

test('blocks an address after many wrong keys', () => {
  const limits = new AddressLimits()
  for (let i = 0; i < 10; i++) limits.refuse('2001:db8::1')
  expect(limits.open('2001:db8::2')).toBeUndefined()
  expect(limits.open('2001:db8:0:1::1')).toBeDefined()
})

test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('limits nothing from the same machine: %s', (address) => {
  const limits = new AddressLimits()
  for (let i = 0; i < 20; i++) limits.refuse(address)
  expect(countOpen(limits, () => address)).toBe(20)
})
