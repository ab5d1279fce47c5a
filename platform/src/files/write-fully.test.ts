import { expect, test } from 'vitest'
import { writeFully } from './write-fully.ts'

test('repeats short writes until all bytes are written', async () => {
  const disk = Buffer.alloc(20, '.')
  const file = {
    write: async (bytes: Uint8Array, offset: number, length: number, position: number) => {
      const bytesWritten = Math.min(3, length)
      disk.set(bytes.subarray(offset, offset + bytesWritten), position)
      return { bytesWritten, buffer: bytes }
    },
  }
  await writeFully(file, Buffer.from('all of it'), 5)
  expect(disk.toString()).toBe('.....all of it......')
})
