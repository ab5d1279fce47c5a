const keyOf = (userId: string) => `kinora-unfinished-uploads-${userId}`

/** Whether this browser may have unfinished uploads of the user: only then the server is asked for them. */
export function hasUnfinishedUploads(userId: string): boolean {
  try {
    return localStorage.getItem(keyOf(userId)) !== null
  } catch {
    // Blocked browser storage: unfinished uploads are not offered again.
    return false
  }
}

export function storeUnfinishedFlag(userId: string, hasUnfinished: boolean): void {
  try {
    if (hasUnfinished) localStorage.setItem(keyOf(userId), 'true')
    else localStorage.removeItem(keyOf(userId))
  } catch {
    // As above.
  }
}
