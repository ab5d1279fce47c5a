import { t } from '@lingui/core/macro'
/** A title from a file name: without its extension, with spaces for separators. */
export function titleOf(fileName: string, maxCharacters: number): string {
  const stem = fileName.replace(/\.[A-Za-z0-9]{2,4}$/, '')
  const title = stem.replaceAll(/[\s_]+/g, ' ').trim()
  return Array.from(title || t`Untitled`)
    .slice(0, maxCharacters)
    .join('')
}
