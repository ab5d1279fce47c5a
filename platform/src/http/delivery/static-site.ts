import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Encoding, etagOf } from './content-negotiation.ts'

export interface StaticFile {
  contentType: string
  /** Whether the name changes with the content. */
  isImmutable: boolean
  etag: string
  /** The file, uncompressed and in the encodings that the build created. */
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer }
}

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.vtt': 'text/vtt; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

const checkIntervalMs = 1000

const suffixOf = { br: '.br', gzip: '.gz' } as const

/**
 * Files of the built site in memory (a few megabytes), reloaded within a second after a build replaced `index.html`.
 * `name.br` and `name.gz` are the compressed forms of `name`.
 */
export class StaticSite {
  readonly #directory: string
  #checkedAt = -Infinity
  #builtAtMs = 0
  #files: Promise<Map<string, StaticFile> | undefined> = Promise.resolve(undefined)

  constructor(directory: string) {
    this.#directory = directory
  }

  /** Returns every file by its path, e.g. `assets/index-D1x.js`; undefined if the site is not built. */
  async files(): Promise<Map<string, StaticFile> | undefined> {
    if (performance.now() - this.#checkedAt > checkIntervalMs) {
      this.#checkedAt = performance.now()
      this.#files = this.#readIfChanged(await this.#files.catch(() => undefined))
    }
    return this.#files
  }

  async #readIfChanged(
    known: Map<string, StaticFile> | undefined,
  ): Promise<Map<string, StaticFile> | undefined> {
    // A directory that cannot be read counts as not built; the response then says that the site is not built.
    const index = await stat(path.join(this.#directory, 'index.html')).catch(() => undefined)
    if (!index) return undefined
    if (known && index.mtimeMs === this.#builtAtMs) return known
    const files = await readSite(this.#directory)
    this.#builtAtMs = index.mtimeMs
    return files
  }
}

async function readSite(directory: string): Promise<Map<string, StaticFile>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
  const known = new Set(names)
  const isVariant = (name: string) =>
    Object.values(suffixOf).some(
      (suffix) => name.endsWith(suffix) && known.has(name.slice(0, -suffix.length)),
    )
  const files = await Promise.all(
    names
      .filter((name) => !isVariant(name))
      .map(
        async (name) =>
          [name.replaceAll(path.sep, '/'), await readStaticFile(directory, name, known)] as const,
      ),
  )
  return new Map(files)
}

async function readStaticFile(
  directory: string,
  name: string,
  known: ReadonlySet<string>,
): Promise<StaticFile> {
  const identity = await readFile(path.join(directory, name))
  const bodies: StaticFile['bodies'] = { identity }
  for (const encoding of ['br', 'gzip'] as const) {
    const variant = name + suffixOf[encoding]
    if (known.has(variant)) bodies[encoding] = await readFile(path.join(directory, variant))
  }
  return {
    contentType: contentTypes[path.extname(name).toLowerCase()] ?? 'application/octet-stream',
    isImmutable: name.startsWith(`assets${path.sep}`),
    etag: etagOf(identity),
    bodies,
  }
}
