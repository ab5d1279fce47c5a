import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

const Bytes = z.number().int()

/** Result of one check. */
export const Finding = z.object({
  subject: z.string().describe('What was checked, such as `disk` or `queue`.'),
  code: z
    .string()
    .describe('The subject and what was found about it, such as `disk.low`. Clients translate by it.'),
  state: z
    .enum(['good', 'note', 'bad'])
    .describe('`bad` must be fixed; `note` informs, such as about a default.'),
  message: z.string().describe('What was found, and what to do about it.'),
})
export type Finding = z.infer<typeof Finding>

export const WorkerProcess = z.object({
  startedAt: z.iso.datetime(),
  seenAt: z.iso.datetime(),
  cpuSeconds: z
    .number()
    .describe('CPU time since its start, with that of its finished programs such as ffmpeg.'),
})
export type WorkerProcess = z.infer<typeof WorkerProcess>

export const Health = z.object({
  checkedAt: z.iso.datetime(),
  findings: z.array(Finding).describe('As `kinora doctor` reports them.'),
  disk: z.object({ freeBytes: Bytes, totalBytes: Bytes }).describe('The disk of `DATA_DIR`.'),
  cacheBytes: Bytes.nullable().describe('Encoded segments; null before they are measured.'),
  queue: z.object({
    waiting: z.number().int().describe('Jobs that are due.'),
    running: z.number().int(),
    failed: z.number().int().describe('Of the last hour.'),
    oldestWaitingSeconds: z.number().int(),
  }),
  workers: z.array(WorkerProcess).describe('Those that were seen within the last minute.'),
  lastBackupAt: z.iso.datetime().nullable().describe('The newest one in the default directory.'),
})
export type Health = z.infer<typeof Health>

export const getHealth = endpoint({
  name: 'getHealth',
  tag: 'health',
  summary: 'The health of the site and its machine, checked at most once a minute',
  method: 'GET',
  path: '/administration/health',
  auth: 'required',
  role: 'administrator',
  result: Health,
  message: 'Health',
})
