import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Part } from '../../../ui/part.tsx'
import { QuerySection } from '../../../ui/query-section.tsx'
import { AnnouncedStreams } from './announced-streams.tsx'
import { liveChannelQuery } from './api.ts'
import { EncoderSettings } from './encoder-settings.tsx'
import { Shows } from './shows.tsx'
import { StreamState } from './stream-state.tsx'
import { TemplateForm } from './template-form.tsx'
import styles from './go-live.module.css'

/** All that somebody needs to stream: the state of the stream, addresses and key for the encoder, and the template. */
export function GoLive() {
  // a show that was chosen fills the form again
  const [uses, setUses] = useState(0)
  const query = useQuery(liveChannelQuery)
  return (
    <QuerySection query={query} failure={t`Could not load your live settings`}>
      {(channel) =>
        channel.mayStream ? (
          <div className={styles['page']}>
            <StreamState channel={channel} now={query.dataUpdatedAt} />
            <AnnouncedStreams />
            <Part
              title={t`This browser`}
              note={t`Camera, screen or both, with your microphone. Nothing has to be installed.`}
              isDivided
            >
              <Link className={buttonClass('solid')} to={paths.liveBrowser()}>
                {t`Stream from this browser`}
              </Link>
            </Part>
            <Part
              title={t`Encoder`}
              note={t`Enter these in OBS or another program. Set the keyframe interval to 2 seconds, the video codec to H.264 and the audio codec to AAC.`}
              isDivided
            >
              <EncoderSettings servers={channel.servers} hasKey={channel.hasKey} />
            </Part>
            <Part
              title={t`Next stream`}
              note={t`Title and description can be changed on the page of the video while it is live.`}
              isDivided
            >
              <TemplateForm key={uses} template={channel.template} />
            </Part>
            <Part
              title={t`Shows`}
              note={t`Title, description and visibility of what you stream again and again.`}
              isDivided
            >
              <Shows template={channel.template} onUse={() => setUses(uses + 1)} />
            </Part>
          </div>
        ) : (
          <EmptyState
            title={t`You may not stream live yet`}
            text={t`An administrator of the site can allow it.`}
          />
        )
      }
    </QuerySection>
  )
}
