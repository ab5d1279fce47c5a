import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { drawClip } from '@kinora/media/testing/test-clips.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { expect, test } from 'vitest'
import { makePlayableFolder } from './playable-folder.ts'

const run = promisify(execFile)

test('players read the whole video from the folder', async () => {
  const directory = temporaryDirectory()
  const [file, folder] = [join(directory, 'clip'), join(directory, 'playable')]
  await writeFile(file, await drawClip('webm'))
  await makePlayableFolder(file, folder)
  const shown = ['-count_frames', '-show_entries', 'stream=codec_type,nb_read_frames', '-of', 'json']
  const { stdout } = await run('ffprobe', ['-v', 'error', ...shown, join(folder, 'master.m3u8')])
  expect(JSON.parse(stdout).streams).toEqual([
    { codec_type: 'audio', nb_read_frames: '94' },
    { codec_type: 'video', nb_read_frames: '50' },
  ])
})
