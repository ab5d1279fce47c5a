import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { publishFilm } from '../../testing/test-films.ts'

let site: TestApp

beforeAll(async () => {
  site = await createTestApp({ settings: { PREPARE_POLICY: 'none' } })
})
afterAll(() => site.close())

async function readMaster(id: string): Promise<{ status: number; names: (string | undefined)[] }> {
  const response = await fetch(`${site.origin}/media/videos/${id}/master.m3u8`)
  const names = Array.from((await response.text()).matchAll(/NAME="([^"]*)"/g), ([, name]) => name)
  return { status: response.status, names }
}

const languages = ['de-x-abcdefg', 'en-u-ca-budd', 'en-1', 'en-a-a-a-a-a']

test('a video with malformed language tags is accepted and plays', async () => {
  const tags = languages.flatMap((language, i) => ['-map 1', `-metadata:s:a:${i} language=${language}`])
  const args = `-map 0 ${tags.join(' ')} -c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus -t 1`
  const { id } = await publishFilm(site, 'languages.webm', args, '64x36')
  expect(await readMaster(id)).toEqual({
    status: 200,
    names: ['German', 'English', 'Original 3', 'Original 4'],
  })
})

test('a video that was accepted with malformed language tags plays', async () => {
  const { id } = await publishFilm(
    site,
    'earlier.mp4',
    '-c:v libx264 -preset ultrafast -c:a aac -t 1',
    '64x36',
  )
  for (const [language, name] of [
    ['de-x-abcdefg', 'German'],
    ['en-1', 'Original'],
  ]) {
    await sql`update videos set source = jsonb_set(source, '{audio,0,language}', to_jsonb(${language}::text))
      where id = ${id}`.execute(site.db)
    await site.context.signals.send(site.db, 'changed')
    await expect.poll(() => readMaster(id)).toEqual({ status: 200, names: [name] })
  }
})
