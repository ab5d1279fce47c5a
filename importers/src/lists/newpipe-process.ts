import { DatabaseSync } from 'node:sqlite'
import { serveRequests } from '@kinora/platform/sandbox/preforked-process.ts'
import { newPipeMaxRows, type NewPipeContents, type NewPipeResponse } from './read-newpipe.ts'

/** Of a name or an address; longer ones are cut. */
const maxCharacters = 2000

const tables = ['subscriptions', 'playlists', 'streams', 'playlist_stream_join']

/** Reads the database of a NewPipe backup. Throws for one that is damaged, or whose tables are something else. */
function read(path: string): NewPipeContents {
  using database = new DatabaseSync(path, { readOnly: true })
  // views and triggers of the file run no functions with side effects
  database.exec(
    'pragma trusted_schema = off; pragma cell_size_check = on; pragma mmap_size = 0; pragma hard_heap_limit = 67108864',
  )
  const found = database
    .prepare(
      `select count(*) as count from sqlite_master where type = 'table' and sql not like 'create virtual%'
      and name in (${tables.map((name) => `'${name}'`).join()})`,
    )
    .get()
  // a view could calculate for ever
  if (found?.['count'] !== tables.length) throw new Error('not the tables of NewPipe')
  const list = (query: string) => database.prepare(`${query} limit ${newPipeMaxRows}`).all()
  const countLeftOut = (query: string) =>
    Math.max(
      0,
      Number(database.prepare(`select count(*) as count from ${query}`).get()?.['count']) - newPipeMaxRows,
    )
  const entries = `playlists p join playlist_stream_join j on j.playlist_id = p.uid join streams s on s.uid = j.stream_id`
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, maxCharacters) : '')
  return {
    subscriptions: list('select name, url from subscriptions order by uid').map(({ name, url }) => ({
      name: text(name),
      url: text(url),
    })),
    entries: list(
      `select p.uid as id, p.name, s.url, s.title from ${entries} order by p.uid, j.join_index`,
    ).map(({ id, name, url, title }) => ({
      playlistId: String(id),
      playlistName: text(name),
      url: text(url),
      title: text(title),
    })),
    leftOut: { subscriptions: countLeftOut('subscriptions'), entries: countLeftOut(entries) },
  }
}

serveRequests(async (path: string): Promise<NewPipeResponse> => {
  try {
    return { contents: read(path) }
  } catch (error) {
    return { error: String(error) }
  }
})
