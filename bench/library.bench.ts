import { Client } from 'pg'
import { openDataset, videoId } from './dataset.ts'
import { type Question, measureReads, datasetSizes } from './reads.ts'
import { uncachedCookie } from './product.ts'
import { report, type Row } from './report.ts'

/** Cost of the feed, by followed channels, and of playlists of up to 5,000 videos. */
const followed = [10, 1000]
const entries = [50, 5000]

const rows: Row[] = []
for (const videos of datasetSizes()) {
  const dataset = await openDataset(videos)
  const client = new Client(dataset.databaseUrl)
  await client.connect()
  const headers = { cookie: `${dataset.cookie}; ${uncachedCookie}` }
  const measure = async (question: Omit<Question, 'headers'>) => {
    rows.push(...(await measureReads(dataset, videos, [{ ...question, headers }])))
  }
  try {
    for (const channels of followed) {
      await client.query(
        `insert into subscriptions (subscriber_id, channel_id)
         select id, 'user' || n from users, generate_series(1, $2::int) n where username = $1 on conflict do nothing`,
        [dataset.username, channels],
      )
      await client.query('analyze subscriptions')
      await measure({
        question: `feed of ${channels} channels`,
        paths: ['/api/v1/sub/feed?limit=24'],
      })
    }
    for (const size of entries.filter((each) => each <= videos)) {
      const id = `bench-${dataset.username}-${size}`
      await client.query(
        `with list as (
           insert into playlists (id, owner_id, title, visibility, entries_count)
           select $1, id, 'Bench', 'public', $3 from users where username = $2 returning id
         )
         insert into playlist_entries (id, playlist_id, video_id, position)
         select list.id || '-' || place, list.id, video_id, lpad(place::text, 6, '0') || 'V'
         from list, unnest($4::text[]) with ordinality videos (video_id, place)`,
        [id, dataset.username, size, Array.from({ length: size }, (_, n) => videoId(n))],
      )
      await client.query('analyze playlists, playlist_entries')
      const of = `playlist of ${size}`
      await measure({
        question: `${of}: entries`,
        paths: [`/api/v1/playlists/${id}/entries?limit=24`],
      })
      await measure({
        question: `${of}: place of a video`,
        paths: Array.from({ length: size }, (_, n) => `/api/v1/playlists/${id}/around/${videoId(n)}`),
      })
    }
  } finally {
    await client.end()
    await dataset.stop()
  }
}
report('library', {}, rows)
