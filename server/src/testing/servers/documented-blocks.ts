import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The code blocks of one language on a page of docs/operations. */
export function documentedBlocks(page: string, language: string): string[] {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/operations', page), 'utf8')
  return Array.from(
    text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms')),
    ([, code = '']) => code,
  )
}

/** A configuration of `packaging/`, which pages of docs/operations refer to. */
export function packagedFile(path: string): string {
  return readFileSync(join(import.meta.dirname, '../../../../packaging', path), 'utf8')
}
