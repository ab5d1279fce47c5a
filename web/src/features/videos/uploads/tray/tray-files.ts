import { accept } from '../accepted-types.ts'

/** A file, and the username of the channel that gets it, where it is not the own one. */
export interface WaitingFile {
  file: File
  isShared: boolean
  channel?: string | undefined
}

/** Files that were chosen, dropped or shared before the tray is loaded. */
let pending: WaitingFile[] = []
const listeners = new Set<() => void>()

/**
 * Hands files to the tray, which is loaded with the first ones. Shared files wait there until they are continued: any
 * website can send files to the share target.
 */
export function showFiles(
  files: readonly File[],
  { isShared = false, channel }: { isShared?: boolean; channel?: string | undefined } = {},
): void {
  if (files.length === 0) return
  pending = [...pending, ...files.map((file) => ({ file, isShared, channel }))]
  for (const listener of listeners) listener()
}

/** Whether files wait for the tray. */
export const hasFiles = (): boolean => pending.length > 0

/** Takes the files that nobody has taken yet. */
export function takeFiles(): readonly WaitingFile[] {
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
