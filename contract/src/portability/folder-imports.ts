import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

const auth = 'required'
const role = 'administrator'

/** How files get into the storage: they stay where they are, as hard links, or as copies. */
export const FolderPlacement = z.enum(['reference', 'link', 'copy'])
export type FolderPlacement = z.infer<typeof FolderPlacement>

/** Numbers of files by what became of them. */
export const FolderCounts = z.object({
  imported: z.number().int(),
  known: z.number().int().describe('Brought by an earlier import.'),
  restored: z.number().int().describe('Known ones that are playable again.'),
  renamed: z.number().int(),
  changed: z.number().int().describe('Known ones with other bytes; they stay as they were.'),
  missing: z.number().int().describe('Known ones that are gone.'),
  failed: z.number().int(),
  leftOut: z.number().int().describe('Captions and pictures that could not be read.'),
  links: z.number().int().describe('Symbolic links, which are not followed.'),
  playlists: z.number().int().describe('Playlists that were created.'),
})
export type FolderCounts = z.infer<typeof FolderCounts>

/** Most problems that a run keeps. */
export const folderProblemsKept = 100

export const FolderProblem = z.object({ path: z.string(), reason: z.string() })
export type FolderProblem = z.infer<typeof FolderProblem>

export const FolderImportRun = z.object({
  folder: z.string(),
  username: z.string().describe('Of the channel that gets the videos.'),
  placement: FolderPlacement,
  isDryRun: z.boolean(),
  counts: FolderCounts,
  problems: z.array(FolderProblem).describe(`The first ${folderProblemsKept}.`),
  failure: z.string().nullable().describe('Why the import ended before its end.'),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
})
export type FolderImportRun = z.infer<typeof FolderImportRun>

export const getFolderImports = endpoint({
  name: 'getFolderImports',
  tag: 'folder-imports',
  summary: 'The folders of `IMPORT_FOLDERS`, and the last import of one of them',
  method: 'GET',
  path: '/administration/folder-imports',
  auth,
  role,
  result: z.object({
    folders: z.array(z.string()),
    isRunning: z.boolean(),
    run: FolderImportRun.nullable(),
  }),
  message: 'Folders',
})

export const createFolderImport = endpoint({
  name: 'createFolderImport',
  tag: 'folder-imports',
  summary: 'Starts a job that imports the videos of a folder into a channel, as private videos',
  method: 'POST',
  path: '/administration/folder-imports',
  auth,
  role,
  body: z.object({
    folder: z.string().min(1).max(4096).describe('One of `IMPORT_FOLDERS`.'),
    username: z.string().min(1).max(64).describe('Of the channel that gets the videos.'),
    placement: FolderPlacement,
    hasPlaylists: z.boolean().optional().describe('A private playlist for each directory below the folder.'),
    isDryRun: z.boolean().optional().describe('Changes nothing, and reports what would be done.'),
  }),
  result: z.null(),
  message: 'The import has started',
})
