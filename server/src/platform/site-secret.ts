import { createHmac } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

/** The random value of this site: hashes what must not be stored as it is. */
export class SiteSecret {
  readonly #read: () => Promise<Buffer>
  #secret: Promise<Buffer> | undefined

  constructor(read: () => Promise<Buffer>) {
    this.#read = read
  }

  /** A keyed hash (HMAC-SHA-256): the same for the same text on the same site, and of no use without the secret. */
  async hash(text: string): Promise<Buffer> {
    this.#secret ??= this.#read().catch((error: unknown) => {
      // the next one asks again
      this.#secret = undefined
      throw error
    })
    return createHmac('sha256', await this.#secret)
      .update(text)
      .digest()
  }
}

/** Where the secret is kept: a migration has made it. */
export async function readSiteSecret<Database>(db: Kysely<Database>): Promise<Buffer> {
  const { rows } = await sql<{ secret: Buffer }>`select secret from site_secret`.execute(db)
  if (!rows[0]) throw new Error('The table site_secret is empty')
  return rows[0].secret
}
