import { readFileSync } from 'node:fs'
import path from 'node:path'

/** The version of this program, as package.json states it. */
export function readVersion(): string {
  const file = path.join(import.meta.dirname, '../../../package.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
