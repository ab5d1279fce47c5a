import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getAccountImport } from '@kinora/contract/portability/account-imports.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attackSize } from '@kinora/platform/testing/attack.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { deflatedZip, exportAccount, startImport, unzip } from '../../../testing/fixtures/test-imports.ts'
import { zipOf } from '@kinora/platform/testing/zip-of.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'

type Person = Awaited<ReturnType<typeof signUp>>

const megabytes = attackSize({ short: 2, full: 32 })
const listMegabytes = attackSize({ short: 1, full: 7.9 })
const attackers = attackSize({ short: 1, full: 3 })

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ worker: true, settings: { PREPARE_POLICY: 'none' } })
})
afterAll(() => site.close())

/** A text of that size, of a beginning, a repeated part and an end. */
const textOf = (begin: string, part: string, end: string, size = megabytes) =>
  begin + part.repeat((size * 1024 ** 2) / part.length - 10) + end

async function accountOf(person: Person): Promise<object> {
  const files = await unzip(await exportAccount(site, person))
  return { ...JSON.parse(String(files.get('account.json'))), id: `of ${person.user._id}`, icon: null }
}

/** Small files, or such as fill the limits of sizes, whose contents take time and memory. */
const attacks: Record<string, (person: Person) => Promise<Buffer>> = {
  'a compressed history of zeros': async (person) =>
    deflatedZip({
      'account.json': JSON.stringify(await accountOf(person)),
      'history.json': textOf('[', '0,', '0]'),
    }),
  'a history of zeros': async (person) =>
    zipOf({ 'account.json': await accountOf(person), 'history.json': textOf('[', '0,', '0]') }),
  'a history of long numbers': async (person) =>
    zipOf({
      'account.json': await accountOf(person),
      'history.json': textOf('[', '0.123456789012345,', '0]'),
    }),
  'a history of objects in lines': async (person) =>
    zipOf({
      'account.json': await accountOf(person),
      'history.json': textOf('[\n', '{"a":{}},\n', '{}\n]\n'),
    }),
  'videos of PeerTube': () => zipOf({ 'peertube/videos.json': textOf('{"videos":[', '{"uuid":1},', '{}]}') }),
  'a table of columns': () =>
    zipOf({ 'Takeout/a.csv': textOf(`a${',a'.repeat(299)}\n`, ',,,,,,,,,,,,,,,\n', '') }),
  'a comment of zeros': () =>
    zipOf({ 'Takeout/a.csv': textOf('Comment ID,Video ID,Comment Text\na,b,"', '0,', '0"\n') }),
  'subscriptions of nothing': async () =>
    Buffer.from(textOf('{"subscriptions":[', '{},', '{}]}', listMegabytes)),
  'lines of zeros': async () => Buffer.from(textOf('{\n', '0\n', '0', listMegabytes)),
  'outlines of attributes': async () =>
    Buffer.from(
      textOf('<opml><body><outline ', 'a="&amp;" ', '/></body></opml>', listMegabytes).replaceAll(
        'a=',
        () => `a${(count += 1)}=`,
      ),
    ),
}
let count = 0

const stateOf = async ({ client }: Person) => (await client.call(getAccountImport, {}))?.state

test.each(Object.entries(attacks))(
  'imports of others go on beside %s',
  { timeout: 600_000 },
  async (_, fileOf) => {
    const people = await Promise.all(Array.from({ length: attackers }, () => signUp(site)))
    for (const person of people) await startImport(site, person, await fileOf(person))
    const delay = monitorEventLoopDelay({ resolution: 20 })
    const before = process.memoryUsage.rss()
    delay.enable()
    const bystander = await signUp(site)
    const archive = { 'Takeout/YouTube/videos/Ice.mp4': await drawClip('mp4') }
    await startImport(site, bystander, await zipOf(archive))
    await expect.poll(() => stateOf(bystander), { timeout: 120_000 }).toBe('done')
    for (const person of people)
      await expect.poll(() => stateOf(person), { timeout: 300_000 }).toMatch(/^(done|failed)$/)
    delay.disable()
    // on a busy machine each gap is several times as long
    expect(delay.max / 1e9).toBeLessThan(5)
    expect((process.memoryUsage.rss() - before) / 1024 ** 2).toBeLessThan(600)
  },
)
