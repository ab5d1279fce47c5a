import { createHmac, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

/** Random value of this site, for hashes of data that must not be stored in plain text. */
export class SiteSecret {
  readonly #read: () => Promise<Buffer>
  #secret: Promise<Buffer> | undefined

  constructor(read: () => Promise<Buffer>) {
    this.#read = read
  }

  /** Returns the HMAC-SHA-256 of a text, keyed with the secret. */
  async hash(text: string): Promise<Buffer> {
    this.#secret ??= this.#read().catch((error: unknown) => {
      // the next call reads it again
      this.#secret = undefined
      throw error
    })
    return createHmac('sha256', await this.#secret)
      .update(text)
      .digest()
  }
}

/** Returns the secret from the database, and creates it if there is none. */
export async function readSiteSecret<Database>(db: Kysely<Database>): Promise<Buffer> {
  const find = async () => {
    const { rows } = await sql<{ secret: Buffer }>`select secret from site_secret`.execute(db)
    return rows[0]?.secret
  }
  const known = await find()
  if (known) return known
  await sql`insert into site_secret (secret) values (${randomBytes(32)}) on conflict do nothing`.execute(db)
  // another process may have inserted first
  const stored = await find()
  if (!stored) throw new Error('The table site_secret is empty')
  return stored
}
