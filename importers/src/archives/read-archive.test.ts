import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ZipFile } from '@kinora/platform/files/zip-file.ts'
import { zipOf } from '@kinora/platform/testing/zip-of.ts'
import { ArchiveReader, readingLimits } from './archive-reader.ts'
import { parseFile } from './parse-file.ts'
import { parseTable } from '../lists/parse-table.ts'
import { flatMapInSlices, readRows } from './read-archive.ts'

let dataDir: string
const never = new AbortController().signal

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'kinora-reading-'))
})
afterAll(() => rm(dataDir, { recursive: true }))

async function stored(content: string | Uint8Array): Promise<string> {
  const file = path.join(dataDir, 'file')
  await writeFile(file, content)
  return file
}

/** A list of FreeTube of lines that are no objects. */
const manyLines = `{\n${'0\n'.repeat(500_000)}`

const subscriptions = { kind: 'subscriptions' } as const

/** How often the event loop turns while something is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const turn = () => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work
  isOver = true
  return turns
}

test('lets other work go on while it maps a long list', async () => {
  const items = Array.from({ length: 50_000 }, (_, index) => index)
  const mapping = flatMapInSlices(items, (item, index) => (item % 2 === 0 ? [item + index] : []))
  expect(await turnsDuring(mapping)).toBeGreaterThan(20)
  expect(await mapping).toEqual(items.filter((item) => item % 2 === 0).map((item) => 2 * item))
})

const like = (comment: string) => ({
  comment,
  video: { id: 'v', name: null, attributedTo: null },
  published: '2024-01-02T03:04:05.000Z',
})
const linesOf = (rows: object[]) => `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`
const likes = { kind: 'list', schema: 'likes of comments' } as const

test('parses a list of 35 MB that has a row on each line', async () => {
  const rows = Array.from({ length: 3500 }, (_, id) => like(`${id} ${'å\n'.repeat(2500)}`))
  const bytes = Buffer.from(linesOf([...rows, { odd: true }]))
  const parsed = await parseFile('likes.json', bytes, likes)
  expect(parsed).toEqual({ rows, rejected: [3501], moreRejected: 0 })
  for (let at = bytes.indexOf('\n'); at !== -1; at = bytes.indexOf('\n', at)) bytes[at] = 0x20
  await expect(parseFile('likes.json', bytes, likes)).rejects.toThrow('likes.json is too large')
})

test('reads a long list in a process of its own, and leaves no file behind', async () => {
  const rows = Array.from({ length: 2500 }, (_, id) => like(`${id}`))
  using zip = await ZipFile.open(await stored(await zipOf({ 'list.json': linesOf([{}, ...rows]) })))
  const reader = new ArchiveReader(path.join(dataDir, 'incoming'), never)
  const read = await readRows(reader, zip, 'list.json', 'likes of comments')
  expect(read).toEqual({ rows, rejected: [1], moreRejected: 0 })
  expect(await readdir(path.join(dataDir, 'incoming'))).toEqual([])
})

test('ends the reading of a file that takes too much time, and tries no further ones', async () => {
  const limits = { ...readingLimits, cpuSeconds: 0.1, maxTooCostly: 1 }
  const reader = new ArchiveReader(path.join(dataDir, 'incoming'), never, limits)
  const file = await stored(manyLines)
  const tooCostly = { code: 'invalid', message: 'Reading the file takes too much time or memory' }
  await expect(reader.readFile(file, subscriptions)).rejects.toMatchObject(tooCostly)
  const channels = Array.from({ length: 2000 }, (_, id) => ({
    url: `https://example.org/${id}`,
    name: `${id}`,
  }))
  const harmless = await stored(JSON.stringify({ subscriptions: channels }))
  await expect(reader.readFile(harmless, subscriptions)).rejects.toMatchObject(tooCostly)
  const { rows } = await new ArchiveReader(path.join(dataDir, 'incoming'), never).readFile(
    harmless,
    subscriptions,
  )
  expect(rows).toMatchObject([{ format: 'newpipe', subscriptions: { length: channels.length } }])
})

test('ends the reading of a file once it is no longer wanted', async () => {
  const stop = new AbortController()
  const reader = new ArchiveReader(path.join(dataDir, 'incoming'), stop.signal)
  const reading = reader.readFile(await stored(manyLines), subscriptions)
  const reason = new Error('stopped')
  stop.abort(reason)
  await expect(reading).rejects.toBe(reason)
})

test('leaves nothing of a file in memory beyond its bounds', async () => {
  const reader = new ArchiveReader(path.join(dataDir, 'incoming'), never)
  const zeros = `{"subscriptions":[${'0,'.repeat(2_000_001)}0]}`
  await expect(reader.readFile(await stored(zeros), subscriptions)).rejects.toMatchObject({
    code: 'invalid',
    message: 'The file has more than 2,000,000 values',
  })
  const quoted = `{"subscriptions":[],"note":"${'[,'.repeat(1_000_000)}\\",${'{,'.repeat(1_000_000)}"}`
  const { rows } = await reader.readFile(await stored(quoted), subscriptions)
  expect(rows).toMatchObject([{ format: 'newpipe' }])
})

test('lets other work go on while it reads a long table', async () => {
  const bytes = Buffer.from(`Video ID,Title\n${'abc,A title\n'.repeat(200_000)}`)
  const reading = parseTable(bytes)
  expect(await turnsDuring(reading)).toBeGreaterThan(20)
  expect(await reading).toHaveLength(200_000)
})

test('reads texts that PostgreSQL can store from a table', async () => {
  expect(await parseTable(Buffer.from('\uFEFFa,b\n"1\0","x\ny"\n'))).toEqual([{ a: '1', b: 'x\ny' }])
})

test('rejects a table with too many rows', async () => {
  await expect(parseTable(Buffer.from('a\n1\n2\n3\n'), 2)).rejects.toMatchObject({
    code: 'invalid',
    message: 'Lists may have at most 500,000 rows together',
  })
  expect(await parseTable(Buffer.from('a\n1\n2\n'), 2)).toHaveLength(2)
})

test('rejects what is no table', async () => {
  await expect(parseTable(Buffer.from('a,b\n"1'))).rejects.toMatchObject({ code: 'invalid' })
})
