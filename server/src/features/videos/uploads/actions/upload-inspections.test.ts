import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../../context/config.ts'
import { listProcesses } from '@kinora/platform/testing/processes.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { UploadInspections } from './upload-inspections.ts'

test('inspects four files of an account at once, and those of others meanwhile', async () => {
  const directory = temporaryDirectory()
  const program = join(directory, 'ffprobe')
  await writeFile(program, '#!/bin/sh\n[ "$1" = -version ] && exit\nsleep 60\nexit 1\n', { mode: 0o755 })
  const config = readConfig({ DATA_DIR: directory, FFPROBE_PATH: program })
  const inspections = new UploadInspections({ config })
  const begin = async (name: string, owner: string) => {
    const file = join(directory, name)
    // begins like an MP4
    await writeFile(file, '\0\0\0\x18ftypisom\0\0\0\0isommp42')
    inspections.begin(name, file, owner)
  }
  const names = Array.from({ length: 9 }, (_, number) => `video${number}`)
  const processesOf = (name: string) =>
    listProcesses().filter(({ args }) => args.includes(`${join(directory, name)}\0`))
  const running = () => names.filter((name) => processesOf(name).length > 0)
  // some may have ended by themselves
  const end = (name: string) =>
    spawnSync('kill', ['-KILL', ...processesOf(name).map(({ pid }) => String(pid))])
  onTestFinished(() => [...names, 'other'].forEach(end))

  for (const name of names) await begin(name, 'ann')
  await expect.poll(running).toHaveLength(4)
  await begin('other', 'bob')
  await expect.poll(() => processesOf('other').length).toBeGreaterThan(0)
  const first = running()
  expect(first).toHaveLength(4)
  first.forEach(end)
  await expect.poll(() => running().filter((name) => !first.includes(name))).toHaveLength(4)
})
