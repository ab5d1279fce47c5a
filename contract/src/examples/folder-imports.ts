import { createFolderImport, getFolderImports } from '../portability/folder-imports.ts'
import { example } from './example.ts'

const folder = '/srv/lectures'

export const folderImportExamples = [
  example(getFolderImports, {
    data: {
      folders: [folder],
      isRunning: false,
      run: {
        folder,
        username: 'ines',
        placement: 'reference',
        isDryRun: false,
        counts: {
          imported: 120,
          known: 400,
          restored: 0,
          renamed: 2,
          changed: 0,
          missing: 1,
          failed: 1,
          leftOut: 0,
          links: 0,
          playlists: 0,
        },
        problems: [{ path: `${folder}/broken.mp4`, reason: 'This file is no video' }],
        failure: null,
        startedAt: '2026-05-04T08:00:00.000Z',
        endedAt: '2026-05-04T08:02:00.000Z',
      },
    },
  }),
  example(createFolderImport, {
    body: { folder, username: 'ines', placement: 'reference', hasPlaylists: true, isDryRun: true },
    data: null,
  }),
]
