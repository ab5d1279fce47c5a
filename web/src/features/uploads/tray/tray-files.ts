import { accept } from '../accepted-types.ts'

/** Files that were chosen or dropped before the tray is loaded. */
let pending: File[] = []
const listeners = new Set<() => void>()

/** Hands files to the tray, which is loaded with the first ones. */
export function showFiles(files: readonly File[]): void {
  if (files.length === 0) return
  pending = [...pending, ...files]
  for (const listener of listeners) listener()
}

/** Whether files wait for the tray. */
export const hasFiles = (): boolean => pending.length > 0

/** Takes the files that nobody has taken yet. */
export function takeFiles(): File[] {
  const taken = pending
  pending = []
  return taken
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
