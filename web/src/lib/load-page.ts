const KEY = 'restarted-at'
const COOLDOWN_MS = 10_000

/** The file of a page could not be fetched. */
export class PageFileError extends Error {}

/** Fetches the file of a page, or throws PageFileError. */
export async function loadPage<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    throw new PageFileError('The file of this page could not be fetched', { cause })
  }
}

/**
 * Starts afresh where a page's file is gone although the server answers: the site was updated meanwhile. Once, and not
 * in circles.
 */
export async function restartAfterUpdate(): Promise<void> {
  const isRecent = Date.now() - Number(sessionStorage.getItem(KEY)) < COOLDOWN_MS
  if (isRecent || !(await isServerThere())) return
  sessionStorage.setItem(KEY, String(Date.now()))
  location.reload()
}

async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch('/', { method: 'HEAD' })).ok
  } catch {
    return false
  }
}
