import { execFile } from 'node:child_process'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { listComments } from '@kinora/contract/conversation/comments.ts'
import { listOwnVideos } from '@kinora/contract/videos/studio.ts'
import { createApiToken } from '@kinora/contract/accounts/api-tokens.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createTestApp } from './fixtures/test-app.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { signUp, testPassword } from './fixtures/test-users.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'

const root = join(import.meta.dirname, '../../..')
const run = promisify(execFile)

/** Calls that must not compile. */
const misuse = `
  import { createKinora } from '@kinora/client'
  const kinora = createKinora({ site: 'http://127.0.0.1' })
  // @ts-expect-error: no such path
  await kinora.GET('/no/such/path')
  // @ts-expect-error: no such order
  await kinora.GET('/studio/videos', { params: { query: { sort: 'best' } } })`

/** Packs `client/` and installs the archive with what it depends on. Returns the names of the packed files. */
async function installClient(directory: string): Promise<string[]> {
  // The repository ignores scripts of packages; this one builds the package.
  const args = [
    'pack',
    '--workspace=client',
    '--ignore-scripts=false',
    `--pack-destination=${directory}`,
    '--json',
  ]
  const { stdout } = await run('npm', args, { cwd: root })
  const [packed] = JSON.parse(stdout.slice(stdout.search(/^[[{]/m)))
  const installed = join(directory, 'node_modules/@kinora/client')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', join(directory, packed.filename), '-C', installed, '--strip-components=1'])
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'tus-js-client', '@types'])
    await symlink(join(root, 'node_modules', name), join(directory, 'node_modules', name))
  return packed.files.map(({ path }: { path: string }) => path)
}

test('the packed client has types, and its example uploads, comments and lists', async () => {
  const directory = temporaryDirectory()
  expect(await installClient(directory)).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'dist/api.d.ts', 'dist/client.d.ts', 'dist/client.js']),
  )
  await cp(join(root, 'client/examples/upload.ts'), join(directory, 'upload.ts'))
  await writeFile(join(directory, 'misuse.ts'), misuse)
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }')
  const compilerOptions = {
    strict: true,
    module: 'NodeNext',
    target: 'ES2024',
    types: ['node'],
    noEmit: true,
  }
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', directory])

  const site = await createTestApp()
  onTestFinished(() => site.close())
  const { client } = await signUp(site)
  const body = { name: 'example', days: 1, password: testPassword }
  const { token } = await client.call(createApiToken, {
    body: { ...body, scopes: ['read', 'upload', 'comment'] },
  })
  await writeFile(join(directory, 'glacier.mp4'), await drawClip('mp4'))
  const env = { ...process.env, KINORA_SITE: site.origin, KINORA_TOKEN: token }
  const { stdout } = await run(process.execPath, ['upload.ts', 'glacier.mp4'], { cwd: directory, env })

  const { videos } = await client.call(listOwnVideos, { query: {} })
  expect(videos).toMatchObject([{ title: 'glacier.mp4', visibility: 'unlisted' }])
  const [{ _id: id } = { _id: '' }] = videos
  expect(stdout).toBe(`Published ${site.origin}/video/${id}\nglacier.mp4 unlisted 0\n`)
  const { items } = await client.call(listComments, { params: { videoId: id }, query: {} })
  expect(items).toMatchObject([{ content: 'Sent by a program' }])
  await expect(
    run(process.execPath, ['upload.ts', 'glacier.mp4'], {
      cwd: directory,
      env: { ...env, KINORA_TOKEN: 'kin_x' },
    }),
  ).rejects.toMatchObject({ stderr: expect.stringContaining('401') })
})
