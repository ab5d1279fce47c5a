import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

const auth = 'required'
const role = 'administrator'

export const Backup = z.object({
  name: z.string(),
  isUsable: z.boolean().describe('False where its description is missing or damaged.'),
  rows: z.number().int(),
  files: z.number().int().nullable().describe('Null for a backup of the database alone.'),
  bytes: z.number().int().nullable(),
  missing: z.number().int().describe('Files that the storage had lost before.'),
})
export type Backup = z.infer<typeof Backup>

export const BackupRun = z.object({
  kind: z.enum(['create', 'verify']),
  progress: z.string(),
  problems: z.array(z.string()).describe('Empty for a good result.'),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
})
export type BackupRun = z.infer<typeof BackupRun>

export const listBackups = endpoint({
  name: 'listBackups',
  tag: 'backups',
  summary:
    'The newest 50 backups of the default directory, and the last run. Files of backups cannot be fetched',
  method: 'GET',
  path: '/administration/backups',
  auth,
  role,
  result: z.object({
    directory: z.string(),
    isRunning: z.boolean(),
    run: BackupRun.nullable(),
    backups: z.array(Backup),
  }),
  message: 'Backups',
})

export const createBackup = endpoint({
  name: 'createBackup',
  tag: 'backups',
  summary: 'Starts a job that backs up database, sources and pictures',
  method: 'POST',
  path: '/administration/backups',
  auth,
  role,
  result: z.null(),
  message: 'The backup has started',
})

export const verifyBackup = endpoint({
  name: 'verifyBackup',
  tag: 'backups',
  summary: 'Starts a job that restores a backup into a temporary database and reads every file',
  method: 'POST',
  path: '/administration/backups/:backup/verify',
  auth,
  role,
  params: z.object({ backup: z.string().min(1).max(64) }),
  result: z.null(),
  message: 'The verification has started',
})
