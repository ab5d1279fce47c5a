import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { generousLimits } from '../testing/servers/generous-limits.ts'
import { runKinora } from '../testing/servers/run-kinora.ts'
import { cleanUpAfterAll, siteDirectory, startSite, type StartedSite } from '../testing/servers/start-site.ts'
import { type AtEnd, temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { TestClient } from '../testing/fixtures/test-client.ts'
import { upload } from '../testing/fixtures/test-uploads.ts'
import { signUpAt, testPassword } from '../testing/fixtures/test-users.ts'

const users = '/api/v1/users'

interface Site extends StartedSite {
  dataDir: string
  address: string
  /** Runs a command on this site. */
  run(...args: string[]): ReturnType<typeof runKinora>
}

async function start(dataDir: string, atEnd: AtEnd = onTestFinished): Promise<Site> {
  const env = { ...generousLimits, LOG_LEVEL: 'warn', PREPARE_POLICY: 'none' }
  const site = startSite({ dataDir, env, atEnd })
  const address = await site.ready
  return { ...site, dataDir, address, run: (...args) => runKinora(args, { DATA_DIR: dataDir }) }
}

async function stop(site: Site): Promise<void> {
  site.process.kill('SIGTERM')
  await site.ended
}

async function signIn(site: Site, username: string, password: string) {
  const client = new TestClient(site.address)
  const response = await client.post(`${users}/login`, { username, password })
  return { client, ...response }
}

describe('a running site', () => {
  let site: Site
  const atEnd = cleanUpAfterAll()
  beforeAll(async () => {
    site = await start(siteDirectory(atEnd), atEnd)
  })

  test('sets a password from standard input, and writes an audit line to standard error', async () => {
    const made = await site.run('user', 'create', 'ada', 'ada@example.org', '--json')
    expect(made).toMatchObject({ exitCode: 0, json: { username: 'ada' } })
    const ada = await signIn(site, 'ada', made.json.password)
    expect(ada.status).toBe(200)
    const changed = await runKinora(
      ['user', 'reset-password', 'ada', '--password-stdin'],
      { DATA_DIR: site.dataDir },
      'another long password\n',
    )
    expect(changed.output).not.toContain('another long password')
    expect(JSON.parse(changed.errors)).toMatchObject({ audit: true, action: 'user reset-password' })
    expect((await ada.client.get(`${users}/currentuser`)).status).toBe(401)
    expect((await signIn(site, 'ada', 'another long password')).status).toBe(200)
  })

  test('doctor reports no problem of a running site, and stats counts its rows', async () => {
    const port = new URL(site.address).port
    const found = await runKinora(['doctor', '--json'], { DATA_DIR: site.dataDir, PORT: port })
    expect(found.json.findings.filter(({ state }: { state: string }) => state === 'bad')).toEqual([])
    expect(found).toMatchObject({ exitCode: 0, json: { ok: true } })
    const sandbox = found.json.findings.find(({ subject }: { subject: string }) => subject === 'sandbox')
    expect(sandbox.message).toMatch(
      /^ffmpeg runs in the sandbox \w+ \((not )?found: .*prlimit.*\): .* Prevented: .*fork/,
    )
    expect(sandbox.message.includes('start it as a user of its own')).toBe(process.getuid?.() === 0)
    const counted = await site.run('stats', '--json')
    expect(counted).toMatchObject({ exitCode: 0, json: { takenDownVideos: 0, suspendedUsers: 0 } })
    expect(counted.json.users).toBe(1)
  })

  test('a backup taken during uploads restores the site on another server', async () => {
    const { client, username } = await signUpAt(site.address)
    const { _id: id } = await upload(client, 'Kept')
    const source = await (await client.fetch(`/media/videos/${id}/source.mp4`)).arrayBuffer()
    const backups = join(site.dataDir, 'elsewhere')

    const state = { isOver: false }
    const busy = (async () => {
      for (let count = 1; !state.isOver; count += 1) {
        const { _id: clip } = await upload(client, `Busy ${count}`)
        if (count % 2 === 0) await client.delete(`/api/v1/video/${clip}`)
      }
    })()
    const first = await site.run('backup', backups, '--json')
    state.isOver = true
    await busy
    const second = await site.run('backup', backups, '--keep', '1', '--json')
    expect([first.exitCode, second.exitCode]).toEqual([0, 0])
    expect(second.json).toMatchObject({ missing: [], pruned: { snapshots: 1 } })
    expect((await site.run('backup', 'list', backups, '--json')).json).toHaveLength(1)

    const good = await site.run('backup', 'verify', backups, '--json')
    expect(good).toMatchObject({ exitCode: 0, json: { ok: true, problems: [] } })
    expect(good.json.files).toBe(second.json.files)

    // Refused while the site is running, and if it has accounts.
    expect((await site.run('restore', backups)).errors).toContain('is running. Stop it first')
    await stop(site)
    expect((await site.run('restore', backups)).errors).toContain('A site with accounts exists already')

    const target = temporaryDirectory()
    expect(await runKinora(['restore', backups], { DATA_DIR: target })).toMatchObject({ exitCode: 0 })
    const restored = await start(target)
    const again = await signIn(restored, username, testPassword)
    expect(again.status).toBe(200)
    expect((await again.client.get(`/api/v1/video/${id}`)).body.data).toMatchObject([{ title: 'Kept' }])
    const same = await (await again.client.fetch(`/media/videos/${id}/source.mp4`)).arrayBuffer()
    expect(Buffer.from(same).equals(Buffer.from(source))).toBe(true)
    expect((await again.client.get('/api/v1/video/search/kept')).body.data).toMatchObject([{ _id: id }])
    // numbers and triggers go on where they were
    const { _id: later } = await upload(again.client, 'After the restoration')
    expect((await again.client.patch(`/api/v1/video/${later}`)).status).toBe(200)
    expect((await again.client.get('/api/v1/video/search/restoration')).body.data).toMatchObject([
      { _id: later },
    ])
    await stop(restored)

    expect(await runKinora(['restore', backups, '--replace'], { DATA_DIR: target })).toMatchObject({
      exitCode: 0,
    })
    const replaced = await runKinora(['video', 'list', '--json'], { DATA_DIR: target })
    const ids = replaced.json.map((video: { id: string }) => video.id)
    expect([ids.includes(id), ids.includes(later)]).toEqual([true, false])

    // a byte that rots is found, and nothing is restored from it
    const [snapshot] = (await site.run('backup', 'list', backups, '--json')).json
    const rotten = join(backups, 'snapshots', snapshot.snapshot, 'tables/videos.copy.gz')
    const bytes = readFileSync(rotten)
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
    writeFileSync(rotten, bytes)
    const bad = await site.run('backup', 'verify', backups, '--json')
    expect(bad).toMatchObject({ exitCode: 1, json: { ok: false } })
    expect(bad.json.problems.join()).toContain('videos')
    const refused = await runKinora(['restore', backups], { DATA_DIR: temporaryDirectory() })
    expect(refused).toMatchObject({ exitCode: 1, errors: expect.stringContaining('nothing was changed') })
  })
})

test.each([
  [[], 2],
  [['frobnicate'], 2],
  [['user', 'create', 'ada'], 2],
  [['--help'], 0],
  [['backup', 'verify', '--help'], 0],
])('%j ends with %i', async (args, exitCode) => {
  expect((await runKinora(args, { DATA_DIR: '/nowhere' })).exitCode).toBe(exitCode)
})
