import { toDecideKey } from './query-keys.ts'

/** Keys of the administration, which are not in the first script. */
export const administrationKeys = {
  toDecide: toDecideKey,
  overview: ['administration', 'overview'],
  health: ['administration', 'health'],
  person: (username: string) => ['administration', 'person', username],
  sessionsOf: (username: string) => ['administration', 'sessions', username],
  invitations: ['administration', 'invitations'],
  settings: ['administration', 'settings'],
  jobs: ['administration', 'jobs'],
  transcriptions: ['administration', 'transcriptions'],
  backups: ['administration', 'backups'],
  folders: ['administration', 'folders'],
  storage: ['administration', 'storage'],
  list: (name: string, view: object) => ['administration', name, view],
} as const
