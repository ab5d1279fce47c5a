import { accept } from '../accepted-types.ts'

/** Files that were chosen, dropped or shared before the tray is loaded. */
let pending: { file: File; isShared: boolean }[] = []
const listeners = new Set<() => void>()

/**
 * Hands files to the tray, which is loaded with the first ones. Shared files wait there until they are continued: any
 * website can send files to the share target.
 */
export function showFiles(files: readonly File[], { isShared = false } = {}): void {
  if (files.length === 0) return
  pending = [...pending, ...files.map((file) => ({ file, isShared }))]
  for (const listener of listeners) listener()
}

/** Whether files wait for the tray. */
export const hasFiles = (): boolean => pending.length > 0

/** Takes the files that nobody has taken yet. */
export function takeFiles(): { chosen: File[]; shared: File[] } {
  const taken = pending
  pending = []
  const filesOf = (wanted: boolean) =>
    taken.filter(({ isShared }) => isShared === wanted).map(({ file }) => file)
  return { chosen: filesOf(false), shared: filesOf(true) }
}

export function onFiles(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Opens the browser's file dialog. Its field is not part of the page, where forms have file fields of their own. */
export function chooseVideos(onChoose: (files: File[]) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.accept = accept.video
  input.addEventListener('change', () => onChoose([...(input.files ?? [])]))
  input.click()
}
