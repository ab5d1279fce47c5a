const lockOf = (uploadId: string) => `kinora-upload-${uploadId}`

/** Claims an upload until it is released or this tab is closed. Web Locks exist in secure contexts only. */
export function claimUpload(uploadId: string): () => void {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  if ('locks' in navigator) void navigator.locks.request(lockOf(uploadId), () => released)
  return release
}

/** Leaves out the uploads that a tab has claimed. */
export async function withoutClaimed<T extends { _id: string }>(uploads: readonly T[]): Promise<T[]> {
  const { held = [] } = 'locks' in navigator ? await navigator.locks.query() : {}
  const claimed = new Set(held.map(({ name }) => name))
  return uploads.filter(({ _id }) => !claimed.has(lockOf(_id)))
}
