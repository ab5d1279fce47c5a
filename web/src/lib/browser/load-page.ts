const KEY = 'restarted-at'
const COOLDOWN_MS = 10_000

/** The file of a page could not be fetched. */
export class PageFileError extends Error {}

/** Stylesheets that failed to load. The bundler's loader does not request them again. */
const missing = new Set<HTMLLinkElement>()

/** Remembers stylesheets that fail to load from now on, so that the next `loadPage` requests them again. */
export function noticeMissingStyles(): void {
  const notice = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') missing.add(target)
  }
  // In the capture phase, because load errors do not bubble.
  addEventListener('error', notice, true)
}

function fetchAgain(link: HTMLLinkElement): Promise<unknown> {
  missing.delete(link)
  // The type of `cloneNode` is Node, whatever it copies.
  const again = link.cloneNode() as HTMLLinkElement
  link.replaceWith(again)
  return new Promise((resolve, reject) => {
    again.addEventListener('load', resolve)
    again.addEventListener('error', reject)
  })
}

/** Fetches the file of a page and its styles, or throws PageFileError. */
export async function loadPage<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    const page = await load()
    await Promise.all([...missing].map(fetchAgain))
    return page
  } catch (cause) {
    throw new PageFileError('The file of this page could not be fetched', { cause })
  }
}

/**
 * Reloads the site if the file of a page is missing while the server responds, because the site was updated. At most
 * once in ten seconds, so that a file that stays missing causes no loop.
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
    // Offline, or the server is not reachable.
    return false
  }
}
