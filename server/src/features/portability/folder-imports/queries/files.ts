import type { Db } from '../../../../context/database.ts'

export interface FolderFile {
  ownerId: string
  path: string
  sizeBytes: number
  fingerprint: Buffer
  videoId: string
}

/** An imported file by its path. */
export function findFile(db: Db, ownerId: string, path: string): Promise<FolderFile | undefined> {
  return db
    .selectFrom('folderFiles')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('path', '=', path)
    .executeTakeFirst()
}

/** Imported files with the same size and fingerprint. */
export function listSameFiles(
  db: Db,
  { ownerId, sizeBytes, fingerprint }: Omit<FolderFile, 'path' | 'videoId'>,
): Promise<FolderFile[]> {
  return db
    .selectFrom('folderFiles')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('fingerprint', '=', fingerprint)
    .where('sizeBytes', '=', sizeBytes)
    .execute()
}

/** Paths of imported files below a folder. */
export async function listPathsBelow(db: Db, ownerId: string, folder: string): Promise<string[]> {
  const rows = await db
    .selectFrom('folderFiles')
    .select('path')
    .where('ownerId', '=', ownerId)
    .where('path', '>=', `${folder}/`)
    .where('path', '<', `${folder}0`)
    .orderBy('path')
    .execute()
  return rows.map(({ path }) => path)
}

export async function insertFile(db: Db, file: FolderFile): Promise<void> {
  await db.insertInto('folderFiles').values(file).execute()
}

export async function updatePath(db: Db, { ownerId, path }: FolderFile, newPath: string): Promise<void> {
  await db
    .updateTable('folderFiles')
    .set({ path: newPath })
    .where('ownerId', '=', ownerId)
    .where('path', '=', path)
    .execute()
}
