import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createFolderImport, getFolderImports } from '@kinora/contract/portability/folder-imports.ts'
import { listOwnVideos } from '@kinora/contract/videos/studio.ts'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateRole } from '../../accounts/users/queries.ts'
import { createTestApp, type TestApp } from '../../../testing/fixtures/test-app.ts'
import { signUp } from '../../../testing/fixtures/test-users.ts'

let site: TestApp
let administrator: Awaited<ReturnType<typeof signUp>>
let root: string

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'kinora-folders-'))
  await mkdir(path.join(root, 'named'))
  await mkdir(path.join(root, 'other'))
  await writeFile(path.join(root, 'named/tide.mp4'), await drawClip('mp4'))
  await writeFile(path.join(root, 'named/broken.mp4'), 'no video')
  await writeFile(path.join(root, 'other/secret.mp4'), await drawClip('mp4'))
  await symlink(path.join(root, 'other'), path.join(root, 'named/out'))
  await symlink(path.join(root, 'other/secret.mp4'), path.join(root, 'named/secret.mp4'))
  site = await createTestApp({ worker: true, settings: { IMPORT_FOLDERS: path.join(root, 'named') } })
  administrator = await signUp(site)
  await updateRole(site.db, administrator.user._id, 'administrator')
})
afterAll(async () => {
  await site.close()
  await rm(root, { recursive: true, force: true })
})

const start = (client = administrator.client, more: { folder?: string; isDryRun?: boolean } = {}) =>
  client.call(createFolderImport, {
    body: {
      folder: path.join(root, 'named'),
      username: administrator.user.username,
      placement: 'reference',
      ...more,
    },
  })
async function result() {
  const state = () => administrator.client.call(getFolderImports, {})
  await expect.poll(async () => (await state()).run?.endedAt ?? null, { timeout: 60_000 }).not.toBeNull()
  await expect.poll(async () => (await state()).isRunning).toBe(false)
  return (await state()).run
}
const titles = async () =>
  (await administrator.client.call(listOwnVideos, { query: {} })).videos.map(({ title }) => title)

test('imports a named folder as a job, after a dry run, and follows no link out of it', async () => {
  expect(await administrator.client.call(getFolderImports, {})).toEqual({
    folders: [path.join(root, 'named')],
    isRunning: false,
    run: null,
  })
  await start(administrator.client, { isDryRun: true })
  expect(await result()).toMatchObject({ isDryRun: true, counts: { imported: 1, failed: 1, links: 2 } })
  expect(await titles()).toEqual([])
  await start()
  await expect
    .poll(async () => (await administrator.client.call(getFolderImports, {})).run?.isDryRun)
    .toBe(false)
  expect(await result()).toMatchObject({
    username: administrator.user.username,
    counts: { imported: 1, failed: 1, links: 2 },
    problems: [{ path: path.join(root, 'named/broken.mp4') }],
    failure: null,
  })
  expect(await titles()).toEqual(['tide'])
})

test('refuses other folders, also those below and above a named one, and other people', async () => {
  for (const folder of [
    root,
    path.join(root, 'other'),
    path.join(root, 'named/out'),
    `${root}/named/../other`,
  ])
    await expect(start(administrator.client, { folder })).rejects.toMatchObject({
      reason: 'import_folder_unknown',
    })
  const { client, user } = await signUp(site)
  await updateRole(site.db, user._id, 'moderator')
  await expect(start(client)).rejects.toMatchObject({ status: 403 })
  await expect(client.call(getFolderImports, {})).rejects.toMatchObject({ status: 403 })
})
