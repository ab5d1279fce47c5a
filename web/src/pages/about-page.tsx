import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import { AboutSite } from '../features/operations/site/about-site.tsx'
import { settings } from '../lib/settings.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { paths } from '../paths.ts'
import styles from './about-page.module.css'

export function AboutPage() {
  return (
    <div className={styles['about']}>
      <PageTitle title={t`About`} />
      <h1>{t`About ${settings.siteName}`}</h1>
      <AboutSite />
      <p>
        <Trans>
          Kinora is a self-hosted site for sharing and watching videos. It has no advertisements and no
          trackers, and loads nothing from other sites.
        </Trans>
      </p>
      <div className={styles['parts']}>
        <section>
          <h2>{t`Watching`}</h2>
          <p>
            <Trans>
              Anyone can search, watch and read comments without an account. A video starts in the best
              quality for your connection. Every quality is available right after the upload. Each time a
              video's page is opened counts as a view, up to 300 per hour, viewer and video. Move the pointer
              across a thumbnail to preview the video.
            </Trans>
          </p>
        </section>
        <section>
          <h2>{t`Taking part`}</h2>
          <p>
            <Trans>
              With <Link to={paths.register()}>an account</Link> you can publish videos, like, comment,
              subscribe to channels and see what you watched. Your dashboard shows the views and likes of your
              videos. You can change and delete your videos at any time. Deleting a video also deletes its
              files, comments and likes.
            </Trans>
          </p>
        </section>
        <section>
          <h2>{t`The name`}</h2>
          <p>
            <Trans>
              The Kinora was a film viewer of the 1900s: a reel of photographs, flipped past a lens by turning
              a handle.
            </Trans>
          </p>
        </section>
        <section>
          <h2>{t`Origin`}</h2>
          <p>
            <Trans>
              Kinora was specified as a practice project: a video platform that a hobbyist developer built on
              a Mongo/Express/React/Node stack. This implementation has the same screens and calls and uses
              PostgreSQL, Fastify, React and Node.
            </Trans>
          </p>
        </section>
        <section>
          <h2>{t`API`}</h2>
          <p>
            <Trans>
              Everything on this site is also available to your own programs. See the{' '}
              <a href={paths.apiDocs()}>API reference</a>. Kinora is free software under the MIT licence.
            </Trans>
          </p>
        </section>
      </div>
    </div>
  )
}
