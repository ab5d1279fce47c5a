import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { crc32, deflateRawSync } from 'node:zlib'
import { makeZip } from 'client-zip'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ZipFile } from './zip-file.ts'

let directory: string
const never = new AbortController().signal

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'kinora-zip-'))
})
afterAll(() => rm(directory, { recursive: true }))

async function stored(bytes: Uint8Array): Promise<string> {
  const file = path.join(directory, 'archive.zip')
  await writeFile(file, bytes)
  return file
}

/** A zip with one deflated file, whose headers claim a size (APPNOTE 4.3.7, 4.3.12, 4.3.16). */
function zipClaiming(content: Buffer, claimedBytes: number): Buffer {
  const name = Buffer.from('file')
  const data = deflateRawSync(content)
  const sizes = Buffer.alloc(16)
  sizes.writeUInt32LE(crc32(content), 0)
  sizes.writeUInt32LE(data.length, 4)
  sizes.writeUInt32LE(claimedBytes, 8)
  sizes.writeUInt16LE(name.length, 12)
  const fields = Buffer.concat([Buffer.from([20, 0, 0, 0, 8, 0, 0, 0, 0, 0]), sizes])
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, data])
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, Buffer.alloc(14), name])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, end])
}

test('reads and writes the files that it has', async () => {
  const content = Buffer.alloc(1000, 'ice')
  using zip = await ZipFile.open(await stored(zipClaiming(content, content.length)))
  expect([zip.names, zip.sizeOf('file'), zip.sizeOf('other')]).toEqual([['file'], 1000, undefined])
  expect((await zip.read('file', 1000))?.equals(content)).toBe(true)
  expect(await zip.read('other', 1000)).toBeUndefined()
  expect(await zip.extract('file', path.join(directory, 'target'), 1000, never)).toBe(true)
})

test('refuses files that grow as only an attack does, and writes nothing of them', async () => {
  const content = Buffer.alloc(10 * 1024 ** 2)
  using zip = await ZipFile.open(await stored(zipClaiming(content, content.length)))
  const before = await readdir(directory)
  await expect(zip.read('file', Infinity)).rejects.toThrow('file grows to more than 200 times its size')
  const extracted = zip.extract('file', path.join(directory, 'bomb'), Infinity, never)
  await expect(extracted).rejects.toThrow('file grows to more than 20 times its size')
  expect(await readdir(directory)).toEqual(before)
})

test('limits the bytes that an archive unpacks in total', async () => {
  const content = Buffer.from('0123456789')
  const limits = { freeBytes: 5, ratio: 0.2 }
  const bytes = zipClaiming(content, content.length)
  using zip = await ZipFile.open(await stored(bytes), limits)
  const reads = Math.floor((limits.freeBytes + limits.ratio * bytes.length) / content.length)
  for (let count = 0; count < reads; count += 1) await zip.read('file', 10)
  await expect(zip.read('file', 10)).rejects.toThrow('files of the archive are too large together')
})

test('reads the start of a file', async () => {
  const content = Buffer.alloc(10 * 1024 ** 2, 'ice')
  using zip = await ZipFile.open(await stored(zipClaiming(content, content.length)))
  expect((await zip.readStart('file', 4096))?.equals(content.subarray(0, 4096))).toBe(true)
  expect(await zip.readStart('file', 20_000_000)).toHaveLength(content.length)
  expect(await zip.readStart('other', 4096)).toBeUndefined()
})

test('refuses a file that is larger than allowed, or than it claims', async () => {
  const content = Buffer.alloc(10 * 1024 ** 2)
  using large = await ZipFile.open(await stored(zipClaiming(content, content.length)))
  await expect(large.read('file', 1024)).rejects.toThrow('file is too large')
  using lying = await ZipFile.open(await stored(zipClaiming(content, 100)))
  await expect(lying.read('file', 1024)).rejects.toThrow('is damaged')
  const before = await readdir(directory)
  await expect(lying.extract('file', path.join(directory, 'bomb'), 1024, never)).rejects.toThrow('is damaged')
  expect(await readdir(directory)).toEqual(before)
})

test('leaves out names with U+0000', async () => {
  const bytes = await buffer(
    makeZip([
      { name: 'a\0b', input: 'text' },
      { name: 'c', input: 'text' },
    ]),
  )
  using zip = await ZipFile.open(await stored(bytes))
  expect(zip.names).toEqual(['c'])
})

test('refuses an archive whose files share bytes', async () => {
  const content = Buffer.alloc(1000, 'ice')
  const bytes = zipClaiming(content, content.length)
  const central = bytes.subarray(bytes.indexOf('PK\x01\x02'), bytes.indexOf('PK\x05\x06'))
  const local = bytes.subarray(0, bytes.indexOf(central))
  const other = Buffer.from(central)
  other.write('copy', other.length - 4)
  const end = Buffer.from(bytes.subarray(bytes.indexOf('PK\x05\x06')))
  end.writeUInt16LE(2, 8)
  end.writeUInt16LE(2, 10)
  end.writeUInt32LE(2 * central.length, 12)
  const overlapping = await stored(Buffer.concat([local, central, other, end]))
  await expect(ZipFile.open(overlapping)).rejects.toThrow('Files of the archive overlap')
})

test.each(['../outside', '/etc/passwd', 'a/../../b'])('refuses an archive with the name %s', async (name) => {
  const bytes = await buffer(makeZip([{ name, input: 'text' }]))
  await expect(ZipFile.open(await stored(bytes))).rejects.toThrow('not a zip archive, or is damaged')
})

/** The end of an archive that claims so many files (APPNOTE 4.3.14 to 4.3.16). */
function endClaiming(files: number): Buffer {
  const [end64, locator, end] = [Buffer.alloc(56), Buffer.alloc(20), Buffer.alloc(22)]
  end64.write('PK\x06\x06', 'latin1')
  end64.writeBigUInt64LE(44n, 4)
  end64.writeBigUInt64LE(BigInt(files), 24)
  end64.writeBigUInt64LE(BigInt(files), 32)
  locator.write('PK\x06\x07', 'latin1')
  locator.writeUInt32LE(1, 16)
  end.write('PK\x05\x06', 'latin1')
  end.fill(0xff, 8, 20)
  return Buffer.concat([end64, locator, end])
}

test('refuses an archive of too many files before it reads their names', async () => {
  await expect(ZipFile.open(await stored(endClaiming(100_001)))).rejects.toThrow('more than 100,000 files')
})

test('refuses what is no zip', async () => {
  await expect(ZipFile.open(await stored(Buffer.from('PK\x03\x04')))).rejects.toThrow('not a zip archive')
})

test('refuses an archive whose list of files is too long', async () => {
  const bytes = zipClaiming(Buffer.alloc(0), 0)
  const central = Buffer.from(bytes.subarray(bytes.indexOf('PK\x01\x02'), bytes.indexOf('PK\x05\x06')))
  const local = bytes.subarray(0, bytes.indexOf(central))
  const commentBytes = 65_535
  central.writeUInt16LE(commentBytes, 32)
  const files = Array.from({ length: 1000 }, () => [central, Buffer.alloc(commentBytes)]).flat()
  const end = Buffer.from(bytes.subarray(bytes.indexOf('PK\x05\x06')))
  end.writeUInt16LE(1000, 8)
  end.writeUInt16LE(1000, 10)
  end.writeUInt32LE(1000 * (central.length + commentBytes), 12)
  const long = await stored(Buffer.concat([local, ...files, end]))
  await expect(ZipFile.open(long)).rejects.toThrow('The list of files of the archive is too long')
})
