import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findDamagePosition } from './damage-position.ts'

function box(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + content.length)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, content])
}

const positionIn = (bytes: Buffer) => {
  const directory = mkdtempSync(join(tmpdir(), 'kinora-damage-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'file'), bytes)
  return findDamagePosition(join(directory, 'file'), 'mp4', undefined)
}

const whole = Buffer.concat([
  box('ftyp', Buffer.alloc(12)),
  box('mdat', Buffer.alloc(100)),
  box('moov', Buffer.alloc(30)),
])

test('an MP4 without an index ends where its last box is cut', async () => {
  expect(await positionIn(whole.subarray(0, 90))).toBe(90)
  // in the header of a box
  expect(await positionIn(whole.subarray(0, 132))).toBe(132)
})

test('an MP4 with bytes that are no box is damaged there', async () => {
  expect(await positionIn(Buffer.concat([whole.subarray(0, 20), Buffer.alloc(50, 0xff)]))).toBe(20)
})

test('nothing tells where an MP4 of complete boxes is damaged', async () => {
  expect(await positionIn(whole)).toBeUndefined()
})
