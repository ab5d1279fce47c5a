import { createHmac, randomBytes } from 'node:crypto'
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

/** The secret of the database's site, made when it has none yet. */
export async function readSiteSecret<Database>(db: Kysely<Database>): Promise<Buffer> {
  const find = async () => {
    const { rows } = await sql<{ secret: Buffer }>`select secret from site_secret`.execute(db)
    return rows[0]?.secret
  }
  const known = await find()
  if (known) return known
  await sql`insert into site_secret (secret) values (${randomBytes(32)}) on conflict do nothing`.execute(db)
  // another process may have been faster
  const made = await find()
  if (!made) throw new Error('The table site_secret is empty')
  return made
}
