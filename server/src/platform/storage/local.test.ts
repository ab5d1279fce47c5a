import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { testStorage } from './conformance.ts'
import { draftsOf, LocalStorage } from './local.ts'

testStorage('on the disk', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'kinora-local-'))
  const storage = new LocalStorage(root)
  const close = async () => rm(root, { recursive: true, force: true })
  return {
    storage: Object.assign(storage, { close }),
    leftovers: async () => (await readdir(draftsOf(root)).catch(() => [])).length,
  }
})
