import { text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { operationErrors } from '@kinora/contract/operations/errors.ts'
import { pictureDefaultWidth, pictureIdOfUrl, pictureUrl } from '@kinora/contract/pictures.ts'
import type { SiteSettingsChanges } from '@kinora/contract/operations/site.ts'
import type { Context } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { isDiskFull } from '@kinora/platform/files/disk-full.ts'
import { newId } from '@kinora/platform/ids.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import type { Storage } from '@kinora/platform/storage/storage.ts'
import { record } from '../administration/actions/audit-log.ts'
import type { Actor } from '../administration/rules.ts'
import {
  discardPicture,
  type PictureContext,
  deletePictureLater,
  storePicture,
} from '../../pictures/actions.ts'
import { findStorageId, hasUsers, lockLogo, putSettings, putStorageId } from './queries.ts'
import { listOwn, storagePrefixes } from '../../../context/storage-keys.ts'

type Site = Pick<Context, 'db' | 'storage'>

/** Storage key of the object with the id of its site. */
const markerKey = 'site-id'

/**
 * Verifies that the storage belongs to the database; the first start binds them. Otherwise a start with the wrong
 * database or an unmounted disk would look healthy, until a sweep deletes every file that the database does not
 * mention.
 *
 * Returns the id that both have. Throws `StartupError` for a storage of another site, and for one that has lost its
 * marker.
 */
export async function bindStorage({ db, storage }: Site): Promise<string> {
  const expected = await findStorageId(db)
  const found = await readMarker(storage)
  if (expected !== undefined) {
    assertSame(expected, found)
    return expected
  }
  const isOfAnotherSite = found !== undefined || !(await hasUsers(db))
  if (isOfAnotherSite && (await holdsFiles(storage)))
    throw new StartupError(`The storage holds the files of another site. ${advice}`)
  return adoptStorage({ db, storage })
}

/** Throws if the storage no longer is the one with this id. */
export async function assertStorageBound(storage: Storage, storageId: string): Promise<void> {
  assertSame(storageId, await readMarker(storage))
}

/** Throws if objects cannot be written to the storage, read back and deleted. */
export async function probeStorage(storage: Storage): Promise<void> {
  const key = `${storagePrefixes.probes}${newId()}`
  try {
    await storage.put(key, Buffer.from(key))
  } catch (error) {
    // a full disk can still be read; readiness reports it apart from this probe
    if (isDiskFull(error)) return
    throw error
  }
  try {
    const found = await storage.get(key)
    if (!found || (await text(found.body)) !== key)
      throw new Error('An object that was written cannot be read back.')
  } finally {
    await storage.delete(key)
  }
}

/**
 * Binds database and storage to each other, whatever they belonged to before. Returns their new id. Running processes
 * have to be restarted.
 */
export async function adoptStorage({ db, storage }: Site): Promise<string> {
  const id = newId()
  await storage.put(markerKey, Buffer.from(id))
  await putStorageId(db, id)
  return id
}

/** Copies the marker of this site to another storage, to which the site moves. */
export async function markStorage(db: Db, storage: Storage): Promise<void> {
  const id = await findStorageId(db)
  if (id !== undefined) await storage.put(markerKey, Buffer.from(id))
}

const advice =
  'Check DATA_DIR, STORAGE_URL and DATABASE_URL. If they do belong together, run `kinora storage adopt`.'

function assertSame(expected: string, found: string | undefined): void {
  if (found === expected) return
  throw new StartupError(
    found === undefined
      ? `The storage of this site is missing or empty. Is its disk mounted? ${advice}`
      : `The storage belongs to another site. ${advice}`,
  )
}

async function readMarker(storage: Storage): Promise<string | undefined> {
  const marker = await storage.get(markerKey)
  return marker && text(marker.body)
}

async function holdsFiles(storage: Storage): Promise<boolean> {
  for (const prefix of [storagePrefixes.sources, storagePrefixes.pictures])
    for await (const _ of listOwn(storage, prefix)) return true
  return false
}

/**
 * Stores the settings that differ from the current ones. Throws `conflict` for those that the environment sets, or that need
 * a mail server where there is none.
 */
export async function changeSettings(
  context: Pick<Context, 'db' | 'clock' | 'config' | 'siteSettings'>,
  actor: Actor,
  settings: SiteSettingsChanges,
): Promise<void> {
  await context.siteSettings.load()
  await context.db.transaction().execute((db) => storeSettings({ ...context, db }, actor, settings))
  await context.siteSettings.load()
}

/** Stores what differs from the settings as last read, in the transaction of `db`. Throws like `changeSettings`. */
export async function storeSettings(
  context: Pick<Context, 'db' | 'clock' | 'config' | 'siteSettings'>,
  actor: Actor,
  settings: SiteSettingsChanges,
): Promise<void> {
  const { db, config, siteSettings } = context
  const current = new Map<string, unknown>(Object.entries(siteSettings.current))
  const changed = Object.entries(settings).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(current.get(name), value),
  )
  if (settings.confirmEmails && !config.hasMail)
    throw new AppError(operationErrors.mailNotConfigured, { path: 'confirmEmails' })
  const fixed = siteSettings.fixed.find((name) => changed.some(([each]) => each === name))
  if (fixed !== undefined) throw new AppError(operationErrors.settingFixed, { path: fixed })
  await putSettings(db, Object.fromEntries(changed))
  const subjects = changed.map(([name, value]) => ({
    subject: name,
    details: String(value ?? '').slice(0, 200),
  }))
  await record(context, actor, 'change_settings', subjects)
}

/** Replaces the logo by the picture in a file, or with null by that of Kinora. Throws `invalid` for another file. */
export async function changeLogo(
  context: Pick<Context, 'db' | 'clock' | 'jobs' | 'siteSettings'> & PictureContext,
  actor: Actor,
  file: string | null,
): Promise<void> {
  const picture = file === null ? null : await storePicture(context, file, 'avatar')
  try {
    await context.db.transaction().execute(async (db) => {
      const old = await lockLogo(db)
      const siteLogo = picture && pictureUrl(picture, pictureDefaultWidth.avatar)
      await putSettings(db, { siteLogo })
      if (typeof old === 'string') await deletePictureLater(context, db, pictureIdOfUrl(old))
      await record({ ...context, db }, actor, 'change_settings', [{ subject: 'siteLogo', details: siteLogo }])
    })
  } catch (error) {
    if (picture) await discardPicture(context, picture)
    throw error
  }
  await context.siteSettings.load()
}
