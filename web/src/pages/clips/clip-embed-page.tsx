import { t } from '@lingui/core/macro'
import { embedRefusedMeta } from '@kinora/contract/videos/embed.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearchParams } from 'react-router'
import { trafficOfEmbed } from '../../features/videos/playback/reports/traffic-source.ts'
import { videoQuery } from '../../features/videos/videos/details/api.ts'
import { clipQuery } from '../../features/watching/clips/api.ts'
import { paths } from '../../paths.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { EmbedTitle, MissingEmbed } from '../watch/embed-parts.tsx'
import styles from '../watch/embed-page.module.css'
import { ClipPlayer } from './clip-player.tsx'

/** The player of a clip alone, for frames on other sites, unless the owner of its video does not allow them. */
export function ClipEmbedPage() {
  const { clipId = '' } = useParams()
  const isRefused = document.querySelector(`meta[name="${embedRefusedMeta}"]`) !== null
  return (
    <main className={styles['embed']} id="main" tabIndex={-1}>
      {isRefused ? (
        <MissingEmbed
          href={paths.clip(clipId)}
          link={t`Open the clip`}
        >{t`This site may not show this clip`}</MissingEmbed>
      ) : (
        <EmbeddedClip clipId={clipId} />
      )}
    </main>
  )
}

function EmbeddedClip({ clipId }: { clipId: string }) {
  const [search] = useSearchParams()
  const { data: clip, isLoadingError } = useQuery(clipQuery(clipId))
  const { data: video } = useQuery({ ...videoQuery(clip?.video._id ?? ''), enabled: clip !== undefined })
  if (isLoadingError)
    return (
      <MissingEmbed
        href={paths.home()}
        link={t`Go to the site`}
      >{t`This clip isn’t available any more`}</MissingEmbed>
    )
  return (
    <>
      <PageTitle title={clip?.title} />
      {clip && (
        <ClipPlayer
          className={styles['player']}
          clip={clip}
          video={video}
          traffic={trafficOfEmbed(document.referrer)}
          autoplays={search.get('autoplay') === '1'}
          isEmbedded
        >
          <EmbedTitle href={paths.clip(clipId)} title={clip.title} />
        </ClipPlayer>
      )}
    </>
  )
}
