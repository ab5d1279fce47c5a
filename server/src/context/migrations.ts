import path from 'node:path'

/** The migrations of this program, for `migrate`. */
export const migrationsDirectory = path.join(import.meta.dirname, '../../migrations')
